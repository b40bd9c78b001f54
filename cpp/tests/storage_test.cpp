#include <atomic>
#include <boost/test/unit_test.hpp>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "storage/storage_format.h"
#include "storage/storage_registry.h"
#include "storage/storage_root.h"
#include "storage/string_storage.h"
#include "talefold/error.h"

using namespace talefold;
using namespace std::string_literals;
namespace fs = std::filesystem;

namespace {

Error CatchError(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  return Error(ErrorCode::InternalError, "nothing was thrown");
}

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != text.npos;
}

std::vector<std::string> Texts(const StringStorage& storage) {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < storage.size(); ++i) {
    texts.push_back(storage.entry(i).text);
  }
  return texts;
}

std::string Found(const StringStorage& storage, std::string_view id) {
  std::string texts;
  for (const auto index : storage.Find(id)) texts += storage.entry(index).text + ";";
  return texts;
}

// A folder with files, removed afterwards.
struct Folder {
  Folder() {
    static std::atomic<int> count = 0;
    path = fs::temp_directory_path() /
           ("talefold_storage_" + std::to_string(count++) + "_" +
            std::to_string(std::hash<std::thread::id>{}(std::this_thread::get_id())));
    fs::remove_all(path);
    fs::create_directories(path / "root" / "lines");
    Write("outside.txt", "secret");
    Write("root/a.txt", "one\ntwo\n");
    Write("root/lines/b.txt", "three");
    Write("root/m.json", R"([{"id": "k", "text": "v"}])");
    Write("root/mm.mm.json", R"([{"id": "k", "text": "v"}, {"id": "k", "text": "w"}])");
    Write("root/other.csv", "x");
  }
  ~Folder() { fs::remove_all(path); }

  void Write(const std::string& name, std::string_view content) const {
    std::ofstream(path / name, std::ios::binary) << content;
  }
  StorageRoot root() const { return StorageRoot(path / "root"); }

  fs::path path;
};

}  // namespace

BOOST_AUTO_TEST_SUITE(storage)

BOOST_AUTO_TEST_CASE(a_list_has_one_text_a_line) {
  const struct {
    const char* what;
    std::string content;
    std::vector<std::string> texts;
  } rows[] = {
      {"lines", "one\ntwo\n", {"one", "two"}},
      {"no last line break", "one\ntwo", {"one", "two"}},
      {"blank lines and comments", "\n# a\n  # b\none\n \t\n", {"one"}},
      {"white space around", "  one two \t\n", {"one two"}},
      {"a # inside", "one # two\n", {"one # two"}},
      {"CRLF", "one\r\n\r\ntwo\r\n", {"one", "two"}},
      {"byte order mark", "\xEF\xBB\xBF# a\none\n", {"one"}},
      {"the same line twice", "a\na\n", {"a", "a"}},
      {"other scripts", "сгинь\n火\n", {"сгинь", "火"}},
      {"nothing", "", {}},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.what) {
      const auto list = ParseStorage(StorageKind::List, row.content, "f");
      BOOST_TEST(Texts(*list) == row.texts, boost::test_tools::per_element());
    }
  }
}

BOOST_AUTO_TEST_CASE(a_map_finds_texts_by_id) {
  const auto map = ParseStorage(
      StorageKind::Map,
      "\xEF\xBB\xBF[{\"id\": \"b\", \"text\": \"2\"},\r\n {\"text\": \"1\", \"id\": "
      "\"a\"}, {\"id\": \"\xC3\xA4\", \"text\": \"\"}]",
      "f");

  BOOST_TEST(map->size() == 3u);
  BOOST_TEST(map->entry(0).id == "b");
  BOOST_TEST(Found(*map, "a") == "1;");
  BOOST_TEST(Found(*map, "b") == "2;");
  BOOST_TEST(Found(*map, "\xC3\xA4") == ";");
  BOOST_TEST(Found(*map, "c") == "");
  BOOST_TEST(Found(*map, "") == "");
}

BOOST_AUTO_TEST_CASE(a_multimap_finds_all_texts_of_an_id_in_order) {
  const auto map = StringStorage::Multimap(
      {{"b", "1"}, {"a", "2"}, {"b", "3"}, {"c", "4"}, {"b", "5"}}, "s");

  BOOST_TEST(Found(*map, "b") == "1;3;5;");
  BOOST_TEST(Found(*map, "a") == "2;");
  BOOST_TEST(Found(*map, "d") == "");
}

BOOST_AUTO_TEST_CASE(a_list_has_no_ids) {
  BOOST_TEST(StringStorage::List({"a", "b"}, "s")->Find("").empty());
}

