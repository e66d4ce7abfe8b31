// Chains and _has: from documents to ids, to reference values, to documents.
//
// A reference to a resource of this server is the value 0x01 | "Type/id" | 0x00
// (fhir/search/types/reference.cc).
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "storage/posting/posting_value.h"
#include "storage/query/evaluator.h"

namespace storage {
namespace {

constexpr char kLocalReference = 0x01;

std::string LocalPrefix(std::string_view type) {
  std::string prefix(1, kLocalReference);
  prefix.append(type);
  prefix.push_back('/');
  return prefix;
}

// The id in a local reference value that begins with LocalPrefix, or empty.
std::string_view IdIn(std::string_view value, std::size_t prefix_size) {
  value.remove_prefix(prefix_size);
  if (value.empty() || value.back() != '\0') return {};
  value.remove_suffix(1);
  return value;
}

// A seek for one target costs about as much as eight steps of a scan over all of them.
constexpr std::uint64_t kScanFrom = 256;
constexpr std::uint64_t kStepsPerSeek = 8;

}  // namespace

std::vector<std::string> Evaluator::IdsOf(TypeNumber type, const ChunkSet& documents) {
  std::vector<std::string> ids;
  DocumentReader reader(*snapshot_, type);
  for (const ChunkSet::Chunk& chunk : documents.Chunks()) {
    for (const std::uint32_t low : chunk.documents) {
      auto facts = reader.Read(DocumentOf(chunk.number, low));
      if (!work_->Spend() || !work_->Accept(facts)) return {};
      ids.emplace_back(facts->id);
    }
  }
  return ids;
}

ChunkSet Evaluator::FollowChain(TypeNumber type, const Expression& expression) {
  const TypeNumber target_type = snapshot_->Numbers().FindType(expression.type);
  const ChunkSet targets = Collect(Plan(target_type, expression.children.front()).get());
  if (work_->HasFailed() || targets.Chunks().empty()) return {};
  const std::vector<std::string> ids = IdsOf(target_type, targets);
  if (work_->HasFailed()) return {};
  ChunkSetBuilder documents;
  const bool scan =
      ids.size() >= kScanFrom && ids.size() * kStepsPerSeek >= StateOf(target_type)->live_count;
  if (scan) {
    ScanReferrers(type, expression, ids, &documents);
  } else {
    AddReferrers(type, expression, ids, &documents);
  }
  return documents.Finish();
}

void Evaluator::AddReferrers(TypeNumber type, const Expression& expression,
                             const std::vector<std::string>& target_ids,
                             ChunkSetBuilder* documents) {
  std::vector<std::string> values;
  values.reserve(target_ids.size());
  const std::string prefix = LocalPrefix(expression.type);
  for (const std::string& id : target_ids) values.push_back(prefix + id + '\0');
  std::sort(values.begin(), values.end());
  for (const fhir::search::IndexId index : expression.references) {
    const IndexView view = ViewOf(type, index);
    if (view.index == 0) return;
    AddExactPostings(view, values, documents);
  }
}

void Evaluator::ScanReferrers(TypeNumber type, const Expression& expression,
                              const std::vector<std::string>& target_ids,
                              ChunkSetBuilder* documents) {
  const std::unordered_set<std::string_view> wanted(target_ids.begin(), target_ids.end());
  const std::string prefix = LocalPrefix(expression.type);
  for (const fhir::search::IndexId index : expression.references) {
    const IndexView view = ViewOf(type, index);
    if (view.index == 0) return;
    WalkPrefix(view, prefix,
               [&](std::string_view value, std::uint32_t chunk, std::string_view posting) {
                 if (!wanted.contains(IdIn(value, prefix.size()))) return true;
                 return AddChecked(chunk, posting, documents, work_);
               });
  }
}

ChunkSet Evaluator::FollowHas(TypeNumber type, const Expression& expression) {
  const TypeNumber referrer_type = snapshot_->Numbers().FindType(expression.type);
  const ChunkSet referrers = Collect(Plan(referrer_type, expression.children.front()).get());
  if (work_->HasFailed() || referrers.Chunks().empty()) return {};
  std::unordered_set<std::string> ids;
  const std::string prefix = LocalPrefix(snapshot_->Numbers().TypeName(type));
  for (const fhir::search::IndexId index : expression.references) {
    const IndexView view = ViewOf(referrer_type, index);
    if (view.index == 0) return {};
    WalkPrefix(view, prefix,
               [&](std::string_view value, std::uint32_t chunk, std::string_view posting) {
                 const Bitmap* asking = referrers.Find(chunk);
                 if (asking == nullptr) return true;
                 Bitmap referring;
                 if (!AddPosting(posting, &referring)) {
                   work_->Fail(fhir::Internal("a posting is damaged"));
                   return false;
                 }
                 if (asking->intersect(referring)) ids.emplace(IdIn(value, prefix.size()));
                 return true;
               });
  }
  const std::vector<std::string> targets(ids.begin(), ids.end());
  return FindIds(type, targets);
}

}  // namespace storage
