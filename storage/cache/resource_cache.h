// storage/cache/resource_cache.h
//
// Current resources, ready to send, by type and id. Least recently used ones go
// when the bytes are more than allowed.
//
// A reader puts in what it read at a snapshot; by then the commit thread may have written a newer
// version. So each shard keeps the t of its last change, and takes nothing that was read before it.
//
// Owner: the engine. Thread-safety: thread-safe. Blocking: no.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "storage/resource.h"

namespace storage {

class ResourceCache {
 public:
  explicit ResourceCache(std::size_t capacity_bytes);

  // Null if it is not there.
  std::shared_ptr<const CachedResource> Find(std::string_view type, std::string_view id);

  // What a reader found at a snapshot of transaction `read_at`.
  void Offer(std::shared_ptr<const CachedResource> resource, std::uint64_t read_at);

  // For the commit thread alone, before it answers: transaction `t` made this the current version.
  void Replace(std::shared_ptr<const CachedResource> resource, std::uint64_t t);
  // The same, for a deletion or a version that is not worth keeping.
  void Erase(std::string_view type, std::string_view id, std::uint64_t t);

 private:
  struct Key {
    std::string_view type;
    std::string_view id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  using Uses = std::list<std::shared_ptr<const CachedResource>>;

  struct Shard {
    std::mutex mu;
    // Guarded by mu:
    Uses uses;                                                // Most recently used first.
    std::unordered_map<Key, Uses::iterator, KeyHash> by_key;  // Keys point into the resources.
    std::size_t bytes = 0;
    std::uint64_t changed_at = 0;

    void Insert(std::shared_ptr<const CachedResource> resource, std::size_t capacity);
    void Remove(const Key& key);
  };

  Shard& ShardOf(const Key& key);

  static constexpr std::size_t kShards = 64;
  std::size_t shard_capacity_;
  std::array<Shard, kShards> shards_;
};

// A resource with bytes of its own. Null if `value` is no resource value.
std::shared_ptr<const CachedResource> MakeCached(std::string_view value);

}  // namespace storage
