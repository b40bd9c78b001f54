#include "inference/kv/kv_archive.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <boost/hash2/xxhash.hpp>
#include <boost/test/unit_test.hpp>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "token_lists.h"

using namespace talefold;
using talefold::testing::Count;

namespace {

NodeState Entry(const std::string& node, std::size_t tokens, Token first = 0) {
  NodeState entry{node, {}};
  entry.state.tokens = Count(tokens, first);
  entry.state.bytes.assign(3 * tokens, std::byte{7});
  entry.state.shape.identity = {{"model", "abc"}, {"slots", "5"}};
  entry.state.shape.tokens = tokens;
  entry.state.shape.in_whole_chunks = tokens / 2;
  entry.state.shape.bytes = 3 * tokens;
  return entry;
}

std::string Archive() { return WriteKvArchive({Entry("talk", 4), Entry("think", 3)}); }

// A frame with a right length and checksum around any header and content.
std::string Frame(const std::string& header, const std::string& content,
                  std::uint32_t version = 1) {
  std::string frame = "TFOLDKV\n" + std::string(16, '\0') + header + content;
  auto* bytes = reinterpret_cast<unsigned char*>(frame.data());
  boost::endian::store_little_u32(bytes + 8, version);
  boost::endian::store_little_u32(bytes + 12,
                                  static_cast<std::uint32_t>(header.size()));
  boost::endian::store_little_u64(bytes + 16, frame.size() + 8);
  boost::hash2::xxhash_64 hash;
  hash.update(frame.data(), frame.size());
  unsigned char checksum[8];
  boost::endian::store_little_u64(checksum, hash.result());
  return frame + std::string(reinterpret_cast<const char*>(checksum), 8);
}

std::string Header(const std::string& entries) {
  return "{\"entries\":[" + entries + "]}";
}
std::string EntryJson(const std::string& node, const std::string& tokens,
                      const std::string& chunks, const std::string& bytes) {
  return R"({"node":")" + node + R"(","identity":{"model":"abc"},"tokens":)" + tokens +
         R"(,"in_whole_chunks":)" + chunks + R"(,"bytes":)" + bytes + "}";
}

// Empty when it was accepted.
std::string RejectionOf(const std::string& archive) {
  try {
    ReadKvArchive(archive);
  } catch (const Error& error) {
    BOOST_TEST((error.code() == ErrorCode::KvRejected));
    return error.message();
  }
  return "";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(kv_archive)

BOOST_AUTO_TEST_CASE(a_round_trip_keeps_everything) {
  const std::string archive = Archive();
  const auto entries = ReadKvArchive(archive);
  BOOST_REQUIRE_EQUAL(entries.size(), 2U);
  const NodeState expected = Entry("talk", 4);
  BOOST_TEST(entries[0].node == "talk");
  BOOST_TEST(entries[1].node == "think");
  const StateView& state = entries[0].state;
  BOOST_TEST((state.shape.identity == expected.state.shape.identity));
  BOOST_TEST(state.shape.in_whole_chunks == 2U);
  BOOST_TEST((state.tokens == expected.state.tokens));
  BOOST_TEST(std::ranges::equal(state.bytes, expected.state.bytes));
}

BOOST_AUTO_TEST_CASE(the_size_is_known_beforehand) {
  std::vector<NodeStateShape> shapes;
  for (const std::size_t tokens : {0U, 1U, 9U, 10U, 100U, 12345U}) {
    const NodeState entry = Entry("node \"" + std::to_string(tokens), tokens);
    shapes.push_back({entry.node, entry.state.shape});
    std::vector<NodeState> states;
    for (const auto& [node, shape] : shapes)
      states.push_back(Entry(node, shape.tokens));
    BOOST_TEST(KvArchiveSize(shapes) == WriteKvArchive(std::move(states)).size());
  }
  BOOST_TEST(KvArchiveSize({}) == WriteKvArchive({}).size());
}

BOOST_AUTO_TEST_CASE(an_archive_of_nothing_is_one) {
  BOOST_TEST(ReadKvArchive(WriteKvArchive({})).empty());
}

BOOST_AUTO_TEST_CASE(the_format_is_the_documented_one) {
  const std::string content = std::string("\1\0\0\0\2\0\0\0", 8) + "abc";
  const std::string frame = Frame(Header(EntryJson("talk", "2", "1", "3")), content);
  const auto entries = ReadKvArchive(frame);
  BOOST_TEST((entries[0].state.tokens == testing::Ids{1, 2}));
  BOOST_TEST(entries[0].state.bytes.size() == 3U);
}

BOOST_AUTO_TEST_CASE(what_is_not_as_written_is_rejected) {
  struct Case {
    const char* name;
    std::string archive;
    std::string named;
  };
  const std::string eight(8, '\0');
  const std::string ok = EntryJson("talk", "2", "1", "0");
  const auto one = [&](const std::string& entry) {
    return Frame(Header(entry), eight);
  };
  const std::vector<Case> cases = {
      {"empty", "", "no KV bytes"},
      {"another file", "GGUF and so on, and on, and on", "no KV bytes"},
      {"magic alone", "TFOLDKV\n", "only 8 bytes"},
      {"newer version", Frame(Header(ok), eight, 2), "version 2; this library reads 1"},
      {"version 0", Frame(Header(ok), eight, 0), "version 0"},
      {"trailing byte", Archive() + "x", "bytes are there"},
      {"header is no JSON", Frame("{", ""), "header"},
      {"header is a list", Frame("[]", ""), "header"},
      {"header without entries", Frame("{}", ""), "header"},
      {"header with more", Frame(R"({"entries":[],"more":1})", ""), "header"},
      {"entries are no list", Frame(R"({"entries":1})", ""), "no entries"},
      {"entry is no object", Frame(Header("1"), ""), "header"},
      {"entry without a node", one(R"({"identity":{},"tokens":2,"bytes":0})"),
       "header"},
      {"node is a number",
       one(R"({"node":1,"identity":{},"tokens":2,"in_whole_chunks":0,"bytes":0})"),
       "no text"},
      {"identity is a number",
       one(R"({"node":"a","identity":1,"tokens":2,"in_whole_chunks":0,"bytes":0})"),
       "header"},
      {"identity holds a number",
       one(R"({"node":"a","identity":{"b":1},"tokens":2,"in_whole_chunks":0,"bytes":0})"),
       "no text"},
      {"negative tokens", one(EntryJson("talk", "-1", "0", "0")), "'tokens'"},
      {"broken tokens", one(EntryJson("talk", "1.5", "0", "0")), "'tokens'"},
      {"more tokens than there are", one(EntryJson("talk", "3", "0", "0")), "'tokens'"},
      {"tokens that overflow", one(EntryJson("talk", "4611686018427387905", "0", "0")),
       "'tokens'"},
      {"tokens beyond 64 bits",
       one(EntryJson("talk", "18446744073709551615", "0", "0")), "'tokens'"},
      {"more chunks than tokens", one(EntryJson("talk", "2", "3", "0")),
       "'in_whole_chunks'"},
      {"more bytes than there are", one(EntryJson("talk", "2", "0", "1")), "'bytes'"},
      {"fewer bytes than there are", one(EntryJson("talk", "1", "0", "3")),
       "belong to no entry"},
      {"a node twice",
       one(EntryJson("talk", "1", "0", "0") + "," + EntryJson("talk", "1", "0", "0")),
       "node 'talk': it has two entries"},
      {"a key twice", Frame(R"({"entries":[],"entries":[]})", ""), "header"},
  };
  for (const Case& test : cases) {
    BOOST_TEST_CONTEXT(test.name) {
      const std::string message = RejectionOf(test.archive);
      BOOST_TEST(message.find(test.named) != std::string::npos, message);
    }
  }
  BOOST_TEST(RejectionOf(one(ok)) == "");
}

BOOST_AUTO_TEST_CASE(every_truncation_is_rejected) {
  const std::string archive = Archive();
  for (std::size_t size = 0; size < archive.size(); ++size) {
    BOOST_TEST(RejectionOf(archive.substr(0, size)) != "", size);
  }
}

BOOST_AUTO_TEST_CASE(every_flipped_bit_is_rejected) {
  const std::string archive = Archive();
  for (std::size_t bit = 0; bit < 8 * archive.size(); ++bit) {
    std::string damaged = archive;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    BOOST_TEST(RejectionOf(damaged) != "", bit);
  }
}

BOOST_AUTO_TEST_CASE(every_splice_of_two_archives_is_rejected) {
  const std::string first = Archive();
  const std::string second =
      WriteKvArchive({Entry("talk", 4, 9), Entry("think", 3, 9)});
  BOOST_REQUIRE_EQUAL(first.size(), second.size());
  std::mt19937 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::size_t from = random() % first.size();
    const std::size_t to = random() % second.size();
    const std::string spliced = first.substr(0, from) + second.substr(to);
    if (spliced == first || spliced == second) continue;
    BOOST_TEST(RejectionOf(spliced) != "");
  }
}

BOOST_AUTO_TEST_CASE(identities_are_compared_field_by_field) {
  const StateIdentity here = {{"model", "abc"}, {"kv_type", "f16"}};
  struct Case {
    StateIdentity saved;
    std::string message;
  };
  const Case cases[] = {
      {{{"model", "abd"}, {"kv_type", "f16"}},
       "node 'talk', field 'model': saved with 'abd'; here it is 'abc'"},
      {{{"model", "abc"}},
       "node 'talk', field 'kv_type': it is 'f16' here; the file has none"},
      {{{"model", "abc"}, {"kv_type", "f16"}, {"more", "1"}},
       "node 'talk', field 'more': saved with '1'; nothing here has this field"},
  };
  for (const auto& [saved, message] : cases) {
    BOOST_CHECK_EXCEPTION(
        CheckIdentity("talk", saved, here), Error, [&](const Error& error) {
          return error.code() == ErrorCode::KvRejected && error.message() == message;
        });
  }
  BOOST_CHECK_NO_THROW(
      CheckIdentity("talk", {{"kv_type", "f16"}, {"model", "abc"}}, here));
}

BOOST_AUTO_TEST_SUITE_END()
