// What a client sends as a resource: from text to stored bytes and index entries.
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/json/document.h"
#include "fhir/model/bundle.h"
#include "fhir/model/reference.h"
#include "fhir/model/stored_form.h"
#include "fhir/model/subset.h"
#include "fhir/search/extract.h"
#include "fhir/search/registry.h"
#include "fhir/validation/structure.h"
#include "tests/fuzz/json_tree.h"
#include "tests/fuzz/random.h"
#include "tests/fuzz/resource_generator.h"

namespace fuzz {
namespace {

using fhir::json::Document;
using fhir::json::Value;

constexpr std::string_view kId = "fuzz";

const fhir::search::Registry& R4() {
  static const auto kRegistry = fhir::search::Registry::BuildR4();
  return *kRegistry;
}

std::string Fixture() {
  std::ifstream file(std::string(KILN_SOURCE_DIR) + "/tests/fixtures/transaction.json");
  return {std::istreambuf_iterator<char>(file), {}};
}

fhir::model::ReferenceMap SomeReferences() {
  fhir::model::ReferenceMap references;
  references.AddEntry("http://a.org/x", "Patient/new");
  references.AddEntry("http://elsewhere.org/fhir/Patient/1", "Patient/other");
  references.AddConditional("Patient?identifier=x", "Patient/found");
  return references;
}

// What is sent is a valid resource again, and storing that changes nothing.
void CheckStored(const fhir::model::StoredForm& form, std::string_view sent) {
  const auto again = Document::Parse(sent);
  ASSERT_TRUE(again.has_value()) << sent;
  const auto inspection = fhir::validation::InspectResource(again->Root());
  for (const fhir::Issue& issue : inspection.issues) {
    ADD_FAILURE() << issue.expression << ": " << issue.diagnostics;
  }
  EXPECT_EQ(fhir::model::MakeStoredForm(again->Root(), kId, inspection.sites, {}).json, form.json);
  for (const fhir::model::ReferenceSpan& span : form.references) {
    const std::string_view text = std::string_view(form.json).substr(span.offset, span.size);
    EXPECT_TRUE(fhir::model::ParseLiteralReference(text, {}).has_value()) << text;
  }
}

void CheckSubsets(std::string_view sent, const std::vector<std::string_view>& elements) {
  const auto document = Document::Parse(sent);
  ASSERT_TRUE(document.has_value()) << sent;
  std::string kept;
  fhir::model::AppendElements(&kept, document->Root(), elements);
  EXPECT_TRUE(Document::Parse(kept).has_value()) << kept;
  std::string rest;
  fhir::model::AppendWithout(&rest, document->Root(), elements);
  EXPECT_TRUE(Document::Parse(rest).has_value()) << rest;
}

// All that the server does with a body. Returns true if it is a valid resource.
bool Process(std::string_view text) {
  static const fhir::model::ReferenceMap kReferences = SomeReferences();
  const auto document = Document::Parse(text);
  if (!document) return false;
  const Value root = document->Root();
  const auto inspection = fhir::validation::InspectResource(root);
  if (!inspection.issues.empty()) {
    EXPECT_LE(inspection.issues.size(), fhir::validation::kMaxIssues);
    return false;
  }
  for (const fhir::validation::Site& site : inspection.sites) {
    EXPECT_FALSE(fhir::validation::ExpressionOf(root, site.node).empty());
  }
  if (const auto bundle = fhir::model::ReadBundle(root)) {
    EXPECT_EQ(fhir::model::TransactionOrder(bundle->entries).size(), bundle->entries.size());
  }
  const auto edits = fhir::model::ResolveReferences(root, inspection.sites, kReferences);
  const auto form = fhir::model::MakeStoredForm(root, kId, inspection.sites, edits);
  std::string sent;
  fhir::model::AppendResource(&sent, form.json, form.meta_offset, 1, "2020-01-01T00:00:00.000Z");
  CheckStored(form, sent);
  fhir::search::IndexEntries entries;
  const auto extracted = fhir::search::ExtractEntries(R4(), {}, root, edits, form, &entries);
  if (!extracted) EXPECT_EQ(extracted.error().http_status, 422);
  std::vector<std::string_view> elements;
  for (const Value member : root.Children()) elements.push_back(member.Name());
  if (elements.size() > 3) elements.resize(elements.size() / 2);
  CheckSubsets(sent, elements);
  return true;
}

TEST(ResourceFuzzTest, AMaximalResourceOfEveryTypeIsValidAndIndexed) {
  for (const std::string_view type : ResourceTypes()) {
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const std::string text = MaximalResource(type, "0", seed);
      const auto document = Document::Parse(text);
      ASSERT_TRUE(document.has_value()) << text;
      const auto inspection = fhir::validation::InspectResource(document->Root());
      for (const fhir::Issue& issue : inspection.issues) {
        ADD_FAILURE() << issue.expression << ": " << issue.diagnostics;
      }
      EXPECT_TRUE(Process(text)) << type;
    }
  }
}

TEST(ResourceFuzzTest, ChangedBytesNeverBreakAnything) {
  Random random(1);
  std::vector<std::string> seeds = {Fixture()};
  for (const std::string_view type : ResourceTypes())
    seeds.push_back(MaximalResource(type, "0", 7));
  for (const std::string& seed : seeds) {
    for (int i = 0; i < Rounds(12); ++i) {
      std::string text = seed;
      MutateBytes(&random, &text);
      Process(text);
    }
  }
}

TEST(ResourceFuzzTest, ChangedStructureNeverBreaksAnything) {
  Random random(2);
  std::vector<std::string> seeds(10, Fixture());
  for (const std::string_view type : ResourceTypes())
    seeds.push_back(MaximalResource(type, "0", 8));
  for (const std::string& seed : seeds) {
    const auto document = Document::Parse(seed);
    ASSERT_TRUE(document.has_value());
    const JsonTree original(document->Root());
    for (int i = 0; i < Rounds(3); ++i) {
      JsonTree tree = original;
      MutateTree(&random, &tree);
      Process(tree.Text());
    }
  }
}

}  // namespace
}  // namespace fuzz
