// storage/commit/overlay.h
//
// What the transactions of one group have changed so far: the state that the
// next of them is checked against, and in the end what is written.
//
// Owner: the commit thread. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "fhir/search/expression.h"
#include "storage/key_layout.h"
#include "storage/resource.h"
#include "storage/snapshot.h"
#include "storage/transaction.h"

namespace storage {

struct ResourceName {
  TypeNumber type = 0;
  std::string_view id;
  bool operator==(const ResourceName&) const = default;
};
struct ResourceNameHash {
  std::size_t operator()(const ResourceName& name) const {
    return std::hash<std::string_view>()(name.id) * 31 + name.type;
  }
};

// A version that the group will write.
struct NewVersion {
  Write* write;  // Outlives the group.
  TypeNumber type = 0;
  VersionRecord record;
  std::int64_t instant_ms = 0;
  bool is_current = true;  // False: a later transaction of the group wrote the next version.

  bool IsLive() const { return is_current && record.operation != Operation::kDelete; }
};

// A document that stopped being current at `t`.
struct EndedDocument {
  TypeNumber type = 0;
  std::uint64_t t = 0;
  std::uint64_t document = 0;
};

class Overlay {
 public:
  explicit Overlay(const Snapshot* committed)
      : committed_(committed),
        registry_(committed->Numbers().Registry()),
        t_(committed->T()),
        instant_ms_(committed->InstantMs()) {}

  const Snapshot& Committed() const { return *committed_; }
  // Of the last transaction, committed or in the group.
  std::uint64_t T() const { return t_; }
  std::int64_t InstantMs() const { return instant_ms_; }

  // Nothing is to be written.
  bool IsEmpty() const { return versions_.empty() && steps_.empty(); }

  // The search parameters in force.
  const fhir::search::RegistryPtr& Registry() const { return registry_; }
  void SetRegistry(fhir::search::RegistryPtr registry) { registry_ = std::move(registry); }
  // `step` outlives the group.
  void AddStep(const BuildStep* step) { steps_.push_back(step); }
  const std::vector<const BuildStep*>& Steps() const { return steps_; }

  // Null if the group has not written the resource.
  const NewVersion* Find(const ResourceName& name) const;
  bool HasWritten(TypeNumber type) const { return types_.contains(type); }
  // The committed document is no longer current.
  bool HasEnded(TypeNumber type, std::uint64_t document) const;
  // Live versions of the group whose resource matches. Counts `work_left` down by what is compared,
  // and stops below 0.
  std::vector<const NewVersion*> FindMatches(TypeNumber type, const fhir::search::Expression& where,
                                             std::int64_t* work_left);
  // Live versions of the group, of any type, with this entry.
  std::vector<const NewVersion*> FindByEntry(fhir::search::IndexId index, std::string_view value);

  // Starts the next transaction. Its instant is not before the last one's.
  void Begin(std::int64_t instant_ms);
  // A write of the transaction that Begin started. `ended`: the document that was live before.
  void Add(Write* write, TypeNumber type, std::uint64_t version, Operation operation,
           std::optional<std::uint64_t> ended);

  const std::vector<NewVersion>& Versions() const { return versions_; }
  const std::vector<EndedDocument>& Ended() const { return ended_; }
  // Instants of the group's transactions; the first is that of Committed().T() + 1.
  const std::vector<std::int64_t>& Instants() const { return instants_; }
  // The number that the next version of the type gets.
  std::uint64_t NextDocument(TypeNumber type) const;

 private:
  struct OfType {
    std::uint64_t next_document = 0;
    std::vector<std::uint32_t> versions;      // Into versions_.
    std::unordered_set<std::uint64_t> ended;  // Documents.
  };
  // Versions by hash of one index's values, as far as versions_ had been read.
  struct ValueIndex {
    std::size_t read = 0;
    std::unordered_multimap<std::string_view, std::uint32_t> by_value;
  };

  const ValueIndex& IndexOf(fhir::search::IndexId index);
  OfType& At(TypeNumber type);

  const Snapshot* committed_;
  fhir::search::RegistryPtr registry_;
  std::uint64_t t_;
  std::int64_t instant_ms_;
  std::uint32_t next_n_ = 0;
  std::vector<NewVersion> versions_;
  std::vector<EndedDocument> ended_;
  std::vector<const BuildStep*> steps_;
  std::vector<std::int64_t> instants_;
  std::unordered_map<ResourceName, std::uint32_t, ResourceNameHash> newest_;  // Into versions_.
  std::unordered_map<TypeNumber, OfType> types_;
  std::unordered_map<fhir::search::IndexId, ValueIndex> value_indexes_;
};

}  // namespace storage
