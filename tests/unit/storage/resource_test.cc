#include "storage/resource.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "storage/varint.h"

namespace storage {
namespace {

using testing::ElementsAre;

fhir::model::StoredForm Form() {
  fhir::model::StoredForm form;
  form.json = R"({"resourceType":"X","id":"i","meta":{},"a":"Patient/1","b":"Group/22"})";
  form.meta_offset = 37;
  form.references = {{static_cast<std::uint32_t>(form.json.find("Patient/1")), 9},
                     {static_cast<std::uint32_t>(form.json.find("Group/22")), 8}};
  return form;
}

TEST(ResourceTest, AValueGivesBackAllThatWasPutIn) {
  const fhir::model::StoredForm form = Form();
  std::string value;
  AppendResourceHeader(&value, "Observation", "i", 300, -5, Operation::kUpdate, &form);
  value += form.json;
  ResourceView view;
  ASSERT_TRUE(ParseResource(value, &view));
  EXPECT_EQ(view.type, "Observation");
  EXPECT_EQ(view.id, "i");
  EXPECT_EQ(view.version, 300u);
  EXPECT_EQ(view.instant_ms, -5);
  EXPECT_EQ(view.operation, Operation::kUpdate);
  EXPECT_EQ(view.meta_offset, 37u);
  EXPECT_EQ(view.json, form.json);
  EXPECT_THAT(view.references, ElementsAre("Patient/1", "Group/22"));
}

TEST(ResourceTest, ADeletionHasNoJson) {
  std::string value;
  AppendResourceHeader(&value, "Patient", "i", 2, 10, Operation::kDelete, nullptr);
  ResourceView view;
  view.references = {"left over"};
  ASSERT_TRUE(ParseResource(value, &view));
  EXPECT_EQ(view.operation, Operation::kDelete);
  EXPECT_TRUE(view.json.empty());
  EXPECT_TRUE(view.references.empty());
}

TEST(ResourceTest, AHeaderThatIsCutShortIsRefused) {
  const fhir::model::StoredForm form = Form();
  std::string value;
  AppendResourceHeader(&value, "Patient", "i", 1, 1, Operation::kCreate, &form);
  ResourceView view;
  // Without its JSON the references point nowhere.
  for (std::size_t size = 0; size <= value.size(); ++size) {
    EXPECT_FALSE(ParseResource(std::string_view(value).substr(0, size), &view)) << size;
  }
}

TEST(ResourceTest, DocumentAndVersionValuesRoundTrip) {
  const VersionRecord record{.t = 1'000'000,
                             .n = 17,
                             .document = 1ull << 40,
                             .version = 3,
                             .operation = Operation::kDelete};
  std::string document;
  AppendDocumentValue(&document, record, "the-id");
  DocumentFacts facts;
  ASSERT_TRUE(ParseDocumentValue(document, record.document, &facts));
  EXPECT_EQ(facts.id, "the-id");
  EXPECT_EQ(facts.record.t, record.t);
  EXPECT_EQ(facts.record.n, record.n);
  EXPECT_EQ(facts.record.version, record.version);
  EXPECT_EQ(facts.record.document, record.document);
  EXPECT_EQ(facts.record.operation, record.operation);
  std::string version;
  AppendVersionValue(&version, record);
  VersionRecord read;
  ASSERT_TRUE(ParseVersionValue(version, 3, &read));
  EXPECT_EQ(read.document, record.document);
  EXPECT_EQ(read.operation, record.operation);
  EXPECT_FALSE(ParseVersionValue(version.substr(0, 4), 3, &read));
  EXPECT_FALSE(ParseVersionValue({}, 3, &read));
}

TEST(ResourceTest, VarintsOfAnySizeRoundTrip) {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                     std::uint64_t{1} << 35, ~std::uint64_t{0}}) {
    std::string bytes;
    AppendVarint(&bytes, number);
    std::string_view rest = bytes;
    std::uint64_t read = 0;
    ASSERT_TRUE(TakeVarint(&rest, &read));
    EXPECT_EQ(read, number);
    EXPECT_TRUE(rest.empty());
  }
}

}  // namespace
}  // namespace storage
