#include "server/routing/capabilities.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/search/query.h"
#include "fhir/validation/structure.h"

namespace server {
namespace {

using fhir::json::Value;
using fhir::search::SearchType;

class CapabilitiesTest : public testing::Test {
 protected:
  CapabilitiesTest() {
    auto store =
        storage::Store::Open({.in_memory = true}, registry_.get(), [](const std::string&) {});
    EXPECT_TRUE(store.has_value());
    store_ = *std::move(store);
    context_.store = store_.get();
    context_.version = "1.2.3";
    auto document =
        fhir::json::Document::Parse(CapabilityStatement(context_, *store_->Latest(), 0));
    EXPECT_TRUE(document.has_value());
    document_ = std::make_unique<fhir::json::Document>(*std::move(document));
  }

  Value Root() const { return document_->Root(); }
  Value Rest() const { return *Root().Find("rest").Children().begin(); }
  Value Resource(std::string_view type) const {
    for (const Value resource : Rest().Find("resource").Children()) {
      if (resource.Find("type").Text() == type) return resource;
    }
    return {};
  }

  const std::unique_ptr<const fhir::search::Registry> registry_ = fhir::search::Registry::BuildR4();
  std::unique_ptr<storage::Store> store_;
  Context context_;
  std::unique_ptr<fhir::json::Document> document_;
};

std::set<std::string> CodesOf(const Value& list, std::string_view member) {
  std::set<std::string> codes;
  for (const Value item : list.Children()) codes.emplace(item.Find(member).Text());
  return codes;
}

std::string SampleOf(SearchType type) {
  switch (type) {
    case SearchType::kNumber:
    case SearchType::kQuantity: return "5";
    case SearchType::kDate: return "2020";
    case SearchType::kString:
    case SearchType::kToken: return "x";
    case SearchType::kReference:
    case SearchType::kSpecial: return "x";  // _list
    case SearchType::kUri: return "http://example.org";
    case SearchType::kComposite: break;
  }
  return {};
}

TEST_F(CapabilitiesTest, IsAStructurallyValidResource) {
  EXPECT_TRUE(fhir::validation::InspectResource(Root()).issues.empty());
  EXPECT_EQ(Root().Find("fhirVersion").Text(), "4.0.1");
  EXPECT_EQ(Root().Find("software").Find("version").Text(), "1.2.3");
}

TEST_F(CapabilitiesTest, ListsWhatIsServed) {
  EXPECT_EQ(CodesOf(Rest().Find("interaction"), "code"),
            (std::set<std::string>{"batch", "history-system", "search-system", "transaction"}));
  const Value patient = Resource("Patient");
  ASSERT_FALSE(patient.IsNone());
  EXPECT_EQ(CodesOf(patient.Find("interaction"), "code"),
            (std::set<std::string>{"create", "delete", "history-instance", "history-type", "patch",
                                   "read", "search-type", "update", "vread"}));
  EXPECT_EQ(CodesOf(patient.Find("operation"), "name"), std::set<std::string>{"everything"});
  EXPECT_TRUE(Resource("Observation").Find("operation").IsNone());
  EXPECT_TRUE(Resource("DomainResource").IsNone());
}

std::set<std::string> Texts(const Value& list) {
  std::set<std::string> texts;
  for (const Value item : list.Children()) texts.emplace(item.Text());
  return texts;
}

TEST_F(CapabilitiesTest, EveryListedIncludeIsAccepted) {
  for (const Value resource : Rest().Find("resource").Children()) {
    const std::string type(resource.Find("type").Text());
    for (const auto& [member, parameter] :
         {std::pair("searchInclude", "_include"), std::pair("searchRevInclude", "_revinclude")}) {
      for (const std::string& value : Texts(resource.Find(member))) {
        const auto query = fhir::search::ParseQuery(*registry_, type, {{parameter, value}}, {});
        EXPECT_TRUE(query.has_value()) << type << " " << parameter << "=" << value;
      }
    }
  }
  const Value patient = Resource("Patient");
  EXPECT_TRUE(Texts(patient.Find("searchInclude")).contains("Patient:organization"));
  EXPECT_TRUE(Texts(patient.Find("searchRevInclude")).contains("Observation:subject"));
  EXPECT_FALSE(Texts(patient.Find("searchRevInclude")).contains("Patient:organization"));
}

TEST_F(CapabilitiesTest, TheFiveCompartmentsAreListed) {
  const std::string base = "http://hl7.org/fhir/CompartmentDefinition/";
  EXPECT_EQ(Texts(Rest().Find("compartment")),
            (std::set<std::string>{base + "device", base + "encounter", base + "patient",
                                   base + "practitioner", base + "relatedPerson"}));
}

TEST_F(CapabilitiesTest, EveryListedParameterIsAccepted) {
  std::size_t checked = 0;
  for (const Value resource : Rest().Find("resource").Children()) {
    const std::string type(resource.Find("type").Text());
    for (const Value parameter : resource.Find("searchParam").Children()) {
      const std::string name(parameter.Find("name").Text());
      const auto* found = registry_->Find(type, name);
      ASSERT_NE(found, nullptr) << type << " " << name;
      std::string sample = name == "near" ? "51.3|12.4|5|km" : SampleOf(found->type);
      if (found->type == SearchType::kComposite) {
        for (const auto& component : found->components) {
          sample += (sample.empty() ? "" : "$") + SampleOf(component.type);
        }
      }
      ASSERT_FALSE(sample.empty()) << type << " " << name;
      const auto query = fhir::search::ParseQuery(*registry_, type, {{name, sample}}, {});
      EXPECT_TRUE(query.has_value())
          << type << " " << name << ": " << query.error().issues[0].diagnostics;
      ++checked;
    }
  }
  EXPECT_GT(checked, 1000U);
}

}  // namespace
}  // namespace server
