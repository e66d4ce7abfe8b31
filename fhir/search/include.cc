#include "fhir/search/include.h"

#include <algorithm>
#include <utility>

#include "fhir/search/escape.h"
#include "fhir/search/parameter_parser.h"
#include "fhir/search/types/composite.h"
#include "fhir/search/types/reference.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {
namespace {

constexpr std::string_view kInclude = "_include";
constexpr std::string_view kReverse = "_revinclude";
constexpr std::string_view kWildcard = "*";

std::string Quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

std::string_view NameOf(std::string_view name) {
  return name.substr(0, name.find(':'));
}

// "Observation:subject:Patient"
struct Parts {
  std::string_view source;
  std::string_view code;
  std::string_view target;
};

// Parses one include. Owner: ParseInclude, on the stack.
class IncludeParser {
 public:
  IncludeParser(const Registry& registry, std::string_view name, std::string_view value,
                bool* unknown)
      : registry_(registry), name_(name), value_(value), unknown_(unknown) {}

  Result<Include> Parse() {
    FHIR_TRY_VOID(TakeModifier());
    if (value_ == kWildcard) return std::move(include_);
    FHIR_TRY(parts, Split());
    if (!definitions::IsResourceType(parts.source)) {
      return Fail(Bad(Quoted(parts.source) + " is no resource type"));
    }
    if (!parts.target.empty() && !definitions::IsResourceType(parts.target)) {
      return Fail(Bad(Quoted(parts.target) + " is no resource type"));
    }
    include_.source = parts.source;
    include_.target = parts.target;
    if (parts.code != kWildcard) FHIR_TRY_VOID(TakeParameter(parts));
    return std::move(include_);
  }

 private:
  Result<void> TakeModifier() {
    include_.reverse = NameOf(name_) == kReverse;
    const std::size_t colon = name_.find(':');
    if (colon == std::string_view::npos) return {};
    const std::string_view modifier = name_.substr(colon + 1);
    // STU3 said recurse.
    if (modifier != "iterate" && modifier != "recurse") {
      return Fail(NotSupported("parameter " + Quoted(name_) +
                               " has no modifier ':" + std::string(modifier) + "'"));
    }
    include_.iterate = true;
    return {};
  }

  Result<Parts> Split() const {
    const std::size_t first = value_.find(':');
    if (first == std::string_view::npos) return Fail(Bad("is not Type:parameter"));
    const std::size_t second = value_.find(':', first + 1);
    Parts parts{value_.substr(0, first), value_.substr(first + 1, second - first - 1), {}};
    if (second == std::string_view::npos) return parts;
    parts.target = value_.substr(second + 1);
    if (parts.target.empty()) return Fail(Bad("names no type after the second colon"));
    return parts;
  }

  Result<void> TakeParameter(const Parts& parts) {
    const SearchParameter* parameter = registry_.Find(parts.source, parts.code);
    if (parameter == nullptr) return Fail(Unknown(parts));
    if (parameter->type != SearchType::kReference) {
      return Fail(Bad(Quoted(parts.code) + " is not a reference"));
    }
    const std::vector<std::string>& targets = parameter->targets;
    if (!parts.target.empty() && std::ranges::find(targets, parts.target) == targets.end()) {
      return Fail(Bad(Quoted(parts.code) + " does not refer to " + Quoted(parts.target)));
    }
    include_.references = parameter->indexes;
    if (!parameter->only_type.empty()) include_.target = parameter->only_type;
    if (std::ranges::any_of(parameter->indexes, [&](IndexId i) { return HoldsUrls(i); })) {
      SetCanonicalTargets(*parameter);
    }
    return {};
  }

  bool HoldsUrls(IndexId index) const {
    const std::vector<Step>& steps = registry_.IndexAt(index).path.steps;
    if (steps.empty()) return false;
    const std::string_view type = definitions::GetType(steps.back().type).name;
    return type == "canonical" || type == "uri";
  }

  void SetCanonicalTargets(const SearchParameter& parameter) {
    for (const std::string& target : parameter.targets) {
      if (!include_.target.empty() && include_.target != target) continue;
      if (registry_.Find(target, "url") != nullptr) include_.canonical_targets.push_back(target);
    }
  }

  Error Bad(std::string_view problem) const {
    return Invalid(
        "parameter " + Quoted(name_) + ": " + Quoted(value_) + " " + std::string(problem),
        std::string(name_));
  }

