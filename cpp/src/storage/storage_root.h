// The folder that holds a game's storage files, and nothing outside it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace talefold {

// Immutable; any thread may call it. Paths are UTF-8, relative to the root; folders are
// parted by / or \ on every platform, so that content moves between platforms.
class StorageRoot {
 public:
  static constexpr std::size_t kMaxFileBytes = 16 << 20;  // of string storages

  StorageRoot() = default;  // no root: no file is found
  // Throws InvalidArgument when `folder` is not a folder.
  explicit StorageRoot(const std::filesystem::path& folder);

  // Whether `path` names a regular file inside the root; false also for a path that
  // Read refuses.
  bool HasFile(std::string_view path) const;

  // The bytes of a file. Throws StorageOutsideRoot (an absolute path, a drive letter or
  // other colon, a part "..", a link that leads out), StorageFileNotFound (nothing is
  // there, or no regular file), StorageFileUnreadable, StorageTooLarge (over
  // `max_bytes`), InvalidArgument (a NUL character) or InvalidUtf8.
  std::string Read(std::string_view path, std::size_t max_bytes = kMaxFileBytes) const;

 private:
  std::filesystem::path Resolve(std::string_view path) const;

  std::filesystem::path root_;  // canonical; empty = none
};

}  // namespace talefold
