// __explain: what a search's answer says of how it was found. And what a search may cost: lanes,
// time, reads.
#include <atomic>

#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// The diagnostics of the answer's last entry, which is an outcome.
std::vector<std::string> Lines(const Answer& answer) {
  EXPECT_EQ(answer.Status(), 200) << answer.body;
  const std::string last = std::to_string(answer.EntryCount() - 1);
  EXPECT_EQ(answer.Text("entry", last, "search", "mode"), "outcome");
  std::vector<std::string> lines;
  const fhir::json::Value issues = answer.At("entry", last, "resource", "issue");
  if (issues.IsNone()) return lines;
  for (const fhir::json::Value issue : issues.Children()) {
    EXPECT_EQ(issue.Find("severity").Text(), "information");
    lines.emplace_back(issue.Find("diagnostics").Text());
  }
  return lines;
}

class ExplainTest : public InProcessServer {
 protected:
  ExplainTest() {
    for (int i = 0; i < 6; ++i) {
      const std::string id = std::to_string(i);
      EXPECT_EQ(Put("Patient/" + id, R"({"resourceType":"Patient","id":")" + id +
                                         R"(","gender":")" + (i < 2 ? "male" : "female") +
                                         R"(","birthDate":"200)" + id + R"(-01-01"})")
                    .Status(),
                201);
      EXPECT_EQ(
          Put("Observation/" + id,
              R"({"resourceType":"Observation","id":")" + id +
                  R"(","status":"final","code":{"text":"x"},"subject":{"reference":"Patient/)" +
                  std::to_string(i % 3) + R"("}})")
              .Status(),
          201);
    }
  }
};

TEST_F(ExplainTest, TheTreeStandsWithItsCountsBehindTheMatches) {
  const Answer answer = Get("Patient?gender=male&birthdate=ge2001&__explain=true");
  EXPECT_EQ(answer.EntryCount(), 2U);
  EXPECT_EQ(answer.Text("total"), "1");
  EXPECT_THAT(
      Lines(answer),
      ElementsAre(
          AllOf(StartsWith("search: 1 resource shown, 1 found; "), HasSubstr("a narrow search"),
                HasSubstr("SEARCH_BROAD_COST 50000")),
          StartsWith("Patient 1. and, the cheapest first: 1 found, estimated "),
          StartsWith("Patient 1.1.   1 range of Patient.gender:token.2: 2 found, estimated 2; "),
          StartsWith("Patient 1.2.   7 ranges of Patient.birthDate:date.2: 5 found, estimated "),
          StartsWith("explain: each node was counted by itself, which took ")));
}

TEST_F(ExplainTest, WithoutItOrWithFalseNothingIsSaid) {
  EXPECT_EQ(Get("Patient?gender=male").EntryCount(), 2U);
  EXPECT_EQ(Get("Patient?gender=male&__explain=false").EntryCount(), 2U);
}

TEST_F(ExplainTest, AnotherValueIs400AndNamesTheParameter) {
  const Answer answer = Get("Patient?__explain=yes");
  EXPECT_EQ(answer.Status(), 400);
  EXPECT_EQ(answer.Text("issue", "0", "expression", "0"), "__explain");
  EXPECT_EQ(Get("Patient?__explain:exact=true").Status(), 400);
  EXPECT_EQ(Get("Patient?__explain=true&__explain=true").Status(), 400);
}

TEST_F(ExplainTest, ChainsGoOnWithTheTargets) {
  const auto lines = Lines(Get("Observation?subject:Patient.gender=male&__explain=true"));
  EXPECT_THAT(lines, Contains(ContainsRegex("^Observation 1\\. refers by "
                                            "Observation.subject:reference to Patient: 4 found")));
  EXPECT_THAT(lines,
              Contains(StartsWith(
                  "Patient 1.1.   1 range of Patient.gender:token.2: 2 found, estimated 2;")));
}

