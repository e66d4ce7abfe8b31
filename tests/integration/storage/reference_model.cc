#include "tests/integration/storage/reference_model.h"

#include <algorithm>
#include <optional>

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::IndexEntries;
using fhir::search::IndexId;
using fhir::search::SortKey;
using fhir::search::SortRange;
using Resource = ReferenceModel::Resource;

bool Has(const Resource& resource, IndexId index, const std::string& value) {
  const auto& list = resource.entries.List();
  return std::any_of(list.begin(), list.end(), [&](const IndexEntries::Entry& entry) {
    return entry.index == index && resource.entries.ValueOf(entry) == value;
  });
}

bool RefersTo(const Resource& resource, const std::vector<IndexId>& indexes,
              const std::string& type, const std::string& id) {
  const std::string value = '\x01' + type + "/" + id + '\0';
  return std::any_of(indexes.begin(), indexes.end(),
                     [&](IndexId index) { return Has(resource, index, value); });
}

// What decides for one key; nothing if the resource has no value.
std::optional<std::string> KeyOf(const std::string& id, const Resource& resource,
                                 const SortKey& key) {
  if (key.kind == SortKey::Kind::kId) return id;
  std::optional<std::string> best;
  for (const SortRange& range : key.ranges) {
    for (const IndexEntries::Entry& entry : resource.entries.List()) {
      const std::string_view value = resource.entries.ValueOf(entry);
      if (entry.index != range.index || !value.starts_with(range.prefix)) continue;
      const std::string order(value.substr(range.prefix.size()));
      if (!best || (key.descending ? order > *best : order < *best)) best = order;
    }
  }
  return best;
}

}  // namespace

void ReferenceModel::Apply(const std::vector<Write>& writes, std::int64_t instant_ms) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kDelete) {
      types_[write.type].erase(write.id);
    } else {
      types_[write.type][write.id] = {write.entries, next_, instant_ms};
    }
    ++next_;
  }
}

const std::map<std::string, Resource>& ReferenceModel::Of(const std::string& type) const {
  static const std::map<std::string, Resource> kNone;
  const auto found = types_.find(type);
  return found == types_.end() ? kNone : found->second;
}

bool ReferenceModel::Matches(const std::string& type, const std::string& id,
                             const Resource& resource, const Expression& where) const {
  const auto child_matches = [&](const Expression& child) {
    return Matches(type, id, resource, child);
  };
  const auto& children = where.children;
  switch (where.kind) {
    case Expression::Kind::kAnd:
      return std::all_of(children.begin(), children.end(), child_matches);
    case Expression::Kind::kOr: return std::any_of(children.begin(), children.end(), child_matches);
    case Expression::Kind::kNot: return !child_matches(children.front());
    case Expression::Kind::kChain:
      return std::any_of(Of(where.type).begin(), Of(where.type).end(), [&](const auto& target) {
        return RefersTo(resource, where.references, where.type, target.first) &&
               Matches(where.type, target.first, target.second, children.front());
      });
    case Expression::Kind::kHas:
      return std::any_of(Of(where.type).begin(), Of(where.type).end(), [&](const auto& referrer) {
        return RefersTo(referrer.second, where.references, type, id) &&
               Matches(where.type, referrer.first, referrer.second, children.front());
      });
    case Expression::Kind::kAll:
    case Expression::Kind::kNone:
    case Expression::Kind::kValues:
    case Expression::Kind::kIds:
    case Expression::Kind::kLastUpdated: break;
  }
  return fhir::search::Matches(
      where,
      {.id = id, .last_updated_us = resource.instant_ms * 1000, .entries = &resource.entries});
}

std::vector<std::string> ReferenceModel::Find(const std::string& type,
                                              const Expression& where) const {
  std::vector<std::pair<std::uint64_t, std::string>> found;
  for (const auto& [id, resource] : Of(type)) {
    if (Matches(type, id, resource, where)) found.emplace_back(resource.sequence, id);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> ids;
  for (const auto& [sequence, id] : found) ids.push_back(id);
  return ids;
}

std::vector<std::string> ReferenceModel::FindSorted(const std::string& type,
                                                    const Expression& where,
                                                    const std::vector<SortKey>& sort) const {
  std::vector<std::string> ids = Find(type, where);
  const auto& resources = Of(type);
  std::sort(ids.begin(), ids.end(), [&](const std::string& a, const std::string& b) {
    for (const SortKey& key : sort) {
      if (key.kind == SortKey::Kind::kLastUpdated) {
        const std::int64_t left = resources.at(a).instant_ms;
        const std::int64_t right = resources.at(b).instant_ms;
        if (left != right) return key.descending ? left > right : left < right;
        continue;
      }
      const auto left = KeyOf(a, resources.at(a), key);
      const auto right = KeyOf(b, resources.at(b), key);
      if (left == right) continue;
      if (!left || !right) return left.has_value();  // Without a value: last, either way.
      return key.descending ? *left > *right : *left < *right;
    }
    return resources.at(a).sequence < resources.at(b).sequence;
  });
  return ids;
}

}  // namespace storage
