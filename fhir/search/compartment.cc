#include "fhir/search/query.h"
#include "fhir/search/types/reference.h"

namespace fhir::search {

std::optional<Expression> CompartmentExpression(const Registry& registry,
                                                std::string_view compartment, std::string_view id,
                                                std::string_view resource_type) {
  if (resource_type == compartment) return Expression::Ids({std::string(id)});
  const definitions::CompartmentMember* member =
      definitions::FindCompartmentMember(compartment, resource_type);
  if (member == nullptr) return std::nullopt;
  const std::string value = LocalReferenceValue(compartment, id);
  std::vector<ValueRange> references;
  for (const std::string_view code : member->parameters) {
    const SearchParameter* parameter = registry.Find(resource_type, code);
    if (parameter == nullptr || parameter->type != SearchType::kReference) continue;
    for (const IndexId index : parameter->indexes) {
      references.push_back(ExactValue(value));
      references.back().index = index;
    }
  }
  if (references.empty()) return std::nullopt;
  return Expression::Values(std::move(references));
}

}  // namespace fhir::search
