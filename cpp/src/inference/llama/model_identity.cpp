#include "inference/llama/model_identity.h"

#include <gguf.h>
#include <llama.h>

#include <algorithm>
#include <array>
#include <boost/hash2/sha2.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>

#include "inference/llama/gguf_metadata.h"
#include "talefold/error.h"

namespace talefold {

namespace {

constexpr std::size_t kHashedWhole = std::size_t{16} << 20;  // bytes of a file
constexpr std::size_t kSample = 4096;                        // bytes of a tensor

std::ifstream Open(const std::string& path) {
  return std::ifstream(std::filesystem::u8path(path), std::ios::binary);
}

// The other files of a model in several, by llama.cpp's naming; empty for one file.
std::vector<std::string> OtherFiles(const std::string& path) {
  if (path.find("-of-") == path.npos) return {};
  const GgufMetadata metadata(path);
  if (!metadata.readable()) return {};
  const auto count = static_cast<std::int32_t>(metadata.Number16("split.count", 1));
  std::array<char, 4096> prefix = {};
  std::vector<std::string> others;
  if (count < 2 ||
      llama_split_prefix(prefix.data(), prefix.size(), path.c_str(), 0, count) <= 0) {
    return others;
  }
  for (std::int32_t i = 1; i < count; ++i) {
    std::array<char, 4096> other = {};
    llama_split_path(other.data(), other.size(), prefix.data(), i, count);
    others.emplace_back(other.data());
  }
  return others;
}

// A file that is read here and there.
class Source {
 public:
  explicit Source(std::ifstream& file) : file_(file) {
    file_.clear();
    file_.seekg(0, std::ios::end);
    size_ = file_ ? static_cast<std::uint64_t>(file_.tellg()) : 0;
  }

  std::uint64_t size() const { return size_; }
  bool failed() const { return size_ == 0 || !file_; }

  std::size_t Read(void* out, std::uint64_t offset, std::size_t length) {
    if (offset != at_ || !file_) {  // seeking throws away what was read ahead
      file_.clear();
      file_.seekg(static_cast<std::streamoff>(offset));
    }
    file_.read(static_cast<char*>(out), static_cast<std::streamsize>(length));
    const auto count = static_cast<std::size_t>(file_.gcount());
    at_ = offset + count;
    return count;
  }

 private:
  std::ifstream& file_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = std::numeric_limits<std::uint64_t>::max();  // unknown at first
};

using Gguf = std::unique_ptr<gguf_context, decltype(&gguf_free)>;

Gguf ReadHeader(Source& source) {
  const auto read = [](void* data, void* out, std::uint64_t offset,
                       std::size_t length) {
    return static_cast<Source*>(data)->Read(out, offset, length);
  };
  return {gguf_init_from_callback(read, &source, 0, source.size(),
                                  {.no_alloc = true, .ctx = nullptr}),
          &gguf_free};
}

class Hash {
 public:
  // False when the file ends before.
  bool Add(Source& source, std::uint64_t begin, std::uint64_t length) {
    std::vector<char> block(std::size_t{1} << 20);
    while (length > 0) {
      const auto wanted =
          static_cast<std::size_t>(std::min<std::uint64_t>(length, block.size()));
      if (source.Read(block.data(), begin, wanted) != wanted) return false;
      sha_.update(block.data(), wanted);
      begin += wanted;
      length -= wanted;
    }
    return true;
  }
  void Add(const std::string& text) { sha_.update(text.data(), text.size()); }
  std::string Digits() { return to_string(sha_.result()); }

 private:
  boost::hash2::sha2_256 sha_;
};

// False when the file cannot be read.
bool AddFile(Hash& hash, std::ifstream& file) {
  Source source(file);
  if (source.failed()) return false;
  hash.Add(std::to_string(source.size()) + " bytes\n");
  if (source.size() <= kHashedWhole) return hash.Add(source, 0, source.size());
  const Gguf gguf = ReadHeader(source);
  if (!gguf) return false;
  const std::uint64_t data = gguf_get_data_offset(gguf.get());
  if (!hash.Add(source, 0, std::min(data, source.size()))) return false;
  for (std::int64_t i = 0; i < gguf_get_n_tensors(gguf.get()); ++i) {
    const std::uint64_t size = gguf_get_tensor_size(gguf.get(), i);
    const std::uint64_t length = std::min<std::uint64_t>(size, kSample);
    const std::uint64_t middle = (size - length) / 2;
    const std::uint64_t begin = data + gguf_get_tensor_offset(gguf.get(), i) + middle;
    if (!hash.Add(source, begin, length)) return false;
  }
  return true;
}

}  // namespace

std::string Sha256(std::string_view bytes) {
  boost::hash2::sha2_256 sha;
  sha.update(bytes.data(), bytes.size());
  return to_string(sha.result());
}

ModelIdentity::ModelIdentity(std::string path) : path_(std::move(path)) {
  files_.push_back(Open(path_));
  for (const std::string& other : OtherFiles(path_)) files_.push_back(Open(other));
}

const std::string& ModelIdentity::hash() {
  std::lock_guard lock(mutex_);
  if (!hash_.empty()) return hash_;
  Hash hash;
  for (std::ifstream& file : files_) {
    if (AddFile(hash, file)) continue;
    throw Error(ErrorCode::InferenceFailed,
                "'" + path_ +
                    "' cannot be read any more, so nothing tells which model "
                    "its KV cache belongs to",
                "keep model files readable while they are loaded");
  }
  return hash_ = hash.Digits();
}

}  // namespace talefold