TEST_F(ExplainTest, HasGoesOnWithTheReferrersAndNotHasAChild) {
  const auto lines =
      Lines(Get("Patient?_has:Observation:subject:status=final&gender:not=male&__explain=true"));
  EXPECT_THAT(lines, Contains(ContainsRegex("^Patient 1\\.[12]\\.   is referred to by .* from "
                                            "Observation: 3 found")));
  EXPECT_THAT(lines, Contains(ContainsRegex("^Observation 1\\.[12]\\.1\\.     1 range of "
                                            "Observation.status:token.2: 6 found")));
  EXPECT_THAT(lines, Contains(ContainsRegex("^Patient 1\\.[12]\\.   not: 4 found, estimated 4;")));
}

TEST_F(ExplainTest, SortKeysAndIncludesAreNamed) {
  const auto lines = Lines(
      Get("Observation?_sort=-status,_id&_include=Observation:subject&_count=2&__explain=true"));
  EXPECT_THAT(lines, Contains("sort: by walking Observation.status:token.2, descending"));
  EXPECT_THAT(lines, Contains("sort: by id, ascending"));
  EXPECT_THAT(lines, Contains(StartsWith("include: 2 resources in ")));
  EXPECT_THAT(lines[0], StartsWith("search: 2 resources shown, 6 found; "));
}

TEST_F(ExplainTest, EachTypeHasATreeOfItsOwn) {
  const auto lines = Lines(Get("?_type=Patient,Observation&_id=1&__explain=true"));
  EXPECT_THAT(lines, Contains(StartsWith("Observation 1. 1 id: 1 found, estimated 1;")));
  EXPECT_THAT(lines, Contains(StartsWith("Patient 1. 1 id: 1 found, estimated 1;")));
}

TEST_F(ExplainTest, PagesGoOnExplaining) {
  const Answer first = Get("Patient?_count=4&__explain=true");
  EXPECT_EQ(first.Link("self"), std::string(kBase) + "/Patient?_count=4&__explain=true");
  EXPECT_THAT(Lines(first)[0], StartsWith("search: 4 resources shown, 6 found; "));
  const Answer second = Follow(first.Link("next"));
  EXPECT_THAT(Lines(second)[0], StartsWith("search: 2 resources shown, 6 found; "));
}

TEST_F(ExplainTest, ACountIsExplainedToo) {
  const Answer answer = Get("Patient?gender=male&_summary=count&__explain=true");
  EXPECT_EQ(answer.Text("total"), "2");
  EXPECT_THAT(Lines(answer)[0], StartsWith("search: 0 resources shown, 2 found; "));
}

TEST_F(ExplainTest, EntriesOfABatchAreExplained) {
  const Answer answer = Post("", R"({"resourceType":"Bundle","type":"batch","entry":[{"request":{
      "method":"GET","url":"Patient?gender=male&__explain=true"}}]})");
  EXPECT_EQ(answer.Text("entry", "0", "resource", "entry", "2", "search", "mode"), "outcome");
}

TEST_F(ExplainTest, ItIsNoCriterion) {
  EXPECT_EQ(Do(Verb::kDelete, "Patient?gender=male&__explain=true").Status(), 400);
}

class SearchCostTest : public ExplainTest {};

TEST_F(SearchCostTest, ASearchThatIsGuessedToReadMoreIsBroad) {
  EXPECT_EQ(Get("Patient").Status(), 200);
  EXPECT_EQ(broad_reads_, 0);
  context_.search_broad_cost = 5;
  EXPECT_EQ(Get("Patient?_count=5").Status(), 200);
  EXPECT_EQ(broad_reads_, 0);
  const Answer answer = Get("Patient?__explain=true");
  EXPECT_EQ(broad_reads_, 1);
  EXPECT_THAT(Lines(answer)[0], HasSubstr("estimated 6: a broad search (SEARCH_BROAD_COST 5)"));
}

