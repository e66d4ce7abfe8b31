#include "storage/query/search.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "storage/query/evaluator.h"
#include "storage/query/sort.h"

namespace storage {
namespace {

using fhir::search::Expression;
using fhir::search::SortKey;

// The position after the page. A page link's offset may be any number.
std::uint64_t EndOf(const PageRequest& request) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return request.offset + std::min<std::uint64_t>(request.limit, most - request.offset);
}

// Appends up to `limit` documents of a chunk, from the one at position `skip` on.
void AppendSlice(const ChunkIterator& chunk, std::uint64_t skip, std::uint64_t limit,
                 std::vector<std::uint64_t>* out) {
  std::uint32_t first = 0;
  if (!chunk.Documents().select(static_cast<std::uint32_t>(skip), &first)) return;
  auto low = chunk.Documents().begin();
  low.equalorlarger(first);
  for (; limit > 0 && low != chunk.Documents().end(); ++low, --limit) {
    out->push_back(DocumentOf(chunk.Chunk(), *low));
  }
}

// A page in commit order: whole chunks are skipped by their size, and none is read beyond the page
// unless a total is wanted.
Page PageInCommitOrder(ChunkIterator* matches, const PageRequest& request) {
  Page page;
  const std::uint64_t end = EndOf(request);
  std::uint64_t seen = 0;
  for (std::uint64_t chunk = 0; matches->Seek(chunk); ++chunk) {
    chunk = matches->Chunk();
    const std::uint64_t count = matches->Count();
    if (seen < end && seen + count > request.offset) {
      const std::uint64_t skip = request.offset > seen ? request.offset - seen : 0;
      AppendSlice(*matches, skip, request.limit - page.documents.size(), &page.documents);
    }
    seen += count;
    if (seen > end && !request.want_total) break;
  }
  page.has_next = seen > end;
  if (request.want_total) page.total = seen;
  return page;
}

Page SortedPage(Evaluator* evaluator, const Snapshot& snapshot, TypeNumber type,
                ChunkIterator* matches, std::span<const SortKey> sort, const PageRequest& request,
                Work* work) {
  Page page;
  const ChunkSet result = Collect(matches);
  if (work->HasFailed()) return page;
  const std::uint64_t total = result.Cardinality();
  const std::uint64_t end = EndOf(request);
  page.has_next = total > end;
  if (request.want_total) page.total = total;
  if (request.limit == 0 || request.offset >= total) return page;
  page.documents = SortDocuments(evaluator, snapshot, type, result, sort, end, work);
  const std::uint64_t skip = std::min<std::uint64_t>(request.offset, page.documents.size());
  page.documents.erase(page.documents.begin(),
                       page.documents.begin() + static_cast<std::ptrdiff_t>(skip));
  return page;
}

bool IsCommitOrder(std::span<const SortKey> sort) {
  return sort.empty() || (sort.front().kind == SortKey::Kind::kLastUpdated &&
                          !sort.front().descending && sort.size() == 1);
}

}  // namespace

fhir::Result<Page> FindPage(const Snapshot& snapshot, TypeNumber type, const Expression& where,
                            std::span<const SortKey> sort, const PageRequest& request,
                            const Budget& budget) {
  Work work(&budget);
  Evaluator evaluator(&snapshot, &work);
  const ChunkIteratorPtr matches = evaluator.Plan(type, where);
  Page page = IsCommitOrder(sort)
                  ? PageInCommitOrder(matches.get(), request)
                  : SortedPage(&evaluator, snapshot, type, matches.get(), sort, request, &work);
  FHIR_TRY_VOID(work.Outcome());
  return page;
}

fhir::Result<std::uint64_t> CountMatches(const Snapshot& snapshot, TypeNumber type,
                                         const Expression& where, const Budget& budget) {
  Work work(&budget);
  Evaluator evaluator(&snapshot, &work);
  const ChunkIteratorPtr matches = evaluator.Plan(type, where);
  std::uint64_t count = 0;
  for (std::uint64_t chunk = 0; matches->Seek(chunk); ++chunk) {
    chunk = matches->Chunk();
    count += matches->Count();
  }
  FHIR_TRY_VOID(work.Outcome());
  return count;
}

fhir::Result<std::vector<std::uint64_t>> FindFirst(const Snapshot& snapshot, TypeNumber type,
                                                   const Expression& where, std::size_t limit,
                                                   const std::function<bool(std::uint64_t)>& skip,
                                                   const Budget& budget) {
  Work work(&budget);
  Evaluator evaluator(&snapshot, &work);
  const ChunkIteratorPtr matches = evaluator.Plan(type, where);
  std::vector<std::uint64_t> found;
  for (std::uint64_t chunk = 0; found.size() < limit && matches->Seek(chunk); ++chunk) {
    chunk = matches->Chunk();
    for (const std::uint32_t low : matches->Documents()) {
      const std::uint64_t document = DocumentOf(matches->Chunk(), low);
      if (skip && skip(document)) continue;
      found.push_back(document);
      if (found.size() == limit) break;
    }
  }
  FHIR_TRY_VOID(work.Outcome());
  return found;
}

}  // namespace storage
