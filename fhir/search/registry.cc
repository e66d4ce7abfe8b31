#include "fhir/search/registry.h"

#include <algorithm>
#include <utility>

#include "fhir/base/check.h"
#include "fhir/search/extraction_plan.h"
#include "fhir/search/registry_parts.h"
#include "fhir/search/types/composite.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

using definitions::SearchParameterDefinition;
using definitions::TypeId;

namespace {

// Constants that are wrong stop the process at start, with their name.
template <class T>
T Checked(Result<T> result, const SearchParameterDefinition& definition) {
  if (!result) std::fprintf(stderr, "%s\n", std::string(definition.url).c_str());
  FHIR_CHECK(result.has_value(), "every R4 search parameter compiles");
  return *std::move(result);
}

bool AppliesTo(const SearchParameterDefinition& definition, std::string_view resource_type) {
  return std::any_of(definition.base.begin(), definition.base.end(),
                     [&](std::string_view base) { return IsBaseOf(base, resource_type); });
}

const SearchParameterDefinition& DefinitionOf(std::string_view url) {
  for (const SearchParameterDefinition& definition : definitions::SearchParameters()) {
    if (definition.url == url) return definition;
  }
  FHIR_CHECK(false, "components of R4 composites are R4 search parameters");
}

// Evaluated from id and version, not from index entries.
bool HasNoIndex(const SearchParameterDefinition& definition) {
  return definition.code == "_id" || definition.code == "_lastUpdated";
}

std::vector<std::string> Strings(std::span<const std::string_view> views) {
  return {views.begin(), views.end()};
}

// RequestGroup-instantiates-canonical has no targets in R4: any type.
std::vector<std::string> TargetsOf(const SearchParameterDefinition& definition) {
  if (definition.type != SearchType::kReference || !definition.targets.empty()) {
    return Strings(definition.targets);
  }
  return AllResourceTypes();
}

bool IsOfWords(const SearchParameterDefinition& definition) {
  return definition.code == "_text" || definition.code == "_content";
}

// Parameters whose expressions R4 leaves out, because FHIRPath cannot say them.
std::vector<Path> PathsOfWords(const SearchParameterDefinition& definition,
                               std::string_view resource_type) {
  const std::string type(resource_type);
  if (definition.code == "_text") {
    return Checked(CompilePaths(type + ".text.div", resource_type), definition);
  }
  Path whole;
  whole.text = type;
  return {whole};
}

// _list has no definition in R4's bundle of search parameters.
SearchParameter ListParameter() {
  SearchParameter parameter;
  parameter.code = "_list";
  parameter.type = SearchType::kSpecial;
  return parameter;
}

}  // namespace

std::string KindOf(const SearchTypeSpec& spec) {
  std::string kind(spec.name);
  if (spec.revision > 1) kind += '.' + std::to_string(spec.revision);
  return kind;
}

bool IsBaseOf(std::string_view base, std::string_view resource_type) {
  if (base == resource_type || base == "Resource") return true;
  const definitions::TypeId type = definitions::FindType(resource_type);
  return base == "DomainResource" && definitions::FindElement(type, "text") != nullptr;
}

std::vector<std::string> AllResourceTypes() {
  std::vector<std::string> all;
  for (const definitions::Type& type : definitions::Types()) {
    if (type.kind == definitions::TypeKind::kResource) all.emplace_back(type.name);
  }
  return all;
}

// Fills one Registry.
class RegistryBuilder {
 public:
  explicit RegistryBuilder(const RegistryOptions& options)
      : options_(options), registry_(new Registry) {
    IndexSpec references;
    references.key = "references";
    references.type = SearchType::kReference;
    registry_->AddIndex(std::move(references));
  }

  void AddType(std::string_view resource_type) {
    auto of_type = std::make_shared<Registry::OfType>();
    for (const SearchParameterDefinition& definition : definitions::SearchParameters()) {
      if (!AppliesTo(definition, resource_type)) continue;
      if (definition.code == "_content" && !options_.index_content) continue;
      if (definition.expression.empty() && !IsOfWords(definition)) continue;
      of_type->parameters.push_back(Compile(definition, resource_type));
      for (const IndexId index : of_type->parameters.back().indexes) {
        of_type->indexes.push_back(index);
      }
    }
    of_type->parameters.push_back(ListParameter());
    registry_->Complete(of_type.get());
    registry_->types_[resource_type] = std::move(of_type);
  }

  std::unique_ptr<const Registry> Finish() && {
    registry_->r4_types_ = registry_->types_;
    registry_->r4_index_count_ = registry_->indexes_.size();
    return std::move(registry_);
  }

 private:
  SearchParameter Compile(const SearchParameterDefinition& definition,
                          std::string_view resource_type) {
    SearchParameter parameter;
    parameter.code = definition.code;
    parameter.url = definition.url;
    parameter.type = definition.type;
    parameter.targets = TargetsOf(definition);
    if (HasNoIndex(definition)) return parameter;
    parameter.rules = IsOfWords(definition) ? &kWordsType : FindSearchType(definition.type);
    for (const definitions::SearchComponent& component : definition.components) {
      const SearchParameterDefinition& part = DefinitionOf(component.definition);
      parameter.components.push_back({part.type, TargetsOf(part)});
    }
    std::vector<Path> paths =
        IsOfWords(definition)
            ? PathsOfWords(definition, resource_type)
            : Checked(CompilePaths(definition.expression, resource_type), definition);
    FHIR_CHECK(!paths.empty(), "every R4 search parameter has a path in each of its types");
    for (Path& path : paths) {
      if (!path.resolve_is.empty()) {
        parameter.only_type = path.resolve_is;
        parameter.targets = {path.resolve_is};
      }
      AddIndex(SpecOf(definition, parameter.rules, resource_type, std::move(path)), &parameter);
    }
    return parameter;
  }

