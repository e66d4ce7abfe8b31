// fhir/search/extend_registry.cc -- Registry::With: own search parameters beside R4's.
#include <algorithm>
#include <map>
#include <utility>

#include "fhir/search/own_paths.h"
#include "fhir/search/registry.h"
#include "fhir/search/registry_parts.h"

namespace fhir::search {
namespace {

using definitions::SearchParameterDefinition;

// Numbers of indexes have two bytes on disk and are never given twice.
constexpr std::size_t kMaxIndexes = 20'000;

Error Bad(std::string problem, std::string_view element) {
  return Unprocessable(std::move(problem), "SearchParameter." + std::string(element));
}

const SearchParameterDefinition* FindR4(std::string_view url) {
  const auto all = definitions::SearchParameters();
  const auto found = std::ranges::find(all, url, &SearchParameterDefinition::url);
  return found == all.end() ? nullptr : &*found;
}

// HL7's own resource of an R4 parameter says nothing new; another one with its URL would.
bool Repeats(const OwnParameter& own, const SearchParameterDefinition& r4) {
  return own.code == r4.code && own.type == r4.type && own.expression == r4.expression &&
         std::ranges::equal(own.base, r4.base);
}

}  // namespace

// Makes one Registry out of another.
class RegistryExtender {
 public:
  explicit RegistryExtender(const Registry& previous) : registry_(new Registry(previous)) {
    registry_->types_ = registry_->r4_types_;
    registry_->own_.clear();
    const auto own = static_cast<std::ptrdiff_t>(registry_->r4_index_count_);
    std::fill(registry_->used_.begin() + own, registry_->used_.end(), false);
  }

  Result<void> Add(OwnParameter own) {
    if (const SearchParameterDefinition* r4 = FindR4(own.url)) {
      if (!Repeats(own, *r4)) {
        return Fail(Bad("the search parameters of R4 cannot be defined otherwise", "url"));
      }
    } else {
      for (const definitions::Type& type : definitions::Types()) {
        if (type.kind == definitions::TypeKind::kResource && HasBase(own, type.name)) {
          FHIR_TRY_VOID(AddToType(own, type.name));
        }
      }
    }
    registry_->own_.push_back(std::move(own));
    return {};
  }

  RegistryPtr Finish() && {
    for (auto& [name, of_type] : changed_) {
      registry_->Complete(of_type.get());
      registry_->types_[name] = std::move(of_type);
    }
    return std::move(registry_);
  }

 private:
  static bool HasBase(const OwnParameter& own, std::string_view type) {
    return std::ranges::any_of(own.base,
                               [&](const std::string& base) { return IsBaseOf(base, type); });
  }

  Result<void> AddToType(const OwnParameter& own, std::string_view type) {
    auto& of_type = changed_[type];
    if (of_type == nullptr) {
      of_type = std::make_shared<Registry::OfType>(*registry_->types_.at(type));
    }
    for (const SearchParameter& other : of_type->parameters) {
      if (other.code != own.code) continue;
      return other.url == own.url ? CheckSame(own) : Collision(own, other, type);
    }
    FHIR_TRY(parameter, Compile(own, type));
    of_type->indexes.insert(of_type->indexes.end(), parameter.indexes.begin(),
                            parameter.indexes.end());
    of_type->parameters.push_back(std::move(parameter));
    return {};
  }

  // Several resources may hold one parameter, if they agree.
  Result<void> CheckSame(const OwnParameter& own) const {
    for (const OwnParameter& other : registry_->own_) {
      if (other.url != own.url || other.IsSame(own)) continue;
      return Fail(Bad(other.source + " defines the same url otherwise", "url"));
    }
    return {};
  }

  static Result<void> Collision(const OwnParameter& own, const SearchParameter& other,
                                std::string_view type) {
    return Fail(Bad(std::string(type) + " has a search parameter '" + own.code + "' already" +
                        (other.url.empty() ? "" : ", " + other.url),
                    "code"));
  }

  Result<SearchParameter> Compile(const OwnParameter& own, std::string_view type) {
    FHIR_TRY(compiled, CompileOwn(own, type));
    SearchParameter parameter;
    parameter.code = own.code;
    parameter.url = own.url;
    parameter.type = own.type;
    parameter.rules = FindSearchType(own.type);
    if (own.type == SearchType::kReference) {
      parameter.targets = own.targets.empty() ? AllResourceTypes() : own.targets;
    }
    for (Path& path : compiled.paths) {
      if (!path.resolve_is.empty()) {
        parameter.only_type = path.resolve_is;
        parameter.targets = {path.resolve_is};
      }
      IndexSpec spec = SpecOf(parameter, type);
      spec.path = std::move(path);
      spec.path.resolve_is.clear();  // The parameter's business: the index is shared.
      spec.key = spec.path.text + ':' + KindOf(*parameter.rules);
      FHIR_TRY_VOID(AddIndex(std::move(spec), &parameter));
    }
    if (compiled.evaluated) {
      IndexSpec spec = SpecOf(parameter, type);
      spec.evaluated = std::move(compiled.evaluated);
      spec.key = std::string(type) + "{" + own.expression + "}:" + KindOf(*parameter.rules);
      FHIR_TRY_VOID(AddIndex(std::move(spec), &parameter));
    }
    return parameter;
  }

  static IndexSpec SpecOf(const SearchParameter& parameter, std::string_view type) {
    IndexSpec spec;
    spec.resource_type = type;
    spec.type = parameter.type;
    spec.rules = parameter.rules;
    return spec;
  }

  Result<void> AddIndex(IndexSpec spec, SearchParameter* parameter) {
    if (registry_->indexes_.size() >= kMaxIndexes) {
      return Fail(Bad("the server has no room for more search parameters", "expression"));
    }
    parameter->indexes.push_back(registry_->AddIndex(std::move(spec)));
    return {};
  }

  std::shared_ptr<Registry> registry_;
  std::map<std::string_view, std::shared_ptr<Registry::OfType>> changed_;
};

tl::expected<RegistryPtr, RejectedParameter> Registry::With(std::vector<OwnParameter> own) const {
  RegistryExtender extender(*this);
  for (std::size_t i = 0; i < own.size(); ++i) {
    auto added = extender.Add(std::move(own[i]));
    if (!added) return tl::unexpected(RejectedParameter{i, std::move(added).error()});
  }
  return std::move(extender).Finish();
}

}  // namespace fhir::search