BOOST_AUTO_TEST_CASE(malformed_content_is_refused_with_its_place) {
  const std::string too_long(StringStorage::kMaxEntryBytes + 1, 'x');
  const struct {
    StorageKind kind;
    std::string content;
    ErrorCode code;
    std::string place;
  } rows[] = {
      {StorageKind::List, "one\nt\0wo\n"s, ErrorCode::MalformedStorage,
       "line 2, column 2: a NUL"},
      {StorageKind::List, "one\ntwo\n\xFF", ErrorCode::MalformedStorage,
       "line 3, column 1: not valid UTF-8"},
      {StorageKind::List, "\xFF\xFEo\0n\0"s, ErrorCode::MalformedStorage, "line 1"},
      {StorageKind::List, "a\n\n" + too_long, ErrorCode::StorageTooLarge, "line 3 "},
      {StorageKind::Map, "", ErrorCode::MalformedStorage, "line 1"},
      {StorageKind::Map, "[\n{\"id\" 1}]", ErrorCode::MalformedStorage, "line 2"},
      {StorageKind::Map, "{}", ErrorCode::MalformedStorage, "top level"},
      {StorageKind::Map, "[1]", ErrorCode::MalformedStorage, "[0] is 1"},
      {StorageKind::Map, R"([{"id": "a", "text": "b"}, {"id": "c"}])",
       ErrorCode::MalformedStorage, "[1] has no \"text\""},
      {StorageKind::Map, R"([{"text": "b"}])", ErrorCode::MalformedStorage,
       "[0] has no \"id\""},
      {StorageKind::Map, R"([{"id": 7, "text": "b"}])", ErrorCode::MalformedStorage,
       "[0].id is 7"},
      {StorageKind::Multimap, R"([{"id": "a", "text": null}])",
       ErrorCode::MalformedStorage, "[0].text is null"},
      {StorageKind::Map, R"([{"id": "a", "text": "b", "x": 1}])",
       ErrorCode::MalformedStorage, "[0] has the unknown key \"x\""},
      {StorageKind::Map, R"([{"id": "", "text": "b"}])", ErrorCode::MalformedStorage,
       "[0].id is empty"},
      {StorageKind::Map, R"([{"id": "a", "text": "b\u0000"}])",
       ErrorCode::MalformedStorage, "[0].text has a NUL"},
      {StorageKind::Map, R"([{"id": "a", "id": "a", "text": "b"}])",
       ErrorCode::MalformedStorage, "twice"},
      {StorageKind::Map, R"([{"id": "a", "text": ""}, {"id": "a", "text": ""}])",
       ErrorCode::DuplicateStorageId, "[1].id is \"a\" as [0].id is"},
      {StorageKind::Map, R"([{"id": "a", "text": ")" + too_long + R"("}])",
       ErrorCode::StorageTooLarge, "[0].text"},
      {StorageKind::Map, std::string(100000, '['), ErrorCode::MalformedStorage,
       "line 1"},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.place) {
      const Error error =
          CatchError([&] { ParseStorage(row.kind, row.content, "file 'f'"); });
      BOOST_TEST_INFO(error.what());
      BOOST_CHECK(error.code() == row.code);
      BOOST_TEST(Contains(error.message(), "file 'f'"));
      BOOST_TEST(Contains(error.message(), row.place));
    }
  }
}

BOOST_AUTO_TEST_CASE(too_many_entries_are_refused) {
  std::string content;
  for (std::size_t i = 0; i <= StringStorage::kMaxEntries; ++i) content += "a\n";

  const Error error =
      CatchError([&] { ParseStorage(StorageKind::List, content, "f"); });

  BOOST_CHECK(error.code() == ErrorCode::StorageTooLarge);
}