TEST_F(SearchCostTest, OneThatReadsMoreThanWasGuessedBecomesBroad) {
  // Of few resources the guess is that they have about one value each.
  std::string identifiers;
  for (int i = 0; i < 4'000; ++i) {
    identifiers += (i == 0 ? "" : ",") + (R"({"value":")" + std::to_string(i)) + "\"}";
  }
  ASSERT_EQ(
      Put("Basic/1", R"({"resourceType":"Basic","id":"1","code":{"text":"x"},"identifier":[)" +
                         identifiers + "]}")
          .Status(),
      201);
  context_.search_broad_cost = 1'000;
  const Answer answer = Get("Basic?identifier:missing=false&__explain=true");
  EXPECT_EQ(answer.Text("total"), "1");
  EXPECT_EQ(broad_reads_, 1);
  EXPECT_THAT(Lines(answer)[0], ContainsRegex("estimated [0-9]{1,2}: a broad search"));
}

TEST_F(SearchCostTest, ASearchOverItsCostIs403AndNamesTheSetting) {
  context_.search_max_cost = 3;
  const Answer answer = Get("Patient?_count=5");
  EXPECT_EQ(answer.Status(), 403);
  EXPECT_EQ(answer.Text("issue", "0", "code"), "too-costly");
  EXPECT_THAT(answer.Text("issue", "0", "diagnostics"), HasSubstr("SEARCH_MAX_COST"));
  EXPECT_EQ(Get("Patient?_count=3").Status(), 200);
  EXPECT_EQ(Get("Observation?_count=2&_include=Observation:subject").Status(), 403);
  EXPECT_EQ(Get("Patient/0/$everything").Status(), 403);
}

TEST_F(SearchCostTest, ASearchOverItsTimeIs503AndNamesTheSetting) {
  context_.search_max_time = std::chrono::milliseconds(0);
  for (const char* search :
       {"Patient?gender=male", "Patient", "Patient?_sort=birthdate",
        "Observation?subject:Patient.gender=male", "Patient/0/$everything",
        "Observation?_include=Observation:subject", "?_type=Patient,Observation"}) {
    const Answer answer = Get(search);
    EXPECT_EQ(answer.Status(), 503) << search;
    EXPECT_EQ(answer.Text("issue", "0", "code"), "timeout");
    EXPECT_THAT(answer.Text("issue", "0", "diagnostics"), HasSubstr("SEARCH_MAX_TIME"));
    EXPECT_THAT(answer.reply.headers, Contains(testing::Key("Retry-After")));
  }
  EXPECT_EQ(Get("Patient/0").Status(), 200);
}

TEST_F(SearchCostTest, TheDeadlineOfTheRequestHasNoSetting) {
  Request request;
  request.path = "Patient";
  request.query = "gender=male";
  request.deadline = std::chrono::steady_clock::now();
  const Answer answer = Do(std::move(request));
  EXPECT_EQ(answer.Status(), 503);
  EXPECT_THAT(answer.Text("issue", "0", "diagnostics"), Not(HasSubstr("SEARCH_MAX_TIME")));
}

TEST_F(SearchCostTest, ASearchStopsWhenItsClientIsGone) {
  const std::atomic<bool> gone = true;
  for (const char* query : {"gender=male", "", "_sort=birthdate", "_include=*"}) {
    Request request;
    request.path = "Patient";
    request.query = query;
    request.cancelled = &gone;
    EXPECT_EQ(Do(std::move(request)).Status(), 503) << query;
  }
}

TEST_F(SearchCostTest, EverythingThatIsLargeIsBroad) {
  context_.search_broad_cost = 2;
  const Answer answer = Get("Patient/0/$everything");
  EXPECT_EQ(answer.Status(), 200);
  EXPECT_EQ(answer.EntryCount(), 3U);
  EXPECT_EQ(broad_reads_, 1);
}

}  // namespace
}  // namespace server
