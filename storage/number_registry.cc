#include "storage/number_registry.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "fhir/base/bytes.h"

namespace storage {

// What the database holds, and the names that are added to it.
struct NumberRegistry::Loader {
  struct Number {
    std::uint16_t number = 0;
    std::uint64_t added_at = 0;
  };
  using Names = std::unordered_map<std::string, Number>;

  Names types;
  Names indexes;
  std::uint16_t last_type = 0;
  std::uint16_t last_index = 0;

  // `added_at` of an index that was left out: it lacks what was written since.
  static constexpr std::uint64_t kLeftOut = ~std::uint64_t{0};

  fhir::Result<void> Read(const rocks::Database& database) {
    rocks::Iterator names = database.NewIterator(Family::kDefault, {});
    for (names.SeekToFirst(); names.Valid(); names.Next()) {
      const std::string_view name = names.Key();
      const std::string_view value = names.Value();
      if (name.starts_with(kTypeNamePrefix) && value.size() == 2) {
        const Number number{fhir::ReadU16(value.data())};
        types.emplace(name.substr(kTypeNamePrefix.size()), number);
        last_type = std::max(last_type, number.number);
      } else if (name.starts_with(kIndexNamePrefix) && value.size() == 10) {
        const Number number{fhir::ReadU16(value.data()), fhir::ReadU64(value.data() + 2)};
        indexes.emplace(name.substr(kIndexNamePrefix.size()), number);
        last_index = std::max(last_index, number.number);
      }
    }
    return names.Check();
  }

  void AddType(const std::string& name, rocks::Batch* batch) {
    const auto [added, is_new] = types.try_emplace(name);
    if (!is_new) return;
    added->second.number = ++last_type;
    std::string value;
    fhir::AppendU16(&value, added->second.number);
    batch->Put(Family::kDefault, std::string(kTypeNamePrefix) + name, value);
  }

  Number AddIndex(const std::string& key, std::uint64_t last_t, rocks::Batch* batch) {
    const auto [added, is_new] = indexes.try_emplace(key);
    if (!is_new) return added->second;
    added->second = {++last_index, last_t};
    PutIndex(key, added->second, batch);
    return added->second;
  }

  // Marks the indexes that are not among `keys` any more.
  void LeaveOut(std::span<const std::string> keys, rocks::Batch* batch) {
    const std::unordered_set<std::string_view> used(keys.begin(), keys.end());
    for (auto& [key, number] : indexes) {
      if (used.contains(key) || number.added_at == kLeftOut) continue;
      number.added_at = kLeftOut;
      PutIndex(key, number, batch);
    }
  }

  static void PutIndex(const std::string& key, const Number& number, rocks::Batch* batch) {
    std::string value;
    fhir::AppendU16(&value, number.number);
    fhir::AppendU64(&value, number.added_at);
    batch->Put(Family::kDefault, std::string(kIndexNamePrefix) + key, value);
  }
};

fhir::Result<NumberRegistry> NumberRegistry::Load(rocks::Database* database,
                                                  std::span<const std::string> types,
                                                  std::span<const std::string> index_keys,
                                                  std::uint64_t last_t) {
  Loader loader;
  FHIR_TRY_VOID(loader.Read(*database));
  constexpr std::size_t kMaxNames = 0xFFFF;
  if (loader.types.size() + types.size() > kMaxNames ||
      loader.indexes.size() + index_keys.size() > kMaxNames) {
    return fhir::Fail(fhir::Internal("The database has no numbers left for new names."));
  }
  NumberRegistry registry;
  rocks::Batch batch(database);
  for (const std::string& type : types) loader.AddType(type, &batch);
  for (const std::string& key : index_keys) {
    const Loader::Number number = loader.AddIndex(key, last_t, &batch);
    registry.indexes_.push_back({number.number, number.added_at == 0});
  }
  loader.LeaveOut(index_keys, &batch);
  registry.type_names_.resize(loader.last_type + std::size_t{1});
  for (const auto& [name, number] : loader.types) {
    registry.type_names_[number.number] = name;
    registry.types_.emplace(name, number.number);
  }
  if (!batch.IsEmpty()) FHIR_TRY_VOID(database->WriteSynced(&batch));
  return registry;
}

}  // namespace storage