BOOST_AUTO_TEST_CASE(the_ending_of_a_file_says_its_kind) {
  BOOST_CHECK(StorageKindOf("a.txt") == StorageKind::List);
  BOOST_CHECK(StorageKindOf("lines/A.TXT") == StorageKind::List);
  BOOST_CHECK(StorageKindOf("a.json") == StorageKind::Map);
  BOOST_CHECK(StorageKindOf("a.mm.json") == StorageKind::Multimap);
  BOOST_CHECK(StorageKindOf("a.csv") == std::nullopt);
  BOOST_CHECK(StorageKindOf("txt") == std::nullopt);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(storage_root)

BOOST_AUTO_TEST_CASE(files_are_read_byte_by_byte) {
  const Folder folder;
  folder.Write("root/raw.txt", "a\r\n\0b"s);

  BOOST_TEST(folder.root().Read("raw.txt") == "a\r\n\0b"s);
  BOOST_TEST(folder.root().Read("lines/b.txt") == "three");
  BOOST_TEST(folder.root().Read("./lines/./b.txt") == "three");
  BOOST_TEST(folder.root().Read("lines\\b.txt") == "three");
}

BOOST_AUTO_TEST_CASE(paths_lead_nowhere_but_into_the_root) {
  const Folder folder;
  const std::string absolute = (folder.path / "root" / "a.txt").generic_string();
  const struct {
    std::string path;
    ErrorCode code;
  } rows[] = {
      {absolute, ErrorCode::StorageOutsideRoot},
      {"/etc/passwd", ErrorCode::StorageOutsideRoot},
      {"\\a.txt", ErrorCode::StorageOutsideRoot},
      {"\\\\server\\share\\a.txt", ErrorCode::StorageOutsideRoot},
      {"//server/share/a.txt", ErrorCode::StorageOutsideRoot},
      {"C:\\a.txt", ErrorCode::StorageOutsideRoot},
      {"c:a.txt", ErrorCode::StorageOutsideRoot},
      {"a.txt:stream", ErrorCode::StorageOutsideRoot},
      {"..", ErrorCode::StorageOutsideRoot},
      {"../outside.txt", ErrorCode::StorageOutsideRoot},
      {"..\\outside.txt", ErrorCode::StorageOutsideRoot},
      {"lines/../a.txt", ErrorCode::StorageOutsideRoot},
      {"lines/../../outside.txt", ErrorCode::StorageOutsideRoot},
      {".. /outside.txt", ErrorCode::StorageOutsideRoot},
      {".../outside.txt", ErrorCode::StorageOutsideRoot},
      {"missing.txt", ErrorCode::StorageFileNotFound},
      {"a.txt/b.txt", ErrorCode::StorageFileNotFound},
      {"", ErrorCode::StorageFileNotFound},
      {".", ErrorCode::StorageFileNotFound},
      {"lines", ErrorCode::StorageFileNotFound},
      {std::string(100000, 'x'), ErrorCode::StorageFileNotFound},
      {"a.txt\0b"s, ErrorCode::InvalidArgument},
      {"\xFF.txt", ErrorCode::InvalidUtf8},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.path.substr(0, 40)) {
      const Error error = CatchError([&] { folder.root().Read(row.path); });
      BOOST_TEST_INFO(error.what());
      BOOST_CHECK(error.code() == row.code);
      BOOST_TEST(error.message().size() < 200u);
      BOOST_TEST(!folder.root().HasFile(row.path));
    }
  }
}

BOOST_AUTO_TEST_CASE(links_may_not_lead_out) {
  const Folder folder;
  std::error_code failed;
  fs::create_symlink(folder.path / "outside.txt", folder.path / "root" / "out.txt",
                     failed);
  if (failed) return;  // this system lets us make no links
  fs::create_directory_symlink(folder.path, folder.path / "root" / "up");
  fs::create_directory_symlink(folder.path / "root" / "lines",
                               folder.path / "root" / "in");
  fs::create_symlink("loop.txt", folder.path / "root" / "loop.txt");

  for (const char* path : {"out.txt", "up/outside.txt"}) {
    BOOST_CHECK(CatchError([&] { folder.root().Read(path); }).code() ==
                ErrorCode::StorageOutsideRoot);
  }
  BOOST_TEST(folder.root().Read("in/b.txt") == "three");
  BOOST_CHECK(CatchError([&] { folder.root().Read("loop.txt"); }).code() ==
              ErrorCode::StorageFileNotFound);
}

BOOST_AUTO_TEST_CASE(a_root_may_be_reached_through_a_link) {
  const Folder folder;
  std::error_code failed;
  fs::create_directory_symlink(folder.path / "root", folder.path / "link", failed);
  if (failed) return;

  BOOST_TEST(StorageRoot(folder.path / "link").Read("lines/b.txt") == "three");
}

BOOST_AUTO_TEST_CASE(a_file_over_the_limit_is_refused) {
  const Folder folder;
  folder.Write("root/huge.txt", std::string(StorageRoot::kMaxFileBytes + 1, 'x'));
  folder.Write("root/large.txt", std::string(StorageRoot::kMaxFileBytes, 'x'));

  BOOST_CHECK(CatchError([&] { folder.root().Read("huge.txt"); }).code() ==
              ErrorCode::StorageTooLarge);
  BOOST_TEST(folder.root().Read("large.txt").size() == StorageRoot::kMaxFileBytes);
}

