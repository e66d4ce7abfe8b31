#include "storage/cache/resource_cache.h"

#include <functional>
#include <utility>

namespace storage {
namespace {

// Map node, list node, control block and vector, roughly.
constexpr std::size_t kOverheadBytes = 256;

std::size_t CostOf(const CachedResource& resource) {
  return resource.bytes.capacity() + kOverheadBytes +
         resource.view.references.capacity() * sizeof(std::string_view);
}

}  // namespace

ResourceCache::ResourceCache(std::size_t capacity_bytes)
    : shard_capacity_(capacity_bytes / kShards) {}

std::size_t ResourceCache::KeyHash::operator()(const Key& key) const {
  const std::hash<std::string_view> hash;
  return hash(key.id) ^ (hash(key.type) * 0x9E3779B97F4A7C15u);
}

ResourceCache::Shard& ResourceCache::ShardOf(const Key& key) {
  // The map in the shard uses the low bits.
  return shards_[(KeyHash()(key) >> 40) % kShards];
}

std::shared_ptr<const CachedResource> ResourceCache::Find(std::string_view type,
                                                          std::string_view id) {
  const Key key{type, id};
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mu);
  const auto found = shard.by_key.find(key);
  if (found == shard.by_key.end()) return nullptr;
  shard.uses.splice(shard.uses.begin(), shard.uses, found->second);
  return *found->second;
}

void ResourceCache::Offer(std::shared_ptr<const CachedResource> resource, std::uint64_t read_at) {
  Shard& shard = ShardOf({resource->view.type, resource->view.id});
  const std::lock_guard lock(shard.mu);
  if (shard.changed_at > read_at) return;
  shard.Insert(std::move(resource), shard_capacity_);
}

void ResourceCache::Replace(std::shared_ptr<const CachedResource> resource, std::uint64_t t) {
  Shard& shard = ShardOf({resource->view.type, resource->view.id});
  const std::lock_guard lock(shard.mu);
  shard.changed_at = t;
  shard.Insert(std::move(resource), shard_capacity_);
}

void ResourceCache::Erase(std::string_view type, std::string_view id, std::uint64_t t) {
  const Key key{type, id};
  Shard& shard = ShardOf(key);
  const std::lock_guard lock(shard.mu);
  shard.changed_at = t;
  shard.Remove(key);
}

void ResourceCache::Shard::Insert(std::shared_ptr<const CachedResource> resource,
                                  std::size_t capacity) {
  const Key key{resource->view.type, resource->view.id};
  Remove(key);
  // One resource must not push out a whole shard.
  const std::size_t cost = CostOf(*resource);
  if (cost > capacity / 4) return;
  while (bytes + cost > capacity) Remove({uses.back()->view.type, uses.back()->view.id});
  uses.push_front(std::move(resource));
  by_key.emplace(key, uses.begin());
  bytes += cost;
}

void ResourceCache::Shard::Remove(const Key& key) {
  const auto found = by_key.find(key);
  if (found == by_key.end()) return;
  // The map's key points into the resource: it goes first.
  const auto use = found->second;
  by_key.erase(found);
  bytes -= CostOf(**use);
  uses.erase(use);
}

std::shared_ptr<const CachedResource> MakeCached(std::string_view value) {
  auto cached = std::make_shared<CachedResource>();
  cached->bytes = value;
  if (!ParseResource(cached->bytes, &cached->view)) return nullptr;
  return cached;
}

}  // namespace storage
