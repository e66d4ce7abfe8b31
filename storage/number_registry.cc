#include "storage/number_registry.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "fhir/base/bytes.h"

namespace storage {
namespace {

using fhir::search::IndexId;

constexpr std::size_t kMaxNames = 0xFFFF;
// `added at` of an index that was left out: it lacks what was written since.
constexpr std::uint64_t kLeftOut = ~std::uint64_t{0};

void PutIndex(std::string_view key, IndexNumber number, std::uint64_t added_at,
              rocks::Batch* batch) {
  std::string value;
  fhir::AppendU16(&value, number);
  fhir::AppendU64(&value, added_at);
  batch->Put(Family::kDefault, std::string(kIndexNamePrefix).append(key), value);
}

fhir::Error NoRoom() {
  return fhir::Internal("The database has no numbers left for new names.");
}

}  // namespace

// What the database holds.
struct NumberRegistry::Loader {
  struct Index {
    IndexNumber number = 0;
    std::uint64_t added_at = 0;
  };
  struct Build {
    std::uint64_t complete_from = 0;
    std::uint64_t built = 0;
    std::uint64_t until = 0;
  };

  std::unordered_map<std::string, TypeNumber> types;
  std::unordered_map<std::string, Index> indexes;
  std::unordered_map<std::string, Build> builds;
  TypeNumber last_type = 0;
  IndexNumber last_index = 0;

  fhir::Result<void> Read(const rocks::Database& database) {
    rocks::Iterator names = database.NewIterator(Family::kDefault, {});
    for (names.SeekToFirst(); names.Valid(); names.Next()) Take(names.Key(), names.Value());
    return names.Check();
  }

  void Take(std::string_view name, std::string_view value) {
    if (name.starts_with(kTypeNamePrefix) && value.size() == 2) {
      const TypeNumber number = fhir::ReadU16(value.data());
      types.emplace(name.substr(kTypeNamePrefix.size()), number);
      last_type = std::max(last_type, number);
    } else if (name.starts_with(kIndexNamePrefix) && value.size() == 10) {
      const Index index{fhir::ReadU16(value.data()), fhir::ReadU64(value.data() + 2)};
      indexes.emplace(name.substr(kIndexNamePrefix.size()), index);
      last_index = std::max(last_index, index.number);
    } else if (name.starts_with(kBuildNamePrefix) && value.size() == 24) {
      builds.emplace(name.substr(kBuildNamePrefix.size()),
                     Build{fhir::ReadU64(value.data()), fhir::ReadU64(value.data() + 8),
                           fhir::ReadU64(value.data() + 16)});
    }
  }

