#include "inference/kv/kv_archive.h"

#include <algorithm>
#include <boost/endian/conversion.hpp>
#include <boost/hash2/xxhash.hpp>
#include <cstdint>
#include <cstring>
#include <set>

#include "base/json.h"

namespace talefold {

namespace {

namespace endian = boost::endian;

constexpr std::string_view kMagic = "TFOLDKV\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kVersionAt = 8;
constexpr std::size_t kHeaderSizeAt = 12;
constexpr std::size_t kTotalAt = 16;
constexpr std::size_t kHeaderAt = 24;
constexpr std::size_t kChecksumSize = 8;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) {
  return reinterpret_cast<unsigned char*>(text.data());
}

std::uint64_t Checksum(std::string_view bytes) {
  boost::hash2::xxhash_64 hash;
  hash.update(bytes.data(), bytes.size());
  return hash.result();
}

std::size_t ContentSize(const StateShape& shape) {
  return shape.tokens * sizeof(Token) + shape.bytes;
}

// The list of entries, and how much they take.
class Header {
 public:
  void Add(const std::string& node, const StateShape& shape) {
    json::object identity;
    for (const auto& [field, value] : shape.identity) identity[field] = value;
    entries_.push_back(json::object{{"node", node},
                                    {"identity", std::move(identity)},
                                    {"tokens", shape.tokens},
                                    {"in_whole_chunks", shape.in_whole_chunks},
                                    {"bytes", shape.bytes}});
    content_ += ContentSize(shape);
  }
  std::string Text() const {
    return json::serialize(json::object{{"entries", entries_}});
  }
  // Of the whole archive with a header of this text.
  std::size_t ArchiveSize(std::string_view text) const {
    return kHeaderAt + text.size() + content_ + kChecksumSize;
  }

 private:
  json::array entries_;
  std::size_t content_ = 0;
};

Error Damaged(const std::string& problem) {
  return KvRejection("", "", "the KV bytes are damaged: " + problem);
}

// --- Reading -------------------------------------------------------------------------

// Up to and with the checksum. Returns the header's length.
std::size_t CheckFrame(std::string_view archive) {
  if (!archive.starts_with(kMagic)) {
    throw KvRejection("", "", "these are no KV bytes of Talefold");
  }
  if (archive.size() < kHeaderAt + kChecksumSize) {
    throw Damaged("only " + std::to_string(archive.size()) + " bytes are left");
  }
  const std::uint32_t version =
      endian::load_little_u32(Bytes(archive.substr(kVersionAt)));
  if (version != kVersion) {
    throw KvRejection("", "version",
                      "the KV bytes have format version " + std::to_string(version) +
                          "; this library reads " + std::to_string(kVersion));
  }
  const std::uint64_t total = endian::load_little_u64(Bytes(archive.substr(kTotalAt)));
  if (total != archive.size()) {
    throw Damaged(std::to_string(archive.size()) + " of " + std::to_string(total) +
                  " bytes are there");
  }
  const std::size_t end = archive.size() - kChecksumSize;
  if (Checksum(archive.substr(0, end)) !=
      endian::load_little_u64(Bytes(archive.substr(end)))) {
    throw Damaged("the checksum differs");
  }
  const std::size_t header =
      endian::load_little_u32(Bytes(archive.substr(kHeaderSizeAt)));
  if (header > end - kHeaderAt) throw Damaged("the header ends behind the end");
  return header;
}

const json::value& Member(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (!value) throw Damaged("the header lacks '" + std::string(key) + "'");
  return *value;
}

const json::object& Object(const json::value& value, std::size_t members) {
  const json::object* object = value.if_object();
  if (!object || (members > 0 && object->size() != members)) {
    throw Damaged("the header is none of this format version");
  }
  return *object;
}

std::string Text(const json::value& value) {
  if (!value.is_string()) throw Damaged("the header has no text where one must be");
  return std::string(value.get_string());
}

// At most `limit`, which the archive's length sets.
std::size_t Number(const json::object& object, std::string_view key,
                   std::size_t limit) {
  const json::value& value = Member(object, key);
  if (!value.is_int64() || value.get_int64() < 0 ||
      static_cast<std::uint64_t>(value.get_int64()) > limit) {
    throw Damaged("'" + std::string(key) + "' of the header is " + DescribeJson(value) +
                  "; allowed 0 to " + std::to_string(limit));
  }
  return static_cast<std::size_t>(value.get_int64());
}

// Takes the entry's content from the front of `content`.
NodeStateView ReadEntry(const json::value& value, std::string_view& content) {
  const json::object& object = Object(value, 5);
  NodeStateView entry;
  entry.node = Text(Member(object, "node"));
  for (const auto& field : Object(Member(object, "identity"), 0)) {
    entry.state.shape.identity.emplace_back(field.key(), Text(field.value()));
  }
  StateShape& shape = entry.state.shape;
  shape.tokens = Number(object, "tokens", content.size() / sizeof(Token));
  shape.in_whole_chunks = Number(object, "in_whole_chunks", shape.tokens);
  const std::size_t ids = shape.tokens * sizeof(Token);
  shape.bytes = Number(object, "bytes", content.size() - ids);
  for (std::size_t at = 0; at < ids; at += sizeof(Token)) {
    entry.state.tokens.push_back(endian::load_little_s32(Bytes(content.substr(at))));
  }
  entry.state.bytes = std::as_bytes(std::span(content.substr(ids, shape.bytes)));
  content.remove_prefix(ContentSize(shape));
  return entry;
}

}  // namespace