  IndexSpec SpecOf(const SearchParameterDefinition& definition, const SearchTypeSpec* rules,
                   std::string_view resource_type, Path path) {
    IndexSpec spec;
    spec.resource_type = resource_type;
    spec.type = definition.type;
    spec.rules = rules;
    spec.path = std::move(path);
    spec.path.resolve_is.clear();  // The parameter's business: the index is shared.
    spec.key = spec.path.text;
    if (definition.type == SearchType::kComposite) AddComponents(definition, &spec);
    spec.key += ':' + KindOf(*rules);
    return spec;
  }

  void AddComponents(const SearchParameterDefinition& definition, IndexSpec* spec) {
    const TypeId resource = definitions::FindType(spec->resource_type);
    const TypeId base = spec->path.steps.empty() ? resource : spec->path.steps.back().type;
    spec->key += '(';
    for (std::size_t i = 0; i < definition.components.size(); ++i) {
      ComponentSpec component;
      component.type = DefinitionOf(definition.components[i].definition).type;
      component.paths = Checked(
          CompileRelativePaths(definition.components[i].expression, base, resource), definition);
      std::erase_if(component.paths,
                    [&](const Path& path) { return EncoderOf(component.type, path) == nullptr; });
      FHIR_CHECK(!component.paths.empty(), "every component of an R4 composite has values");
      if (i > 0) spec->key += ',';
      for (std::size_t p = 0; p < component.paths.size(); ++p) {
        spec->key += (p > 0 ? "|" : "") + component.paths[p].text;
      }
      spec->key += ':' + KindOf(*FindSearchType(component.type));
      spec->components.push_back(std::move(component));
    }
    spec->key += ')';
  }

  void AddIndex(IndexSpec spec, SearchParameter* parameter) {
    const IndexId index = registry_->AddIndex(std::move(spec));
    std::vector<IndexId>& indexes = parameter->indexes;
    if (std::find(indexes.begin(), indexes.end(), index) == indexes.end()) indexes.push_back(index);
  }

  const RegistryOptions options_;
  std::unique_ptr<Registry> registry_;
};

Registry::Registry() = default;
Registry::~Registry() = default;

IndexId Registry::AddIndex(IndexSpec spec) {
  const auto next = static_cast<IndexId>(indexes_.size());
  const auto [known, is_new] = by_key_.try_emplace(spec.key, next);
  if (is_new) {
    indexes_.push_back(std::make_shared<const IndexSpec>(std::move(spec)));
    used_.push_back(true);
  }
  used_[known->second] = true;
  return known->second;
}

void Registry::Complete(OfType* of_type) const {
  std::sort(of_type->parameters.begin(), of_type->parameters.end(),
            [](const SearchParameter& a, const SearchParameter& b) { return a.code < b.code; });
  std::vector<IndexId>& indexes = of_type->indexes;
  std::sort(indexes.begin(), indexes.end());
  indexes.erase(std::unique(indexes.begin(), indexes.end()), indexes.end());
  auto plan = std::make_shared<ExtractionPlan>();
  for (const IndexId index : indexes) plan->Add(*indexes_[index], index);
  of_type->plan = std::move(plan);
}

std::unique_ptr<const Registry> Registry::BuildR4(const RegistryOptions& options) {
  RegistryBuilder builder(options);
  for (const definitions::Type& type : definitions::Types()) {
    if (type.kind == definitions::TypeKind::kResource) builder.AddType(type.name);
  }
  return std::move(builder).Finish();
}

const Registry::OfType* Registry::FindOfType(std::string_view resource_type) const {
  const auto found = types_.find(resource_type);
  return found == types_.end() ? nullptr : found->second.get();
}

const SearchParameter* Registry::Find(std::string_view resource_type, std::string_view code) const {
  const std::span<const SearchParameter> parameters = ParametersOf(resource_type);
  const auto found = std::lower_bound(
      parameters.begin(), parameters.end(), code,
      [](const SearchParameter& p, std::string_view wanted) { return p.code < wanted; });
  return found != parameters.end() && found->code == code ? &*found : nullptr;
}

std::span<const SearchParameter> Registry::ParametersOf(std::string_view resource_type) const {
  const OfType* of_type = FindOfType(resource_type);
  if (of_type == nullptr) return {};
  return of_type->parameters;
}

std::span<const IndexId> Registry::IndexesOf(std::string_view resource_type) const {
  const OfType* of_type = FindOfType(resource_type);
  if (of_type == nullptr) return {};
  return of_type->indexes;
}

const ExtractionPlan* Registry::PlanOf(std::string_view resource_type) const {
  const OfType* of_type = FindOfType(resource_type);
  return of_type == nullptr ? nullptr : of_type->plan.get();
}

}  // namespace fhir::search
