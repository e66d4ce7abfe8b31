#include "storage/query/estimate.h"

#include <algorithm>
#include <limits>
#include <string>

#include "storage/posting/posting_value.h"

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::SortKey;
using fhir::search::ValueRange;

// Below so many documents it is not worth asking how large an index is.
constexpr std::uint64_t kFewDocuments = 4'096;
// About the least that a key and its posting take in a file.
constexpr std::uint64_t kBytesPerKey = 64;
constexpr std::uint64_t kSampledKeys = 8;
constexpr std::uint64_t kKeysPerValue = 2;         // A seek and, mostly, one chunk.
constexpr std::uint64_t kKeysPerLastUpdated = 64;  // Four binary searches.

// One text and what follows its end, such as a code in whatever system: as good as one value. It is
// what most searches ask, so it is told apart without asking the database.
bool IsOneText(const ValueRange& range) {
  const std::string& from = range.from;
  const std::string& to = range.to;
  return from.ends_with('\0') && from.size() == to.size() && to.back() == '\x01' &&
         from.compare(0, from.size() - 1, to, 0, to.size() - 1) == 0;
}

// The first postings of a range.
struct Sample {
  std::uint64_t keys = 0;
  std::uint64_t documents = 0;
  std::uint64_t bytes = 1;
  bool is_all = false;  // There are no others.
};

Sample TakeSample(const Snapshot& snapshot, const std::string& start, const std::string& end,
                  Work* work) {
  Sample sample;
  rocks::Iterator keys =
      snapshot.Database().NewIterator(Family::kPosting, {.at = snapshot.At(), .upper_bound = end});
  for (keys.Seek(start); keys.Valid() && work->Spend(); keys.Next()) {
    if (sample.keys == kSampledKeys) return sample;
    Bitmap documents;
    // A damaged one is for the search to find.
    if (AddPosting(keys.Value(), &documents)) sample.documents += documents.cardinality();
    sample.bytes += keys.Key().size() + keys.Value().size();
    ++sample.keys;
  }
  auto check = keys.Check();
  work->Accept(check);
  sample.is_all = true;
  return sample;
}

std::uint64_t TimesAtMost(std::uint64_t a, std::uint64_t b, std::uint64_t most) {
  return b != 0 && a > most / b ? most : std::min(a * b, most);
}

}  // namespace

std::uint64_t Estimator::LiveCount(TypeNumber type) {
  if (type == 0) return 0;
  auto state = snapshot_->StateOf(type);
  return work_->Accept(state) ? (*state)->live_count : 0;
}

SearchEstimate Estimator::OfRange(TypeNumber type, fhir::search::IndexId index,
                                  std::string_view from, std::string_view to, Detail detail) {
  const std::uint64_t live = LiveCount(type);
  const bool is_cheap = detail == Detail::kKeys;
  const IndexNumber number = snapshot_->Numbers().NumberOf(index);
  if (number == 0 || (is_cheap && live <= kFewDocuments)) return {live, live};
  const std::string prefix = PostingPrefix(type, number);
  const std::string start = prefix + std::string(from);
  const std::string end = to.empty() ? fhir::search::PrefixEnd(prefix) : prefix + std::string(to);
  const rocks::Database& database = snapshot_->Database();
  rocks::RangeSize size;
  if (is_cheap) {
    size = database.ApproximateSize(Family::kPosting, start, end);
    const std::uint64_t most = size.memtable_keys + size.file_bytes / kBytesPerKey;
    if (most <= kFewDocuments) return {live, most};
  }
  const Sample sample = TakeSample(*snapshot_, start, end, work_);
  if (sample.is_all) return {std::min(live, sample.documents), sample.keys};
  if (!is_cheap) size = database.ApproximateSize(Family::kPosting, start, end);
  const std::uint64_t in_files = size.file_bytes * sample.keys / sample.bytes;
  const std::uint64_t keys = std::max(sample.keys, size.memtable_keys + in_files);
  return {TimesAtMost(keys, sample.documents, live * sample.keys) / sample.keys, keys};
}

std::uint64_t Estimator::KeysOfReferences(TypeNumber type, const Expression& expression,
                                          std::string_view target_type) {
  const std::string prefix = "\x01" + std::string(target_type) + "/";
  std::uint64_t keys = 0;
  for (const fhir::search::IndexId index : expression.references) {
    keys += OfRange(type, index, prefix, fhir::search::PrefixEnd(prefix), Detail::kKeys).keys;
  }
  return keys;
}

SearchEstimate Estimator::OfValues(TypeNumber type, const Expression& expression, Detail detail) {
  const std::uint64_t live = LiveCount(type);
  SearchEstimate all;
  bool has_range = false;
  for (const ValueRange& value : expression.values) {
    if (value.exact || (detail == Detail::kKeys && IsOneText(value))) {
      all.keys += kKeysPerValue;
      continue;
    }
    has_range = true;
    const SearchEstimate range = OfRange(type, value.index, value.from, value.to, detail);
    all.keys += range.keys;
    all.documents += range.documents;
  }
  const bool is_counted = detail == Detail::kDocuments;
  if (is_counted && !has_range) all.documents = evaluator_.Plan(type, expression)->Cost();
  all.documents = is_counted ? std::min(live, all.documents) : live;
  return all;
}

