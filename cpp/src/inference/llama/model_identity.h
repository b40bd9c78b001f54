// What tells the content of one GGUF file from that of another.
#pragma once

#include <fstream>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace talefold {

// SHA-256 in hexadecimal digits.
std::string Sha256(std::string_view bytes);

// Any thread. Owned by what loaded the file.
class ModelIdentity {
 public:
  // Opens the file and, of a model in several files, the others: what later takes their
  // names is not what was loaded.
  explicit ModelIdentity(std::string path);

  // SHA-256 over header (metadata and tensor table), size and a sample of each tensor,
  // or all of a small file. The first call reads, at most some 10 MB beside the header.
  // Throws InferenceFailed when the file cannot be read.
  const std::string& hash();

 private:
  const std::string path_;
  std::mutex mutex_;
  std::vector<std::ifstream> files_;  // guarded by mutex_
  std::string hash_;                  // empty before the first call; guarded by mutex_
};

}  // namespace talefold
