#include "storage/commit/overlay.h"

#include <algorithm>

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::IndexEntries;
using fhir::search::ValueRange;

// Fewer are looked at one by one.
constexpr std::size_t kIndexFrom = 8;

// A part of `where` that every match fulfils and that only exact values do; null if there is none.
const Expression* ExactPart(const Expression& where) {
  if (where.kind == Expression::Kind::kValues) {
    const bool exact = std::all_of(where.values.begin(), where.values.end(),
                                   [](const ValueRange& value) { return value.exact; });
    return exact ? &where : nullptr;
  }
  if (where.kind != Expression::Kind::kAnd) return nullptr;
  for (const Expression& child : where.children) {
    if (const Expression* part = ExactPart(child)) return part;
  }
  return nullptr;
}

bool IsMatch(const NewVersion& version, const Expression& where) {
  constexpr std::int64_t kMicrosecondsPerMs = 1000;
  return fhir::search::Matches(where, {.id = version.write->id,
                                       .last_updated_us = version.instant_ms * kMicrosecondsPerMs,
                                       .entries = &version.write->entries});
}

}  // namespace

const NewVersion* Overlay::Find(const ResourceName& name) const {
  const auto found = newest_.find(name);
  return found == newest_.end() ? nullptr : &versions_[found->second];
}

bool Overlay::HasEnded(TypeNumber type, std::uint64_t document) const {
  const auto found = types_.find(type);
  return found != types_.end() && found->second.ended.contains(document);
}

std::vector<const NewVersion*> Overlay::FindMatches(TypeNumber type, const Expression& where,
                                                    std::int64_t* work_left) {
  // A value is looked for among a resource's entries, and compared with those of its index.
  constexpr std::size_t kEntriesCompared = 16;
  const std::size_t size = fhir::search::SizeOf(where);
  std::vector<const NewVersion*> matches;
  const auto found = types_.find(type);
  if (found == types_.end()) return matches;
  const auto consider = [&](std::uint32_t i) {
    const NewVersion& version = versions_[i];
    if (*work_left < 0 || version.type != type || !version.IsLive()) return;
    const std::size_t entries = version.write->entries.List().size();
    *work_left -= static_cast<std::int64_t>(size * (1 + entries / kEntriesCompared));
    if (IsMatch(version, where)) matches.push_back(&version);
  };
  const Expression* exact = found->second.versions.size() < kIndexFrom ? nullptr : ExactPart(where);
  if (exact == nullptr) {
    std::for_each(found->second.versions.begin(), found->second.versions.end(), consider);
    return matches;
  }
  for (const ValueRange& value : exact->values) {
    const auto [begin, end] = IndexOf(value.index).by_value.equal_range(value.from);
    std::for_each(begin, end, [&](const auto& entry) { consider(entry.second); });
  }
  // A resource may have several of the values.
  std::sort(matches.begin(), matches.end());
  matches.erase(std::unique(matches.begin(), matches.end()), matches.end());
  return matches;
}

std::vector<const NewVersion*> Overlay::FindByEntry(fhir::search::IndexId index,
                                                    std::string_view value) {
  std::vector<const NewVersion*> matches;
  const auto [begin, end] = IndexOf(index).by_value.equal_range(value);
  for (auto entry = begin; entry != end; ++entry) {
    const NewVersion& version = versions_[entry->second];
    if (version.IsLive()) matches.push_back(&version);
  }
  return matches;
}

const Overlay::ValueIndex& Overlay::IndexOf(fhir::search::IndexId index) {
  ValueIndex& values = value_indexes_[index];
  for (; values.read < versions_.size(); ++values.read) {
    if (versions_[values.read].record.operation == Operation::kDelete) continue;
    const IndexEntries& entries = versions_[values.read].write->entries;
    const auto& list = entries.List();
    auto entry = std::lower_bound(list.begin(), list.end(), index,
                                  [](const IndexEntries::Entry& e, fhir::search::IndexId wanted) {
                                    return e.index < wanted;
                                  });
    for (; entry != list.end() && entry->index == index; ++entry) {
      values.by_value.emplace(entries.ValueOf(*entry), static_cast<std::uint32_t>(values.read));
    }
  }
  return values;
}

Overlay::OfType& Overlay::At(TypeNumber type) {
  const auto [added, is_new] = types_.try_emplace(type);
  if (is_new) added->second.next_document = committed_->Types()[type]->next_document;
  return added->second;
}

std::uint64_t Overlay::NextDocument(TypeNumber type) const {
  const auto found = types_.find(type);
  return found == types_.end() ? committed_->Types()[type]->next_document
                               : found->second.next_document;
}

void Overlay::Begin(std::int64_t instant_ms) {
  ++t_;
  next_n_ = 0;
  instant_ms_ = std::max(instant_ms_, instant_ms);
  instants_.push_back(instant_ms_);
}

void Overlay::Add(Write* write, TypeNumber type, std::uint64_t version, Operation operation,
                  std::optional<std::uint64_t> ended) {
  OfType& of_type = At(type);
  const auto position = static_cast<std::uint32_t>(versions_.size());
  const auto [newest, is_first] = newest_.try_emplace({type, write->id}, position);
  if (!is_first) {
    versions_[newest->second].is_current = false;
    newest->second = position;
  }
  if (ended) {
    ended_.push_back({type, t_, *ended});
    of_type.ended.insert(*ended);
  }
  of_type.versions.push_back(position);
  versions_.push_back({.write = write,
                       .type = type,
                       .record = {.t = t_,
                                  .n = next_n_++,
                                  .document = of_type.next_document++,
                                  .version = version,
                                  .operation = operation},
                       .instant_ms = instant_ms_});
}

}  // namespace storage
