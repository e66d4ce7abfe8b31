// cases/*.json have a case for every search type with every modifier and prefix, those that are
// refused included, and for everything else that a search can ask.
#include <algorithm>
#include <iostream>
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "fhir/search/query.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/search_type.h"
#include "tests/conformance/search/case_file.h"

namespace conformance {
namespace {

using fhir::search::SearchParameter;
using fhir::search::SearchTypeSpec;

constexpr std::string_view kPrefixes[] = {"eq", "ne", "gt", "lt", "ge", "le", "sa", "eb", "ap"};
// All that R4 has, a type among them.
constexpr std::string_view kModifiers[] = {"missing", "exact",   "contains",   "text",
                                           "not",     "in",      "not-in",     "above",
                                           "below",   "of-type", "identifier", "[type]"};

struct Tally {
  int hits = 0;   // Found something, and not all of the type.
  int cases = 0;  // Answered.
  int refused = 0;
};

// Counts cases by what they ask.
class Coverage {
 public:
  Coverage() : registry_(fhir::search::Registry::BuildR4({.index_content = true})) {
    for (const std::string& name : CaseFileNames()) {
      const CaseFile file = LoadCaseFile(name);
      for (const Case& one : file.cases) Count(file, one);
    }
  }

  const Tally& Of(const std::string& what) { return tallies_[what]; }
  const fhir::search::Registry& Registry() const { return *registry_; }
  int CaseCount() const { return cases_; }

 private:
  void Count(const CaseFile& file, const Case& one) {
    ++cases_;
    const std::size_t question = std::min(one.query.find('?'), one.query.size());
    path_ = one.query.substr(0, question);
    const std::string shown = path_.substr(path_.rfind('/') + 1);
    const auto stored = static_cast<std::size_t>(
        std::count_if(file.names.begin(), file.names.end(),
                      [&](const std::string& n) { return n.starts_with(shown + "/"); }));
    is_hit_ = !one.ids.empty() && one.ids.size() < stored;
    status_ = one.status;
    const std::size_t slash = path_.find('/');
    if (slash != std::string::npos) Add("compartment " + path_.substr(0, slash));
    if (one.form) Add("form");
    if (!one.prefer.empty()) Add(one.prefer);
    const auto parameters = fhir::search::DecodeParameters(
        question < one.query.size() ? one.query.substr(question + 1) : "");
    ASSERT_TRUE(parameters.has_value()) << one.query;
    for (const auto& [name, value] : *parameters) Count(shown, name, value);
  }

  void Count(const std::string& type, std::string name, const std::string& value) {
    const std::string code = name.substr(0, name.find_first_of(":."));
    if (code == "_sort") return CountSort(type, value);
    if (code == "_total" || code == "_summary") return Add(code + "=" + value);
    if (code == "_has") {
      Add("_has");
      return CountEnd("_has ", name);
    }
    if (name.find('.') != std::string::npos) {
      Add("chain");
      return CountEnd("chain ", name);
    }
    const SearchParameter* parameter = registry_->Find(type, code);
    if (parameter == nullptr || code.starts_with("_include") || code.starts_with("_rev")) {
      return Add(name);
    }
    Add(code);
    if (parameter->rules == nullptr) return;
    std::string modifier = code == name ? "" : name.substr(code.size() + 1);
    if (fhir::definitions::IsResourceType(modifier)) modifier = "[type]";
    const std::string spec(parameter->rules->name);
    Add(spec + ":" + modifier);
    std::string components;
    for (const auto& component : parameter->components) {
      components += " $ " + std::string(ToString(component.type));
    }
    if (!components.empty()) Add("composite of" + components);
    if (!modifier.empty()) return;
    for (const std::string_view prefix : kPrefixes) {
      if (value.starts_with(prefix)) Add(spec + " " + std::string(prefix));
      if (value.find("$" + std::string(prefix)) != std::string::npos) {
        Add("composite " + std::string(prefix));
      }
    }
  }

  // The search type of what a chain or _has ends in.
  void CountEnd(const std::string& kind, const std::string& name) {
    const std::size_t dot = name.rfind('.');
    std::string last = name.substr(dot == std::string::npos ? 0 : dot + 1);
    if (last.starts_with("_has:")) {
      for (int colons = 0; colons < 3; ++colons) last = last.substr(last.find(':') + 1);
    }
    last = last.substr(0, last.find(':'));
    std::set<std::string> types;
    for (const auto& definition : fhir::definitions::SearchParameters()) {
      if (definition.code == last) types.emplace(ToString(definition.type));
    }
    if (types.size() == 1) Add(kind + *types.begin());
  }

  void CountSort(const std::string& type, const std::string& value) {
    Add(value.find(',') == std::string::npos ? "_sort" : "_sort by several");
    std::string code = value.substr(0, value.find(','));
    const bool is_descending = code.starts_with('-');
    if (is_descending) code.erase(0, 1);
    Add(is_descending ? "_sort descending" : "_sort ascending");
    const SearchParameter* parameter = registry_->Find(type, code);
    if (parameter == nullptr || parameter->rules == nullptr) return Add("_sort by " + code);
    Add("_sort by " + std::string(parameter->rules->name));
  }

  void Add(const std::string& what) {
    Tally& tally = tallies_[what];
    if (status_ != 200) {
      ++tally.refused;
    } else {
      ++tally.cases;
      tally.hits += is_hit_ ? 1 : 0;
    }
  }