BOOST_AUTO_TEST_CASE(a_root_is_a_folder) {
  const Folder folder;

  for (const char* path : {"root/a.txt", "missing"}) {
    BOOST_CHECK(CatchError([&] { StorageRoot(folder.path / path); }).code() ==
                ErrorCode::InvalidArgument);
  }
  BOOST_CHECK(CatchError([] { StorageRoot().Read("a.txt"); }).code() ==
              ErrorCode::StorageFileNotFound);
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(storage_registry)

BOOST_AUTO_TEST_CASE(a_reference_is_a_name_or_a_file) {
  const Folder folder;
  StorageRegistry registry(folder.root());
  registry.Add("greetings", StringStorage::List({"Aye."}, "s"));

  BOOST_TEST(Texts(*registry.Get("greetings", StorageKind::List)).front() == "Aye.");
  BOOST_TEST(Texts(*registry.Get("a.txt", StorageKind::List)).back() == "two");
  BOOST_TEST(Found(*registry.Get("m.json", StorageKind::Map), "k") == "v;");
  BOOST_TEST(Found(*registry.Get("mm.mm.json", StorageKind::Multimap), "k") == "v;w;");
}

BOOST_AUTO_TEST_CASE(what_cannot_be_had_is_named) {
  const Folder folder;
  folder.Write("root/bad.json", "[1]");
  StorageRegistry registry(folder.root());
  registry.Add("greetings", StringStorage::List({"Aye."}, "s"));
  const struct {
    const char* reference;
    StorageKind kind;
    ErrorCode code;
  } rows[] = {
      {"greetings", StorageKind::Map, ErrorCode::StorageKindMismatch},
      {"a.txt", StorageKind::Map, ErrorCode::StorageKindMismatch},
      {"m.json", StorageKind::List, ErrorCode::StorageKindMismatch},
      {"mm.mm.json", StorageKind::Map, ErrorCode::StorageKindMismatch},
      {"m.json", StorageKind::Multimap, ErrorCode::StorageKindMismatch},
      {"other.csv", StorageKind::List, ErrorCode::StorageKindMismatch},
      {"missing.json", StorageKind::List, ErrorCode::StorageFileNotFound},
      {"nobody", StorageKind::List, ErrorCode::StorageFileNotFound},
      {"../outside.txt", StorageKind::List, ErrorCode::StorageOutsideRoot},
      {"bad.json", StorageKind::Map, ErrorCode::MalformedStorage},
  };
  for (const auto& row : rows) {
    BOOST_TEST_CONTEXT(row.reference) {
      const Error error = CatchError([&] { registry.Get(row.reference, row.kind); });
      BOOST_CHECK(error.code() == row.code);
      BOOST_TEST(Contains(error.message(), row.reference));
    }
  }
}

BOOST_AUTO_TEST_CASE(a_name_that_is_also_a_file_is_refused) {
  const Folder folder;
  StorageRegistry registry(folder.root());
  const auto list = StringStorage::List({"x"}, "s");

  for (const char* name : {"a.txt", "lines/b.txt", "lines\\b.txt"}) {
    BOOST_CHECK(CatchError([&] { registry.Add(name, list); }).code() ==
                ErrorCode::StorageNameConflict);
  }
  registry.Add("later.txt", list);
  folder.Write("root/later.txt", "y");
  BOOST_CHECK(CatchError([&] {
                registry.Get("later.txt", StorageKind::List);
              }).code() == ErrorCode::StorageNameConflict);
}

BOOST_AUTO_TEST_CASE(names_need_no_root_and_are_unique) {
  StorageRegistry registry{StorageRoot()};
  const auto list = StringStorage::List({"x"}, "s");
  registry.Add("../a: b", list);  // a name is no path

  BOOST_CHECK(registry.Get("../a: b", StorageKind::List) == list);
  for (const auto& [name, code] : {std::pair{"../a: b"s, ErrorCode::InvalidArgument},
                                   {""s, ErrorCode::InvalidArgument},
                                   {"a\0"s, ErrorCode::InvalidArgument},
                                   {"\xFF"s, ErrorCode::InvalidUtf8}}) {
    BOOST_CHECK(CatchError([&] { registry.Add(name, list); }).code() == code);
  }
}

BOOST_AUTO_TEST_CASE(a_removed_storage_lives_on_where_it_is_used) {
  StorageRegistry registry{StorageRoot()};
  registry.Add("a", StringStorage::List({"x"}, "s"));
  const auto held = registry.Get("a", StorageKind::List);

  BOOST_TEST(registry.Remove("a"));
  BOOST_TEST(!registry.Remove("a"));
  BOOST_TEST(held->entry(0).text == "x");
  registry.Add("a", StringStorage::List({"y"}, "s"));
  BOOST_TEST(registry.Get("a", StorageKind::List)->entry(0).text == "y");
}

BOOST_AUTO_TEST_CASE(threads_may_add_get_and_remove_at_once) {
  StorageRegistry registry{StorageRoot()};
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back(
        [&registry, &wrong, name = std::string(1, static_cast<char>('a' + t))] {
          for (int i = 0; i < 500; ++i) {
            registry.Add(name, StringStorage::List({name}, "s"));
            wrong += registry.Get(name, StorageKind::List)->entry(0).text != name;
            wrong += !registry.Remove(name);
          }
        });
  }
  for (std::thread& thread : threads) thread.join();

  BOOST_TEST(wrong == 0);
}

BOOST_AUTO_TEST_SUITE_END()
