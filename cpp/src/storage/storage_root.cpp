#include "storage/storage_root.h"

#include <algorithm>
#include <fstream>
#include <limits>
#include <system_error>

#include "base/json.h"
#include "base/text.h"
#include "talefold/error.h"

namespace talefold {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunkBytes = 1 << 20;  // read at a time

std::string Quoted(std::string_view path) {
  return "storage path " + DescribeJson(json::value(path));
}

[[noreturn]] void FailOutside(std::string_view path, const std::string& reason) {
  throw Error(ErrorCode::StorageOutsideRoot, Quoted(path) + " " + reason,
              "give a path relative to the storage root, such as \"lines/edric.txt\"");
}

[[noreturn]] void FailNotFound(std::string_view path, const std::string& reason) {
  throw Error(
      ErrorCode::StorageFileNotFound, Quoted(path) + " " + reason,
      "check the path; a storage that has a name must be there before the agent");
}

fs::path Utf8Path(std::string_view text) {
  return fs::path(std::u8string(text.begin(), text.end()));
}

// Windows ignores dots and blanks at the end of a name, so ".. " leads upwards there.
bool LeadsUpwards(std::string_view part) {
  return part.size() > 1 && part.starts_with('.') &&
         part.find_first_not_of(". ") == part.npos;
}

// What a path says by itself, the same on every platform: a file name with a colon is
// possible on some, and a drive or a stream of a file on others.
void CheckRelative(std::string_view path) {
  if (path.starts_with('/') || path.starts_with('\\')) FailOutside(path, "is absolute");
  if (path.find(':') != path.npos) {
    FailOutside(path, "has a colon, which may name a drive");
  }
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find_first_of("/\\", begin), path.size());
    if (LeadsUpwards(path.substr(begin, end - begin))) {
      FailOutside(path, "leads upwards");
    }
    begin = end + 1;
  }
}

bool IsInside(const fs::path& path, const fs::path& root) {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first ==
         root.end();
}

}  // namespace

StorageRoot::StorageRoot(const fs::path& folder) {
  std::error_code error;
  root_ = fs::canonical(folder, error);
  if (!error && fs::is_directory(root_, error)) return;
  const std::u8string name = folder.u8string();
  throw Error(
      ErrorCode::InvalidArgument,
      "storage root '" + std::string(name.begin(), name.end()) + "' is not a folder");
}

bool StorageRoot::HasFile(std::string_view path) const {
  try {
    Resolve(path);
    return true;
  } catch (const Error&) {
    return false;
  }
}

// The canonical path of a regular file inside the root.
fs::path StorageRoot::Resolve(std::string_view path) const {
  CheckText(path, "a storage path", std::numeric_limits<std::int64_t>::max());
  CheckRelative(path);
  if (root_.empty()) {
    throw Error(ErrorCode::StorageFileNotFound,
                Quoted(path) + " cannot be looked up: the engine has no storage root",
                "set the engine's storage root");
  }
  std::string portable(path);
  std::ranges::replace(portable, '\\', '/');
  std::error_code error;
  const fs::path resolved = fs::canonical(root_ / Utf8Path(portable), error);
  if (error) {
    FailNotFound(path, "does not exist under the storage root: " + error.message());
  }
  if (!IsInside(resolved, root_)) FailOutside(path, "is a link that leads out");
  if (!fs::is_regular_file(resolved, error)) FailNotFound(path, "is not a file");
  return resolved;
}

std::string StorageRoot::Read(std::string_view path, std::size_t max_bytes) const {
  const fs::path resolved = Resolve(path);
  std::ifstream file(resolved, std::ios::binary);
  if (!file) {
    throw Error(ErrorCode::StorageFileUnreadable, Quoted(path) + " cannot be opened");
  }
  // Up to the limit, whatever size the file system reports.
  std::string content;
  while (file && content.size() <= max_bytes) {
    const std::size_t begin = content.size();
    content.resize(std::min(begin + kChunkBytes, max_bytes + 1));
    file.read(content.data() + begin,
              static_cast<std::streamsize>(content.size() - begin));
    content.resize(begin + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) {
    throw Error(ErrorCode::StorageFileUnreadable, Quoted(path) + " cannot be read");
  }
  if (content.size() > max_bytes) {
    throw Error(ErrorCode::StorageTooLarge, Quoted(path) + " has more than " +
                                                std::to_string(max_bytes) + " bytes");
  }
  content.shrink_to_fit();
  return content;
}

}  // namespace talefold