  std::unique_ptr<const fhir::search::Registry> registry_;
  std::map<std::string, Tally> tallies_;
  int cases_ = 0;
  // Of the case that is counted:
  std::string path_;
  bool is_hit_ = false;
  int status_ = 0;
};

class CoverageTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { coverage_ = new Coverage; }
  static void TearDownTestSuite() { delete coverage_; }
  static const Tally& Of(const std::string& what) { return coverage_->Of(what); }

  static Coverage* coverage_;
};
Coverage* CoverageTest::coverage_ = nullptr;

TEST_F(CoverageTest, EveryTypeWithEveryModifier) {
  for (const SearchTypeSpec* spec : fhir::search::AllSearchTypes()) {
    const std::string name(spec->name);
    EXPECT_GT(Of(name + ":").hits, 0) << name << " without modifier";
    // Any text may be a URI.
    if (spec != &fhir::search::kUriType) {
      EXPECT_GT(Of(name + ":").refused, 0) << name << " with a bad value";
    }
    for (const std::string_view modifier : kModifiers) {
      const bool has = modifier == "missing" ||
                       std::find(spec->modifiers.begin(), spec->modifiers.end(), modifier) !=
                           spec->modifiers.end();
      const Tally& tally = Of(name + ":" + std::string(modifier));
      EXPECT_GT(has ? tally.hits : tally.refused, 0) << name << ":" << modifier;
      if (!has) EXPECT_EQ(tally.cases, 0) << name << ":" << modifier;
    }
    EXPECT_GT(Of(name + ":nonsense").refused, 0) << name;
  }
  std::cout << coverage_->CaseCount() << " cases\n";
}

TEST_F(CoverageTest, EveryTypeWithEveryPrefix) {
  for (const SearchTypeSpec* spec : fhir::search::AllSearchTypes()) {
    const std::string name(spec->name);
    if (spec->has_prefixes || spec->type == fhir::search::SearchType::kComposite) {
      for (const std::string_view prefix : kPrefixes) {
        EXPECT_GT(Of(name + " " + std::string(prefix)).hits, 0) << name << " " << prefix;
      }
      continue;
    }
    // There the letters are part of the value, or of a value that is refused.
    int literally = 0;
    for (const std::string_view prefix : kPrefixes) {
      const Tally& tally = Of(name + " " + std::string(prefix));
      literally += tally.cases + tally.refused;
    }
    EXPECT_GT(literally, 0) << name << " with the letters of a prefix";
  }
}

TEST_F(CoverageTest, EveryKindOfComposite) {
  for (const auto& type : fhir::definitions::Types()) {
    for (const SearchParameter& parameter : coverage_->Registry().ParametersOf(type.name)) {
      if (parameter.components.empty()) continue;
      std::string what = "composite of";
      for (const auto& component : parameter.components) {
        what += " $ " + std::string(ToString(component.type));
      }
      EXPECT_GT(Of(what).hits, 0) << what << ": " << type.name << "?" << parameter.code;
    }
  }
}

TEST_F(CoverageTest, EveryEndOfAChain) {
  for (const char* type : {"number", "date", "string", "token", "reference", "composite",
                           "quantity", "uri", "special"}) {
    EXPECT_GT(Of("chain " + std::string(type)).hits, 0) << type;
    EXPECT_GT(Of("_has " + std::string(type)).hits, 0) << type;
  }
  for (const char* what : {"chain", "_has"}) EXPECT_GT(Of(what).refused, 0) << what;
}

TEST_F(CoverageTest, EveryResultParameter) {
  for (const char* what : {"_include",
                           "_include:iterate",
                           "_revinclude",
                           "_revinclude:iterate",
                           "_count",
                           "_elements",
                           "_format",
                           "_pretty",
                           "_id",
                           "_lastUpdated",
                           "_list",
                           "_text",
                           "_content",
                           "_tag",
                           "_profile",
                           "_security",
                           "_source",
                           "_type",
                           "_total=none",
                           "_total=estimate",
                           "_total=accurate",
                           "_summary=true",
                           "_summary=text",
                           "_summary=data",
                           "_summary=count",
                           "_summary=false",
                           "_sort",
                           "_sort by several",
                           "_sort ascending",
                           "_sort descending",
                           "_sort by _id",
                           "_sort by _lastUpdated",
                           "handling=lenient",
                           "form",
                           "compartment Patient",
                           "compartment Encounter",
                           "compartment Practitioner",
                           "compartment RelatedPerson",
                           "compartment Device"}) {
    EXPECT_GT(Of(what).cases, 0) << what;
  }
  for (const char* what : {"_include", "_revinclude", "_count", "_elements", "_list", "_text",
                           "_content", "_type", "_sort", "_contained", "_containedType", "_query",
                           "handling=strict", "handling=lenient", "form", "compartment Patient"}) {
    EXPECT_GT(Of(what).refused, 0) << what;
  }
  for (const SearchTypeSpec* spec : fhir::search::AllSearchTypes()) {
    const Tally& tally = Of("_sort by " + std::string(spec->name));
    EXPECT_GT(spec->sort_tags.empty() ? tally.refused : tally.cases, 0) << spec->name;
  }
}

}  // namespace
}  // namespace conformance
