#include "fhir/search/own_parameter.h"

#include <algorithm>
#include <utility>

namespace fhir::search {
namespace {

using definitions::SearchType;

constexpr std::size_t kMaxCodeBytes = 64;

Error Bad(std::string problem, std::string_view element) {
  return Unprocessable(std::move(problem), "SearchParameter." + std::string(element));
}

std::vector<std::string> TextsOf(const json::Value& resource, std::string_view name) {
  std::vector<std::string> texts;
  const json::Value list = resource.Find(name);
  if (list.IsNone()) return texts;
  for (const json::Value item : list.Children()) texts.emplace_back(item.StringOrEmpty());
  return texts;
}

bool IsCode(std::string_view code) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto is_allowed = [&](char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
  };
  return !code.empty() && code.size() <= kMaxCodeBytes && is_letter(code.front()) &&
         std::ranges::all_of(code, is_allowed);
}

Result<SearchType> TypeOf(std::string_view text) {
  constexpr SearchType kSupported[] = {SearchType::kNumber, SearchType::kDate,
                                       SearchType::kString, SearchType::kToken,
                                       SearchType::kReference, SearchType::kQuantity,
                                       SearchType::kUri};
  for (const SearchType type : kSupported) {
    if (definitions::ToString(type) == text) return type;
  }
  return Fail(Bad("own search parameters of type " + std::string(text) + " are not supported",
                  "type"));
}

Result<void> CheckTypes(const std::vector<std::string>& names, std::string_view element,
                        bool abstract_too) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool is_abstract = names[i] == "Resource" || names[i] == "DomainResource";
    if (definitions::IsResourceType(names[i]) || (is_abstract && abstract_too)) continue;
    return Fail(Bad("'" + names[i] + "' is not a resource type",
                    std::string(element) + "[" + std::to_string(i) + "]"));
  }
  return {};
}

// "Resource" as a target means any type, as none does.
void WidenTargets(std::vector<std::string>* targets) {
  const auto is_abstract = [](const std::string& target) {
    return target == "Resource" || target == "DomainResource";
  };
  if (std::ranges::any_of(*targets, is_abstract)) targets->clear();
}

Result<void> Check(const OwnParameter& parameter) {
  if (parameter.url.empty()) return Fail(Bad("an active search parameter has a url", "url"));
  if (!IsCode(parameter.code)) {
    return Fail(Bad("a code begins with a letter and holds up to 64 letters, digits, - and _",
                    "code"));
  }
  if (parameter.base.empty()) return Fail(Bad("base is missing", "base"));
  FHIR_TRY_VOID(CheckTypes(parameter.base, "base", /*abstract_too=*/true));
  FHIR_TRY_VOID(CheckTypes(parameter.targets, "target", /*abstract_too=*/false));
  if (parameter.expression.empty()) return Fail(Bad("expression is missing", "expression"));
  if (parameter.expression.size() > kMaxOwnExpressionBytes) {
    return Fail(Bad("expressions of more than " + std::to_string(kMaxOwnExpressionBytes) +
                        " bytes are not supported",
                    "expression"));
  }
  return {};
}

}  // namespace

Result<std::optional<OwnParameter>> ReadOwnParameter(const json::Value& resource,
                                                     std::string source) {
  if (resource.Find("status").StringOrEmpty() != "active") return std::nullopt;
  OwnParameter parameter;
  parameter.source = std::move(source);
  parameter.url = resource.Find("url").StringOrEmpty();
  parameter.code = resource.Find("code").StringOrEmpty();
  parameter.base = TextsOf(resource, "base");
  parameter.targets = TextsOf(resource, "target");
  parameter.expression = resource.Find("expression").StringOrEmpty();
  FHIR_TRY(type, TypeOf(resource.Find("type").StringOrEmpty()));
  parameter.type = type;
  // How values are compared would be another.
  const std::string_view usage = resource.Find("xpathUsage").StringOrEmpty();
  if (!usage.empty() && usage != "normal") {
    return Fail(Bad("only the usage 'normal' is supported", "xpathUsage"));
  }
  WidenTargets(&parameter.targets);
  FHIR_TRY_VOID(Check(parameter));
  return parameter;
}

}  // namespace fhir::search