SearchEstimate Estimator::OfChildren(TypeNumber type, const Expression& expression, Detail detail) {
  const bool is_and = expression.kind == Expression::Kind::kAnd;
  const std::uint64_t live = LiveCount(type);
  SearchEstimate all{is_and ? live : 0, 0};
  for (const Expression& child : expression.children) {
    const SearchEstimate one = Of(type, child, detail);
    all.keys += one.keys;
    all.documents = is_and ? std::min(all.documents, one.documents)
                           : std::min(live, all.documents + one.documents);
  }
  return all;
}

SearchEstimate Estimator::OfChain(TypeNumber type, const Expression& expression) {
  const TypeNumber target_type = snapshot_->Numbers().FindType(expression.type);
  const SearchEstimate targets = Of(target_type, expression.children.front(), Detail::kDocuments);
  const std::uint64_t live = LiveCount(type);
  const std::uint64_t target_count = std::max<std::uint64_t>(1, LiveCount(target_type));
  SearchEstimate chain;
  // As if all targets were referred to alike.
  chain.documents = TimesAtMost(targets.documents, 1 + live / target_count, live);
  const std::uint64_t one_by_one = targets.documents * kKeysPerValue * expression.references.size();
  // Few targets are looked up one by one; if they are many, all references are read instead.
  const std::uint64_t lookups =
      targets.documents <= kFewDocuments
          ? one_by_one
          : std::min(one_by_one, KeysOfReferences(type, expression, expression.type));
  chain.keys = targets.keys + targets.documents + lookups;
  return chain;
}

SearchEstimate Estimator::OfHas(TypeNumber type, const Expression& expression) {
  const TypeNumber referrer_type = snapshot_->Numbers().FindType(expression.type);
  const SearchEstimate referrers =
      Of(referrer_type, expression.children.front(), Detail::kDocuments);
  SearchEstimate has;
  has.documents = std::min(LiveCount(type), referrers.documents);
  // All references to the type are read, whoever refers.
  has.keys = referrers.keys + has.documents +
             KeysOfReferences(referrer_type, expression, snapshot_->Numbers().TypeName(type));
  return has;
}

SearchEstimate Estimator::Of(TypeNumber type, const Expression& expression, Detail detail) {
  if (type == 0) return {};
  switch (expression.kind) {
    case Expression::Kind::kAll: return {LiveCount(type), 0};
    case Expression::Kind::kNone: return {};
    case Expression::Kind::kValues: return OfValues(type, expression, detail);
    case Expression::Kind::kIds:
      return {std::min<std::uint64_t>(expression.ids.size(), LiveCount(type)),
              expression.ids.size()};
    case Expression::Kind::kLastUpdated:
      return {detail == Detail::kKeys ? LiveCount(type) : evaluator_.Plan(type, expression)->Cost(),
              kKeysPerLastUpdated};
    case Expression::Kind::kAnd:
    case Expression::Kind::kOr: return OfChildren(type, expression, detail);
    case Expression::Kind::kNot: {
      const SearchEstimate child = Of(type, expression.children.front(), detail);
      const std::uint64_t live = LiveCount(type);
      return {detail == Detail::kKeys ? live : live - std::min(live, child.documents), child.keys};
    }
    case Expression::Kind::kChain: return OfChain(type, expression);
    case Expression::Kind::kHas: return OfHas(type, expression);
  }
  return {};
}

std::uint64_t Estimator::KeysOfSort(TypeNumber type, std::span<const SortKey> sort,
                                    std::uint64_t matches, std::uint64_t wanted) {
  std::uint64_t keys = 0;
  for (const SortKey& key : sort) {
    std::uint64_t all = 0;
    switch (key.kind) {
      case SortKey::Kind::kLastUpdated: all = sort.size() > 1 ? matches : 0; break;
      case SortKey::Kind::kId: all = LiveCount(type); break;
      case SortKey::Kind::kIndex:
        for (const fhir::search::SortRange& range : key.ranges) {
          all += OfRange(type, range.index, range.prefix, fhir::search::PrefixEnd(range.prefix),
                         Detail::kKeys)
                     .keys;
        }
    }
    // One key: the walk ends with the last match that is wanted, as if they were spread evenly.
    const bool may_end = sort.size() == 1 && matches > wanted;
    keys += may_end ? TimesAtMost(wanted, 1 + all / matches, all) : all;
  }
  return keys;
}

fhir::Result<SearchEstimate> EstimateSearch(const Snapshot& snapshot, TypeNumber type,
                                            const Expression& where, std::span<const SortKey> sort,
                                            const PageRequest& request, const Budget& budget) {
  Work work(&budget);
  Estimator estimator(&snapshot, &work);
  const bool is_sorted = std::any_of(sort.begin(), sort.end(), [](const SortKey& key) {
    return key.kind != SortKey::Kind::kLastUpdated;
  });
  SearchEstimate estimate = estimator.Of(
      type, where, is_sorted ? Estimator::Detail::kDocuments : Estimator::Detail::kKeys);
  if (!sort.empty()) {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t end =
        request.offset + std::min<std::uint64_t>(request.limit, most - request.offset);
    estimate.keys += estimator.KeysOfSort(type, sort, estimate.documents, end);
  }
  FHIR_TRY_VOID(work.Outcome());
  return estimate;
}

}  // namespace storage
