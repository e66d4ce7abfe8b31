// server/interactions/bundle.cc -- POST [base]: a batch or a transaction (R4 3.1.0.11).
#include <algorithm>
#include <utility>

#include "server/interactions/interaction.h"
#include "server/interactions/parsed_bundle.h"
#include "server/interactions/write_parameters.h"

namespace server {
namespace {

// In a batch an entry's resource may be bad without harm to the others: the entry's own handler
// inspects it again and says so.
bool LiesInEntryResource(const fhir::Issue& issue) {
  constexpr std::string_view kEntry = "Bundle.entry[";
  if (!issue.expression.starts_with(kEntry)) return false;
  const std::size_t bracket = issue.expression.find(']', kEntry.size());
  return bracket != std::string::npos &&
         std::string_view(issue.expression).substr(bracket + 1).starts_with(".resource");
}

fhir::Result<Preparation> PrepareBundle(const Request& request, const PathParameters&,
                                        const Context& context) {
  FHIR_TRY_VOID(CheckWriteParameters(request, request.query));
  FHIR_TRY(source, ParseResource(request.body));
  const bool is_batch = source.Root().Find("resourceType").StringOrEmpty() == "Bundle" &&
                        source.Root().Find("type").StringOrEmpty() == "batch";
  std::vector<fhir::Issue>& issues = source.inspection.issues;
  if (is_batch) std::erase_if(issues, &LiesInEntryResource);
  if (!issues.empty()) return fhir::Fail(fhir::InvalidStructure(std::move(issues)));
  FHIR_TRY(bundle, fhir::model::ReadBundle(source.Root(), request.base_url));
  ParsedBundle parsed{std::move(source), std::move(bundle)};
  if (is_batch) return PlanBatch(std::move(parsed), request);
  return PrepareTransaction(std::move(parsed), request, context);
}

}  // namespace

extern const Interaction kBundle;
const Interaction kBundle = {.verb = Verb::kPost,
                             .shape = PathShape::kBase,
                             .handler = {.code = "bundle", .prepare = &PrepareBundle},
                             .listed_as = {}};

}  // namespace server
