#include "fhir/model/bundle.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fhir::model {
namespace {

std::string Transaction(const std::string& entries) {
  return R"({"resourceType":"Bundle","type":"transaction","entry":[)" + entries + "]}";
}

std::string Batch(const std::string& entries) {
  return R"({"resourceType":"Bundle","type":"batch","entry":[)" + entries + "]}";
}

// An entry of method and url, with a Patient where one is needed.
std::string Entry(const std::string& method, const std::string& url,
                  const std::string& full_url = "") {
  std::string entry = "{";
  if (!full_url.empty()) entry += R"("fullUrl":")" + full_url + "\",";
  if (method.starts_with("P")) entry += R"("resource":{"resourceType":"Patient"},)";
  return entry + R"("request":{"method":")" + method + R"(","url":")" + url + "\"}}";
}

struct Reading {
  json::Document document;
  Result<Bundle> bundle;
};

Reading Read(const std::string& text) {
  Reading reading{json::Document::Parse(text).value(), {}};
  reading.bundle = ReadBundle(reading.document.Root());
  return reading;
}

void ExpectRefused(const std::string& text, IssueCode code, std::string_view expression) {
  Reading reading = Read(text);
  ASSERT_FALSE(reading.bundle) << text;
  EXPECT_EQ(reading.bundle.error().http_status, 400);
  EXPECT_EQ(reading.bundle.error().issues.at(0).code, code) << text;
  EXPECT_EQ(reading.bundle.error().issues.at(0).expression, expression) << text;
}

constexpr const char* kNested =
    R"({"resource":{"resourceType":"Bundle","type":"transaction"},"request":{"method":"POST","url":"/"}})";

TEST(BundleTest, EntriesAreReadInOrder) {
  Reading reading = Read(Transaction(
      R"({"fullUrl":"urn:uuid:1","resource":{"resourceType":"Patient"},
          "request":{"method":"POST","url":"Patient","ifNoneExist":"identifier=1"}},
         {"request":{"method":"DELETE","url":"Patient/x","ifMatch":"W/\"2\""}},
         {"request":{"method":"GET","url":"Patient/y","ifNoneMatch":"W/\"1\"","ifModifiedSince":"2020-01-01T00:00:00Z"}})"));
  ASSERT_TRUE(reading.bundle);
  const std::vector<BundleEntry>& entries = reading.bundle->entries;
  EXPECT_EQ(reading.bundle->type, BundleType::kTransaction);
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].method, Method::kPost);
  EXPECT_EQ(entries[0].url, "Patient");
  EXPECT_EQ(entries[0].full_url, "urn:uuid:1");
  EXPECT_EQ(entries[0].if_none_exist, "identifier=1");
  EXPECT_TRUE(entries[0].resource.IsObject());
  EXPECT_EQ(entries[1].index, 1U);
  EXPECT_EQ(entries[1].method, Method::kDelete);
  EXPECT_EQ(entries[1].if_match, "W/\"2\"");
  EXPECT_TRUE(entries[1].resource.IsNone());
  EXPECT_EQ(entries[2].if_none_match, "W/\"1\"");
  EXPECT_EQ(entries[2].if_modified_since, "2020-01-01T00:00:00Z");
}

TEST(BundleTest, ABundleWithoutEntriesIsEmpty) {
  Reading reading = Read(R"({"resourceType":"Bundle","type":"batch"})");
  ASSERT_TRUE(reading.bundle);
  EXPECT_EQ(reading.bundle->type, BundleType::kBatch);
  EXPECT_TRUE(reading.bundle->entries.empty());
}

TEST(BundleTest, OnlyBatchAndTransactionAreRead) {
  ExpectRefused(R"({"resourceType":"Bundle","type":"collection"})", IssueCode::kInvalid,
                "Bundle.type");
  ExpectRefused(R"({"resourceType":"Bundle"})", IssueCode::kInvalid, "Bundle.type");
  ExpectRefused(R"({"resourceType":"Patient"})", IssueCode::kInvalid, "resourceType");
  ExpectRefused("[]", IssueCode::kInvalid, "resourceType");
}

TEST(BundleTest, ABadEntryFailsATransactionAndIsNamed) {
  const std::string good = Entry("POST", "Patient");
  auto refused = [&good](const std::string& entry, std::string_view element) {
    ExpectRefused(Transaction(good + "," + entry), IssueCode::kInvalid,
                  "Bundle.entry[1]" + std::string(element));
  };
  refused(R"({"resource":{"resourceType":"Patient"}})", ".request");
  refused(R"({"request":{"url":"Patient"}})", ".request.method");
  refused(R"({"request":{"method":"FETCH","url":"Patient"}})", ".request.method");
  refused(R"({"request":{"method":"GET"}})", ".request.url");
  refused(R"({"request":{"method":"POST","url":"Patient"}})", ".resource");
  refused(R"({"request":{"method":"PUT","url":"Patient/x"}})", ".resource");
  refused(R"({"request":{"method":"PATCH","url":"Patient/x"}})", ".resource");
}