  // The state that was written, or nothing if the index is to be started anew.
  std::optional<IndexState> StateOf(const std::string& key, TypeNumber type) const {
    const auto index = indexes.find(key);
    if (index == indexes.end() || index->second.added_at == kLeftOut) return std::nullopt;
    IndexState state;
    state.number = index->second.number;
    state.type = type;
    state.is_used = true;
    if (index->second.added_at == 0) return state;
    const auto build = builds.find(key);
    if (build == builds.end()) return std::nullopt;
    state.complete_from = build->second.complete_from;
    state.built = build->second.built;
    state.until = build->second.until;
    return state;
  }
};

std::vector<IndexName> NamesOf(const fhir::search::Registry& registry) {
  std::vector<IndexName> names;
  names.reserve(registry.IndexCount());
  for (IndexId index = 0; index < registry.IndexCount(); ++index) {
    const fhir::search::IndexSpec& spec = registry.IndexAt(index);
    names.push_back({spec.key, spec.resource_type, registry.IsUsed(index)});
  }
  return names;
}

fhir::Result<std::shared_ptr<const NumberRegistry>> NumberRegistry::LoadTypes(
    rocks::Database* database, std::span<const std::string> types) {
  Loader loader;
  FHIR_TRY_VOID(loader.Read(*database));
  if (loader.types.size() + types.size() > kMaxNames) return fhir::Fail(NoRoom());
  rocks::Batch batch(database);
  for (const std::string& type : types) {
    const auto [added, is_new] = loader.types.try_emplace(type);
    if (!is_new) continue;
    added->second = ++loader.last_type;
    std::string value;
    fhir::AppendU16(&value, added->second);
    batch.Put(Family::kDefault, std::string(kTypeNamePrefix) + type, value);
  }
  auto numbers = std::make_shared<Types>();
  numbers->names.resize(loader.last_type + std::size_t{1});
  for (const auto& [name, number] : loader.types) {
    numbers->names[number] = name;
    numbers->numbers.emplace(name, number);
  }
  if (!batch.IsEmpty()) FHIR_TRY_VOID(database->WriteSynced(&batch));
  std::shared_ptr<NumberRegistry> registry(new NumberRegistry());
  registry->types_ = std::move(numbers);
  return registry;
}

fhir::Result<std::shared_ptr<const NumberRegistry>> NumberRegistry::LoadIndexes(
    rocks::Database* database, const NumberRegistry& types, fhir::search::RegistryPtr registry,
    std::span<const IndexName> names, std::uint64_t last_t, const NextDocument& next_document) {
  Loader loader;
  FHIR_TRY_VOID(loader.Read(*database));
  if (loader.last_index + names.size() > kMaxNames) return fhir::Fail(NoRoom());
  std::shared_ptr<NumberRegistry> numbers(new NumberRegistry(types));
  numbers->registry_ = std::move(registry);
  numbers->last_index_ = loader.last_index;
  for (const auto& [key, index] : loader.indexes) numbers->others_.emplace(key, index.number);
  rocks::Batch batch(database);
  for (IndexId index = 0; index < names.size(); ++index) {
    const IndexName& name = names[index];
    const auto known =
        name.is_used ? loader.StateOf(name.key, numbers->FindType(name.type)) : std::nullopt;
    numbers->states_.push_back(known.value_or(IndexState{}));
    numbers->keys_.push_back(name.key);
    if (known) numbers->others_.erase(name.key);
    if (!known && name.is_used) numbers->Start(index, name, last_t, next_document, &batch);
  }
  for (const auto& [key, number] : numbers->others_) {
    if (loader.indexes[key].added_at != kLeftOut) PutIndex(key, number, kLeftOut, &batch);
  }
  if (!batch.IsEmpty()) FHIR_TRY_VOID(database->WriteSynced(&batch));
  numbers->CountIncomplete();
  return numbers;
}

bool NumberRegistry::HasRoomFor(const fhir::search::Registry& registry) const {
  return last_index_ + registry.IndexCount() <= kMaxNames + states_.size();
}

std::shared_ptr<const NumberRegistry> NumberRegistry::WithRegistry(
    fhir::search::RegistryPtr registry, std::uint64_t t, const NextDocument& next_document,
    rocks::Batch* batch) const {
  std::shared_ptr<NumberRegistry> next(new NumberRegistry(*this));
  const std::vector<IndexName> names = NamesOf(*registry);
  next->registry_ = std::move(registry);
  for (IndexId index = 0; index < names.size(); ++index) {
    if (index == next->states_.size()) {
      next->states_.emplace_back();
      next->keys_.push_back(names[index].key);
    }
    const bool was_used = next->states_[index].is_used;
    if (names[index].is_used && !was_used) {
      next->Start(index, names[index], t, next_document, batch);
    }
    if (!names[index].is_used && was_used) next->LeaveOut(index, batch);
  }
  next->CountIncomplete();
  return next;
}

std::shared_ptr<const NumberRegistry> NumberRegistry::WithProgress(
    std::span<const IndexProgress> progress, std::uint64_t t, rocks::Batch* batch) const {
  std::shared_ptr<NumberRegistry> next(new NumberRegistry(*this));
  for (const IndexProgress& step : progress) {
    IndexState& state = next->states_[step.index];
    // Left out, or started anew, since the step was made.
    if (!state.is_used || state.IsBuilt() || state.built != step.from) continue;
    if (!step.problem.empty()) {
      state.problem = std::make_shared<const std::string>(step.problem);
      continue;
    }
    state.built = step.built;
    if (state.built >= state.until) state.complete_from = t;
    next->PutBuild(step.index, batch);
  }
  next->CountIncomplete();
  return next;
}

void NumberRegistry::Start(IndexId index, const IndexName& name, std::uint64_t t,
                           const NextDocument& next_document, rocks::Batch* batch) {
  IndexState state;
  state.number = states_[index].number;
  state.type = FindType(name.type);
  state.is_used = true;
  if (const auto known = others_.find(name.key); known != others_.end()) {
    state.number = known->second;
    others_.erase(known);
  }
  if (state.number == 0) state.number = ++last_index_;
  if (t != 0) state.until = state.type == 0 ? IndexState::kNotYet : next_document(state.type);
  if (state.until != 0) state.complete_from = IndexState::kNotYet;
  states_[index] = std::move(state);
  PutIndex(name.key, states_[index].number, states_[index].IsBuilt() ? 0 : t, batch);
  if (!states_[index].IsBuilt()) PutBuild(index, batch);
}

void NumberRegistry::CountIncomplete() {
  incomplete_ = static_cast<std::size_t>(std::ranges::count_if(
      states_, [](const IndexState& state) { return state.is_used && !state.IsBuilt(); }));
}

void NumberRegistry::LeaveOut(IndexId index, rocks::Batch* batch) {
  IndexState& state = states_[index];
  state = {.number = state.number,
           .type = state.type,
           .complete_from = IndexState::kNotYet,
           .problem = nullptr};
  PutIndex(keys_[index], state.number, kLeftOut, batch);
}

void NumberRegistry::PutBuild(IndexId index, rocks::Batch* batch) const {
  const IndexState& state = states_[index];
  std::string value;
  fhir::AppendU64(&value, state.complete_from);
  fhir::AppendU64(&value, state.built);
  fhir::AppendU64(&value, state.until);
  batch->Put(Family::kDefault, std::string(kBuildNamePrefix) + keys_[index], value);
}

}  // namespace storage
