// storage/number_registry.h
//
// The small numbers that stand for type names and indexes in keys, and how far each index goes. They
// are kept in the database by name, so that they survive any change of the registry of search
// parameters. Numbers are given once: an index that comes back has its old number, and is built
// anew, for it lacks what was written meanwhile (what it has is still right: a version's values
// under a key of an index never change).
//
// Owner: shared by the snapshots that it belongs to. Thread-safety: immutable; a change makes
// another one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/index_entries.h"
#include "fhir/search/registry.h"
#include "storage/key_layout.h"
#include "storage/maintenance/build_step.h"
#include "storage/rocks/database.h"

namespace storage {

// What the database calls an index and whose it is.
struct IndexName {
  std::string key;   // IndexSpec::key
  std::string type;  // Empty: of all types, or of none; it cannot be built later.
  bool is_used = true;
};
std::vector<IndexName> NamesOf(const fhir::search::Registry& registry);

struct IndexState {
  static constexpr std::uint64_t kNotYet = ~std::uint64_t{0};

  IndexNumber number = 0;  // 0: no such index.
  TypeNumber type = 0;
  bool is_used = false;
  // From this t on every state finds all of its resources by it.
  std::uint64_t complete_from = 0;
  // While it is built: documents below `built` and from `until` on are in it.
  std::uint64_t built = 0;
  std::uint64_t until = 0;
  // Why it is not built on. Null: nothing is wrong. Shared: states are copied.
  std::shared_ptr<const std::string> problem;

  bool IsBuilt() const { return complete_from != kNotYet; }
};

class NumberRegistry {
 public:
  // The number that the next version of a type gets.
  using NextDocument = std::function<std::uint64_t(TypeNumber)>;

  // The types alone. Writes new names.
  static fhir::Result<std::shared_ptr<const NumberRegistry>> LoadTypes(
      rocks::Database* database, std::span<const std::string> types);
  // The same types, and the indexes `names`, by IndexId. An index that is new while there are
  // resources lacks them, and one that was left out for a time too: they are to be built. Writes
  // what changed. `registry` may be null.
  static fhir::Result<std::shared_ptr<const NumberRegistry>> LoadIndexes(
      rocks::Database* database, const NumberRegistry& types, fhir::search::RegistryPtr registry,
      std::span<const IndexName> names, std::uint64_t last_t, const NextDocument& next_document);

  // This with the indexes of `registry`, in force after transaction `t`; adds what is new to
  // `batch`. REQUIRES: HasRoomFor; `registry` was made from the one of this.
  std::shared_ptr<const NumberRegistry> WithRegistry(fhir::search::RegistryPtr registry,
                                                     std::uint64_t t,
                                                     const NextDocument& next_document,
                                                     rocks::Batch* batch) const;
  bool HasRoomFor(const fhir::search::Registry& registry) const;
  // This with the progress of builds, whose postings are seen from transaction `t` on.
  std::shared_ptr<const NumberRegistry> WithProgress(std::span<const IndexProgress> progress,
                                                     std::uint64_t t, rocks::Batch* batch) const;

  // The search parameters that are in force. May be null in tests.
  const fhir::search::RegistryPtr& Registry() const { return registry_; }

  // 0 if it is no type.
  TypeNumber FindType(std::string_view name) const {
    const auto found = types_->numbers.find(name);
    return found == types_->numbers.end() ? TypeNumber{0} : found->second;
  }
  std::string_view TypeName(TypeNumber type) const { return types_->names[type]; }
  // Numbers go from 1 to this.
  TypeNumber LastType() const { return static_cast<TypeNumber>(types_->names.size() - 1); }

  // 0 if there is no such index.
  IndexNumber NumberOf(fhir::search::IndexId index) const {
    return index < states_.size() ? states_[index].number : IndexNumber{0};
  }
  // By IndexId.
  std::span<const IndexState> States() const { return states_; }
  // Of those in use.
  std::size_t IncompleteCount() const { return incomplete_; }
  std::string_view KeyOf(fhir::search::IndexId index) const { return keys_[index]; }

 private:
  struct Loader;
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  struct Types {
    std::unordered_map<std::string, TypeNumber, Hash, std::equal_to<>> numbers;
    std::vector<std::string> names = {""};  // By number.
  };

  NumberRegistry() = default;
  NumberRegistry(const NumberRegistry&) = default;
  // Takes the index into use: it is complete if its type has no documents, else to be built.
  void Start(fhir::search::IndexId index, const IndexName& name, std::uint64_t t,
             const NextDocument& next_document, rocks::Batch* batch);
  void LeaveOut(fhir::search::IndexId index, rocks::Batch* batch);
  void PutBuild(fhir::search::IndexId index, rocks::Batch* batch) const;
  void CountIncomplete();

  std::shared_ptr<const Types> types_;  // Shared: they do not change while the server runs.
  fhir::search::RegistryPtr registry_;
  std::vector<IndexState> states_;  // By IndexId,
  std::vector<std::string> keys_;   // and this too.
  // Numbers of indexes that the database knows and the registry does not.
  std::unordered_map<std::string, IndexNumber> others_;
  IndexNumber last_index_ = 0;
  std::size_t incomplete_ = 0;
};

}  // namespace storage