  Error Unknown(const Parts& parts) const {
    if (unknown_ != nullptr) *unknown_ = true;
    std::string text = "parameter " + Quoted(name_) + ": " + std::string(parts.source) +
                       " has no search parameter " + Quoted(parts.code);
    const std::string nearest =
        unknown_ == nullptr ? NearestName(registry_, parts.source, parts.code) : "";
    if (!nearest.empty()) text += "; did you mean " + Quoted(nearest) + "?";
    return NotSupported(std::move(text));
  }

  const Registry& registry_;
  std::string_view name_;
  std::string_view value_;
  bool* unknown_;
  Include include_;
};

// Resources that have this very text under the parameter.
Expression WithText(const Registry& registry, std::string_view type, std::string_view code,
                    std::string_view text) {
  const SearchParameter* parameter = registry.Find(type, code);
  if (parameter == nullptr || text.empty()) return Expression::None();
  const std::string escaped = Escape(text);
  SearchValue value;
  value.name = code;
  value.text = escaped;
  const auto ranges = FindSearchType(parameter->type)->parse(value);
  if (!ranges) return Expression::None();
  std::vector<ValueRange> all;
  for (const IndexId index : parameter->indexes) {
    for (const ValueRange& range : *ranges) {
      all.push_back(range);
      all.back().index = index;
    }
  }
  return Expression::Values(std::move(all));
}

}  // namespace

bool IsInclude(std::string_view name) {
  return NameOf(name) == kInclude || NameOf(name) == kReverse;
}

Result<Include> ParseInclude(const Registry& registry, std::string_view name,
                             std::string_view value, bool* unknown) {
  return IncludeParser(registry, name, value, unknown).Parse();
}

Referred ReferencesIn(const Registry& registry, const ExtractOptions& options,
                      const Include& include, const json::Value& resource) {
  IndexEntries entries;
  ValueSink sink(options, {}, &entries);
  for (const IndexId index : include.references) {
    const IndexSpec& spec = registry.IndexAt(index);
    const Encoder encode = EncoderOf(spec.type, spec.path);
    if (encode == nullptr) continue;
    sink.Target(index, /*in_tuple=*/false);
    WalkSteps(spec.path.steps, resource,
              [&](const json::Value& value) { encode({value, {}}, &sink); });
  }
  Referred referred;
  for (const IndexEntries::Entry& entry : entries.List()) {
    const std::string_view value = entries.ValueOf(entry);
    if (const std::string_view literal = LiteralIn(value); !literal.empty()) {
      referred.literals.emplace_back(literal);
    } else if (const std::string_view url = UrlIn(value); !url.empty()) {
      referred.canonicals.emplace_back(url);
    }
  }
  return referred;
}

Expression ReferrersTo(const Include& include, std::string_view target,
                       const std::vector<std::string>& ids,
                       const std::vector<std::string>& canonicals) {
  std::vector<ValueRange> values;
  const auto add = [&](IndexId index, std::string value) {
    values.push_back(ExactValue(std::move(value)));
    values.back().index = index;
  };
  for (const std::string& id : ids) {
    const std::string value = LocalReferenceValue(target, id);
    // The index of all references has no tags.
    if (include.IsOfAllReferences()) add(kReferencesIndex, value.substr(1));
    for (const IndexId index : include.references) add(index, value);
  }
  for (const std::string& canonical : canonicals) {
    for (const IndexId index : include.references) add(index, UrlReferenceValue(canonical));
  }
  return Expression::Values(std::move(values));
}

Expression CarriersOf(const Registry& registry, std::string_view type,
                      const std::vector<std::string>& canonicals) {
  std::vector<Expression> any;
  for (const std::string_view canonical : canonicals) {
    const std::size_t bar = canonical.find('|');
    std::vector<Expression> both;
    both.push_back(WithText(registry, type, "url", canonical.substr(0, bar)));
    if (bar != std::string_view::npos) {
      both.push_back(WithText(registry, type, "version", canonical.substr(bar + 1)));
    }
    any.push_back(Expression::And(std::move(both)));
  }
  return Expression::Or(std::move(any));
}

std::vector<std::string> CanonicalsOf(const json::Value& resource) {
  std::vector<std::string> canonicals;
  const std::string_view url = resource.Find("url").StringOrEmpty();
  if (url.empty()) return canonicals;
  canonicals.emplace_back(url);
  const std::string_view version = resource.Find("version").StringOrEmpty();
  if (!version.empty()) canonicals.push_back(std::string(url) + "|" + std::string(version));
  return canonicals;
}

}  // namespace fhir::search
