#include "storage/history.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace storage {
namespace {

// Versions of the types that were written before transaction `t`.
fhir::Result<std::uint64_t> CountBefore(const Snapshot& snapshot,
                                        const std::vector<TypeNumber>& types, std::uint64_t t) {
  std::uint64_t count = 0;
  for (const TypeNumber type : types) {
    FHIR_TRY(documents, snapshot.FirstDocumentFrom(type, t));
    count += documents;
  }
  return count;
}

std::vector<TypeNumber> TypesOf(const Snapshot& snapshot, TypeNumber type) {
  if (type != 0) return {type};
  std::vector<TypeNumber> types(snapshot.Numbers().LastType());
  std::iota(types.begin(), types.end(), TypeNumber{1});
  return types;
}

// Where version number `rank` of all types in commit order is. REQUIRES: there is one.
fhir::Result<Position> FindRank(const Snapshot& snapshot, const std::vector<TypeNumber>& types,
                                std::uint64_t rank) {
  // The last transaction that `rank` versions or fewer come before.
  std::uint64_t low = 1;
  std::uint64_t high = snapshot.T();
  while (low < high) {
    const std::uint64_t middle = low + (high - low + 1) / 2;
    FHIR_TRY(before, CountBefore(snapshot, types, middle));
    if (before <= rank) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  FHIR_TRY(before, CountBefore(snapshot, types, low));
  return Position{low, static_cast<std::uint32_t>(rank - before)};
}

// `count` versions of one type from document `first` on.
fhir::Result<void> ReadDocumentsFrom(const Snapshot& snapshot, TypeNumber type, std::uint64_t first,
                                     std::size_t count, const VisitResource& visit) {
  std::vector<std::uint64_t> documents(count);
  std::iota(documents.begin(), documents.end(), first);
  FHIR_TRY(positions, FindPositions(snapshot, type, documents));
  return ReadPositions(snapshot.Database(), snapshot.At(), positions, /*in_order=*/true, visit);
}

// `count` versions of all types from `first` on.
fhir::Result<void> ReadResourcesFrom(const Snapshot& snapshot, Position first, std::size_t count,
                                     const VisitResource& visit) {
  rocks::Iterator log =
      snapshot.Database().NewIterator(Family::kResource, {.at = snapshot.At(), .upper_bound = {}});
  ResourceView view;
  std::size_t index = 0;
  for (log.Seek(ResourceKey(first)); index < count && log.Valid(); log.Next()) {
    if (!ParseResource(log.Value(), &view)) {
      return fhir::Fail(fhir::Internal("a value in resource is damaged"));
    }
    if (!visit(index++, view)) return {};
  }
  FHIR_TRY_VOID(log.Check());
  if (index < count) return fhir::Fail(fhir::Internal("resource ends before the documents do"));
  return {};
}

}  // namespace

fhir::Result<std::uint64_t> ReadLogBackwards(const Snapshot& snapshot, TypeNumber type,
                                             const HistoryRequest& request,
                                             const VisitResource& visit) {
  const std::vector<TypeNumber> types = TypesOf(snapshot, type);
  std::uint64_t first = 0;
  if (request.since_ms) {
    FHIR_TRY(since_t, snapshot.FirstTransactionFrom(*request.since_ms));
    FHIR_TRY(before, CountBefore(snapshot, types, since_t));
    first = before;
  }
  FHIR_TRY(end, CountBefore(snapshot, types, snapshot.T() + 1));
  const std::uint64_t total = end - first;
  const std::uint64_t skipped = std::min(request.offset, total);
  const std::size_t count = std::min<std::uint64_t>(request.limit, total - skipped);
  if (count == 0) return total;
  const std::uint64_t low = end - skipped - count;
  const VisitResource from_newest = [&](std::size_t index, const ResourceView& view) {
    return visit(count - 1 - index, view);
  };
  if (type != 0) {
    FHIR_TRY_VOID(ReadDocumentsFrom(snapshot, type, low, count, from_newest));
  } else {
    FHIR_TRY(position, FindRank(snapshot, types, low));
    FHIR_TRY_VOID(ReadResourcesFrom(snapshot, position, count, from_newest));
  }
  return total;
}

}  // namespace storage