TEST(BundleTest, OperationsAndSearchesNeedNoResource) {
  EXPECT_TRUE(
      Read(Transaction(R"({"request":{"method":"POST","url":"Patient/$count?x=/y"}})")).bundle);
  EXPECT_TRUE(Read(Transaction(R"({"request":{"method":"POST","url":"Patient/_search"}})")).bundle);
}

TEST(BundleTest, ABadEntryOfABatchIsReportedWithTheEntry) {
  Reading reading =
      Read(Batch(Entry("POST", "Patient") + R"(,{"request":{"method":"FETCH","url":"x"}},)" +
                 Entry("GET", "Patient/y")));
  ASSERT_TRUE(reading.bundle);
  ASSERT_EQ(reading.bundle->entries.size(), 3U);
  EXPECT_FALSE(reading.bundle->entries[0].error);
  ASSERT_TRUE(reading.bundle->entries[1].error);
  EXPECT_EQ(reading.bundle->entries[1].error->issues.at(0).expression,
            "Bundle.entry[1].request.method");
  EXPECT_FALSE(reading.bundle->entries[2].error);
}

TEST(BundleTest, ANestedBatchOrTransactionIsRefusedWhole) {
  ExpectRefused(Transaction(Entry("POST", "Patient") + "," + kNested), IssueCode::kNotSupported,
                "Bundle.entry[1].resource");
  ExpectRefused(Batch(Entry("POST", "Patient") + "," + kNested), IssueCode::kNotSupported,
                "Bundle.entry[1].resource");
  EXPECT_TRUE(Read(Transaction(R"({"resource":{"resourceType":"Bundle","type":"transaction"},
                                   "request":{"method":"POST","url":"Bundle"}})"))
                  .bundle);
}

TEST(BundleTest, IdentitiesMayNotRepeatInATransaction) {
  const std::string full_url = "urn:uuid:0c3151bd-1cbf-4d64-b04d-cd9187a4c6e0";
  const std::string posts = Entry("POST", "Patient", full_url) + "," + Entry("POST", "Patient") +
                            "," + Entry("POST", "Patient", full_url);
  ExpectRefused(Transaction(posts), IssueCode::kInvalid, "Bundle.entry[2].fullUrl");
  EXPECT_TRUE(Read(Batch(posts)).bundle);
  const std::string puts = Entry("PUT", "Patient/x") + "," + Entry("DELETE", "/Patient/x");
  ExpectRefused(Transaction(puts), IssueCode::kInvalid, "Bundle.entry[1].request.url");
  EXPECT_TRUE(Read(Batch(puts)).bundle);
  EXPECT_TRUE(Read(Transaction(Entry("GET", "Patient/x") + "," + Entry("GET", "Patient/x") + "," +
                               Entry("PUT", "Patient/x") + "," + Entry("POST", "Patient") + "," +
                               Entry("POST", "Patient")))
                  .bundle);
}

TEST(BundleTest, ATransactionDeletesThenCreatesThenChangesThenReads) {
  Reading reading = Read(Transaction(
      Entry("GET", "Patient/1") + "," + Entry("PUT", "Patient/2") + "," + Entry("POST", "Patient") +
      "," + Entry("PATCH", "Patient/3") + "," + Entry("DELETE", "Patient/4") + "," +
      Entry("HEAD", "Patient/5") + "," + Entry("POST", "Patient")));
  ASSERT_TRUE(reading.bundle);
  EXPECT_EQ(TransactionOrder(reading.bundle->entries),
            (std::vector<std::uint32_t>{4, 2, 6, 1, 3, 0, 5}));
}

TEST(BundleTest, SitesWithinAreThoseOfTheResource) {
  json::Document document = json::Document::Parse(R"([["a","b"],["c"],[]])").value();
  const std::vector<validation::Site> all = {{2, validation::SiteKind::kUri},
                                             {3, validation::SiteKind::kUri},
                                             {5, validation::SiteKind::kReference}};
  EXPECT_EQ(SitesWithin(all, json::Value(&document, 1)).size(), 2U);
  ASSERT_EQ(SitesWithin(all, json::Value(&document, 4)).size(), 1U);
  EXPECT_EQ(SitesWithin(all, json::Value(&document, 4))[0].node, 5U);
  EXPECT_TRUE(SitesWithin(all, json::Value(&document, 6)).empty());
  EXPECT_EQ(SitesWithin(all, document.Root()).size(), 3U);
}

TEST(BundleTest, TooManyEntriesAreTooLarge) {
  std::string entries = "{}";
  for (std::size_t i = 0; i < kMaxEntries; ++i) entries += ",{}";
  const Reading reading = Read(Batch(entries));
  ASSERT_FALSE(reading.bundle.has_value());
  EXPECT_EQ(reading.bundle.error().http_status, 413);
}

}  // namespace
}  // namespace fhir::model