std::size_t KvArchiveSize(std::span<const NodeStateShape> shapes) {
  Header header;
  for (const auto& [node, shape] : shapes) header.Add(node, shape);
  return header.ArchiveSize(header.Text());
}

std::string WriteKvArchive(std::vector<NodeState> states) {
  Header header;
  for (const auto& [node, state] : states) header.Add(node, state.shape);
  const std::string text = header.Text();

  std::string archive(kMagic);
  archive.reserve(header.ArchiveSize(text));
  archive.resize(kHeaderAt);
  archive += text;
  for (auto& [node, state] : states) {
    for (const Token id : state.tokens) {
      unsigned char bytes[sizeof(Token)];
      endian::store_little_s32(bytes, id);
      archive.append(reinterpret_cast<const char*>(bytes), sizeof(bytes));
    }
    archive.append(reinterpret_cast<const char*>(state.bytes.data()),
                   state.bytes.size());
    state = {};
  }
  const std::size_t end = archive.size();
  archive.resize(end + kChecksumSize);
  unsigned char* bytes = Bytes(archive);
  endian::store_little_u32(bytes + kVersionAt, kVersion);
  endian::store_little_u32(bytes + kHeaderSizeAt,
                           static_cast<std::uint32_t>(text.size()));
  endian::store_little_u64(bytes + kTotalAt, archive.size());
  endian::store_little_u64(bytes + end,
                           Checksum(std::string_view(archive).substr(0, end)));
  return archive;
}

std::vector<NodeStateView> ReadKvArchive(std::string_view archive) {
  const std::size_t header_size = CheckFrame(archive);
  const json::value header = ParseJson(archive.substr(kHeaderAt, header_size),
                                       ErrorCode::KvRejected, "header of the KV bytes");
  const json::value& listed = Member(Object(header, 1), "entries");
  if (!listed.is_array()) throw Damaged("the header lists no entries");
  std::string_view content = archive.substr(kHeaderAt + header_size);
  content.remove_suffix(kChecksumSize);
  std::vector<NodeStateView> entries;
  std::set<std::string> nodes;
  for (const json::value& value : listed.get_array()) {
    entries.push_back(ReadEntry(value, content));
    if (!nodes.insert(entries.back().node).second) {
      throw KvRejection(entries.back().node, "", "it has two entries");
    }
  }
  if (!content.empty()) {
    throw Damaged(std::to_string(content.size()) + " bytes belong to no entry");
  }
  return entries;
}

}  // namespace talefold
