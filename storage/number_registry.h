// storage/number_registry.h
//
// The small numbers that stand for type names and indexes in keys. They are kept in the database by
// name, so that they survive any change of the registry of search parameters. New names get numbers
// when the database is opened.
//
// Owner: the engine. Thread-safety: immutable after Load.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "fhir/base/result.h"
#include "fhir/search/index_entries.h"
#include "storage/key_layout.h"
#include "storage/rocks/database.h"

namespace storage {

class NumberRegistry {
 public:
  // `index_keys` by IndexId. `last_t`: an index that is new while there are resources lacks them,
  // and must not be searched; nor one that was left out for a time. Writes the new names.
  static fhir::Result<NumberRegistry> Load(rocks::Database* database,
                                           std::span<const std::string> types,
                                           std::span<const std::string> index_keys,
                                           std::uint64_t last_t);

  // 0 if it is no type.
  TypeNumber FindType(std::string_view name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? TypeNumber{0} : found->second;
  }
  std::string_view TypeName(TypeNumber type) const { return type_names_[type]; }
  // Numbers go from 1 to this.
  TypeNumber LastType() const { return static_cast<TypeNumber>(type_names_.size() - 1); }

  // 0 if there is no such index.
  IndexNumber NumberOf(fhir::search::IndexId index) const {
    return index < indexes_.size() ? indexes_[index].number : IndexNumber{0};
  }
  // False if it was added after resources had been written: those are not in it.
  bool IsComplete(fhir::search::IndexId index) const {
    return index < indexes_.size() && indexes_[index].is_complete;
  }

 private:
  struct Index {
    IndexNumber number = 0;
    bool is_complete = true;
  };

  struct Loader;

  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, TypeNumber, Hash, std::equal_to<>> types_;
  std::vector<std::string> type_names_ = {""};  // By number.
  std::vector<Index> indexes_;                  // By IndexId.
};

}  // namespace storage
