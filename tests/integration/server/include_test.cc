// _include and _revinclude: what comes with the matches, once each, and what happens where it is
// too much for one page.
#include <map>
#include <set>

#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace server {
namespace {

using testing::ElementsAre;
using testing::UnorderedElementsAre;

class IncludeTest : public InProcessServer {
 protected:
  // `rest` are the members behind id, or empty.
  void Store(std::string_view type, std::string_view id, std::string_view rest = {}) {
    std::string body = R"({"resourceType":")";
    body.append(type).append(R"(","id":")").append(id).append("\"");
    if (!rest.empty()) body.append(",").append(rest);
    const Answer answer = Put(std::string(type) + "/" + std::string(id), body + "}");
    ASSERT_LT(answer.Status(), 300) << answer.body;
  }

  void StoreObservation(std::string_view id, std::string_view rest) {
    Store("Observation", id, R"("status":"final","code":{"text":"x"},)" + std::string(rest));
  }

  // A patient that is managed by an organization that is part of another.
  void StorePatients() {
    Store("Organization", "top");
    Store("Organization", "o", R"("partOf":{"reference":"Organization/top"})");
    Store("Practitioner", "d");
    Store("Patient", "p",
          R"("managingOrganization":{"reference":"Organization/o"},)"
          R"("generalPractitioner":[{"reference":"Practitioner/d"}])");
    Store("Patient", "q", R"("managingOrganization":{"reference":"Organization/o"})");
    StoreObservation("a", R"("subject":{"reference":"Patient/p"})");
    StoreObservation("b", R"("subject":{"reference":"Patient/p"},)"
                          R"("performer":[{"reference":"Practitioner/d"}])");
    StoreObservation("c", R"("subject":{"reference":"Patient/q"})");
  }

  // "match Patient/p" of each entry.
  std::vector<std::string> Modes(const Answer& answer) {
    EXPECT_EQ(answer.Status(), 200) << answer.body;
    std::vector<std::string> modes;
    const std::vector<std::string> names = answer.Entries();
    for (std::size_t i = 0; i < names.size(); ++i) {
      modes.push_back(answer.Text("entry", std::to_string(i), "search", "mode") + " " + names[i]);
    }
    return modes;
  }
  std::vector<std::string> Modes(std::string_view query) { return Modes(Get(query)); }
};

TEST_F(IncludeTest, WhatAMatchRefersToByTheParameter) {
  StorePatients();
  EXPECT_THAT(Modes("Patient?_id=p&_include=Patient:organization"),
              ElementsAre("match Patient/p", "include Organization/o"));
  EXPECT_THAT(Modes("Patient?_id=p&_include=Patient:general-practitioner"),
              ElementsAre("match Patient/p", "include Practitioner/d"));
  // Both refer to it: it comes once.
  const Answer both = Get("Patient?_include=Patient:organization");
  EXPECT_THAT(Modes(both),
              ElementsAre("match Patient/p", "match Patient/q", "include Organization/o"));
  EXPECT_EQ(both.Text("total"), "2");
  EXPECT_EQ(both.Text("entry", "2", "fullUrl"), std::string(kBase) + "/Organization/o");
  EXPECT_EQ(both.Link("self"), std::string(kBase) + "/Patient?_include=Patient:organization");
}

TEST_F(IncludeTest, OnlyTheParametersOwnPathCounts) {
  StorePatients();
  EXPECT_THAT(Modes("Observation?_id=b&_include=Observation:subject"),
              ElementsAre("match Observation/b", "include Patient/p"));
  EXPECT_THAT(Modes("Observation?_id=b&_include=Observation:performer"),
              ElementsAre("match Observation/b", "include Practitioner/d"));
  EXPECT_THAT(Modes("Practitioner?_revinclude=Observation:subject"),
              ElementsAre("match Practitioner/d"));
}

TEST_F(IncludeTest, ATargetTypeNarrows) {
  StorePatients();
  Store("Group", "g", R"("type":"person","actual":true)");
  StoreObservation("e", R"("subject":{"reference":"Group/g"})");
  EXPECT_THAT(Modes("Observation?_id=a,e&_include=Observation:subject:Patient"),
              ElementsAre("match Observation/a", "match Observation/e", "include Patient/p"));
  // The parameter itself means patients only.
  EXPECT_THAT(Modes("Observation?_id=a,e&_include=Observation:patient"),
              ElementsAre("match Observation/a", "match Observation/e", "include Patient/p"));
  EXPECT_THAT(Modes("Group?_revinclude=Observation:subject:Patient"), ElementsAre("match Group/g"));
  EXPECT_THAT(Modes("Group?_revinclude=Observation:patient"), ElementsAre("match Group/g"));
  EXPECT_THAT(Modes("Group?_revinclude=Observation:subject:Group"),
              ElementsAre("match Group/g", "include Observation/e"));
}

TEST_F(IncludeTest, WhatRefersToAMatch) {
  StorePatients();
  EXPECT_THAT(Modes("Patient?_id=p&_revinclude=Observation:subject"),
              ElementsAre("match Patient/p", "include Observation/a", "include Observation/b"));
  // Of the current versions only, and of those that exist.
  StoreObservation("a", R"("subject":{"reference":"Patient/q"})");
  Delete("Observation/b");
  EXPECT_THAT(Modes("Patient?_id=p&_revinclude=Observation:subject"),
              ElementsAre("match Patient/p"));
}

TEST_F(IncludeTest, TheWildcardIsEveryLiteralReference) {
  StorePatients();
  EXPECT_THAT(
      Modes("Patient?_id=p&_include=*"),
      UnorderedElementsAre("match Patient/p", "include Organization/o", "include Practitioner/d"));
  EXPECT_THAT(Modes("Observation?_id=b&_include=Observation:*:Practitioner"),
              ElementsAre("match Observation/b", "include Practitioner/d"));
  EXPECT_THAT(
      Modes("Practitioner?_revinclude=*"),
      UnorderedElementsAre("match Practitioner/d", "include Patient/p", "include Observation/b"));
  EXPECT_THAT(Modes("Practitioner?_revinclude=Observation:*"),
              ElementsAre("match Practitioner/d", "include Observation/b"));
}

TEST_F(IncludeTest, OnlyIterateGoesOnFromWhatIsIncluded) {
  StorePatients();
  const std::string first = "Observation?_id=a&_include=Observation:subject";
  EXPECT_THAT(Modes(first + "&_include=Patient:organization"),
              ElementsAre("match Observation/a", "include Patient/p"));
  EXPECT_THAT(Modes(first + "&_include:iterate=Patient:organization"),
              ElementsAre("match Observation/a", "include Patient/p", "include Organization/o"));
  EXPECT_THAT(Modes(first + "&_include:recurse=Patient:organization" +
                    "&_include:iterate=Organization:partof"),
              ElementsAre("match Observation/a", "include Patient/p", "include Organization/o",
                          "include Organization/top"));
  EXPECT_THAT(Modes("Organization?_id=top&_revinclude:iterate=Organization:partof" +
                    std::string("&_revinclude:iterate=Patient:organization")),
              ElementsAre("match Organization/top", "include Organization/o", "include Patient/p",
                          "include Patient/q"));
}

TEST_F(IncludeTest, IterationOverEpisodesEncountersAndTasks) {
  Store("Patient", "p");
  Store("EpisodeOfCare", "e",
        R"("identifier":[{"value":"7"}],"status":"active","patient":{"reference":"Patient/p"})");
  Store("Encounter", "n",
        R"("status":"planned","class":{"code":"AMB"},"subject":{"reference":"Patient/p"},)"
        R"("episodeOfCare":[{"reference":"EpisodeOfCare/e"}])");
  Store("Task", "t",
        R"("status":"draft","intent":"order","encounter":{"reference":"Encounter/n"})");
  const std::string episode = "EpisodeOfCare?identifier=7&_revinclude=Encounter:episode-of-care";
  EXPECT_THAT(Modes(episode + "&_include:iterate=Encounter:patient" +
                    "&_revinclude:iterate=Task:encounter"),
              UnorderedElementsAre("match EpisodeOfCare/e", "include Encounter/n",
                                   "include Patient/p", "include Task/t"));
  EXPECT_THAT(Modes(episode + "&_include=Encounter:patient&_revinclude=Task:encounter"),
              ElementsAre("match EpisodeOfCare/e", "include Encounter/n"));
}

TEST_F(IncludeTest, CyclesEndAndAMatchStaysAMatch) {
  const Answer cycle = Post("", R"({"resourceType":"Bundle","type":"transaction","entry":[
    {"resource":{"resourceType":"Organization","id":"x","partOf":{"reference":"Organization/y"}},
     "request":{"method":"PUT","url":"Organization/x"}},
    {"resource":{"resourceType":"Organization","id":"y","partOf":{"reference":"Organization/x"}},
     "request":{"method":"PUT","url":"Organization/y"}},
    {"resource":{"resourceType":"Organization","id":"z","partOf":{"reference":"Organization/z"}},
     "request":{"method":"PUT","url":"Organization/z"}}]})");
  ASSERT_EQ(cycle.Status(), 200) << cycle.body;
  for (const std::string name : {"_include:iterate", "_revinclude:iterate"}) {
    EXPECT_THAT(Modes("Organization?_id=x&" + name + "=Organization:partof"),
                ElementsAre("match Organization/x", "include Organization/y"));
    EXPECT_THAT(Modes("Organization?_id=z&" + name + "=Organization:partof"),
                ElementsAre("match Organization/z"));
    EXPECT_THAT(
        Modes("Organization?" + name + "=*"),
        ElementsAre("match Organization/x", "match Organization/y", "match Organization/z"));
  }
}

TEST_F(IncludeTest, CanonicalUrlsLeadToWhatCarriesThem) {
  const std::string url = R"("url":"http://x.org/q,1","status":"active")";
  Store("Questionnaire", "one", url + R"(,"version":"1")");
  Store("Questionnaire", "two", url + R"(,"version":"2")");
  const auto response = [&](std::string_view id, std::string_view canonical) {
    Store("QuestionnaireResponse", id,
          R"("status":"completed","questionnaire":")" + std::string(canonical) + "\"");
  };
  response("any", "http://x.org/q,1");
  response("second", "http://x.org/q,1|2");
  response("third", "http://x.org/q,1|3");
  response("local", std::string(kBase) + "/Questionnaire/one");
  const std::string include = "&_include=QuestionnaireResponse:questionnaire";
  EXPECT_THAT(Modes("QuestionnaireResponse?_id=any" + include),
              ElementsAre("match QuestionnaireResponse/any", "include Questionnaire/one",
                          "include Questionnaire/two"));
  EXPECT_THAT(Modes("QuestionnaireResponse?_id=second" + include),
              ElementsAre("match QuestionnaireResponse/second", "include Questionnaire/two"));
  EXPECT_THAT(Modes("QuestionnaireResponse?_id=third" + include),
              ElementsAre("match QuestionnaireResponse/third"));
  EXPECT_THAT(Modes("QuestionnaireResponse?_id=local" + include),
              ElementsAre("match QuestionnaireResponse/local", "include Questionnaire/one"));
  const std::string back = "&_revinclude=QuestionnaireResponse:questionnaire";
  EXPECT_THAT(Modes("Questionnaire?_id=one" + back),
              ElementsAre("match Questionnaire/one", "include QuestionnaireResponse/any",
                          "include QuestionnaireResponse/local"));
  EXPECT_THAT(Modes("Questionnaire?_id=two" + back),
              ElementsAre("match Questionnaire/two", "include QuestionnaireResponse/any",
                          "include QuestionnaireResponse/second"));
}

TEST_F(IncludeTest, EachPageIncludesWhatItsOwnMatchesReferTo) {
  StorePatients();
  const Answer first = Get("Observation?_count=2&_include=Observation:subject");
  EXPECT_THAT(Modes(first),
              ElementsAre("match Observation/a", "match Observation/b", "include Patient/p"));
  // At the snapshot of the first page.
  StoreObservation("c", R"("subject":{"reference":"Patient/p"})");
  Delete("Patient/q");
  EXPECT_THAT(Modes(Follow(first.Link("next"))),
              ElementsAre("match Observation/c", "include Patient/q"));
}

TEST_F(IncludeTest, WhatIsTooMuchForAPageFollowsOnOthers) {
  StorePatients();
  for (int i = 0; i < 8; ++i) {
    StoreObservation("o" + std::to_string(i), R"("subject":{"reference":"Patient/p"})");
  }
  context_.max_includes = 4;
  const std::string query = "Patient?_count=1&_revinclude=Observation:subject";
  Answer page = Get(query + "&_include=Patient:organization");
  std::vector<std::string> all;
  std::vector<std::string> selfs;
  std::size_t cuts = 0;
  while (true) {
    EXPECT_EQ(page.Text("total"), "2");
    selfs.push_back(page.Link("self"));
    for (const std::string& entry : Modes(page)) {
      if (entry.starts_with("outcome")) {
        ++cuts;
        EXPECT_NE(page.Link("next"), "");
      } else {
        all.push_back(entry);
      }
    }
    ASSERT_LT(selfs.size(), 10U);
    if (page.Link("next").empty()) break;
    if (selfs.size() == 1) Delete("Observation/o7");
    page = Follow(page.Link("next"));
  }
  // 10 observations and the organization of p on three pages; one of each of q.
  EXPECT_EQ(selfs.size(), 4U);
  EXPECT_EQ(cuts, 2U);
  EXPECT_EQ(all.size(), 1U + 11U + 1U + 2U);
  const std::set<std::string> distinct(all.begin(), all.end());
  EXPECT_EQ(distinct.size(), all.size() - 1);  // The organization is of both.
  EXPECT_TRUE(distinct.contains("include Observation/o7"));
  // And back, over the first page of each place.
  page = Follow(page.Link("previous"));
  EXPECT_EQ(page.Link("self"), page.Link("first"));
  page = Follow(Follow(page.Link("next")).Link("next"));
  EXPECT_EQ(page.Link("self"), selfs[2]);
  EXPECT_EQ(page.Link("previous"), selfs[1]);
}

TEST_F(IncludeTest, PagesEndAtTheirBytesWithoutLosingAnything) {
  // Twelve MiB each: neither the matches nor what they include fit one page.
  const std::string large =
      R"("note":[{"text":")" + std::string(std::size_t{12} << 20, 'x') + "\"}]";
  Store("Patient", "p");
  const std::string of_patient = R"("subject":{"reference":"Patient/p"},)" + large;
  for (const std::string_view id : {"a", "b", "c", "d", "e", "f", "g"}) {
    StoreObservation(id, of_patient);
    Store("DiagnosticReport", id,
          R"("status":"final","code":{"text":"x"},"result":[{"reference":"Observation/)" +
              std::string(id) + "\"}]");
  }
  for (const std::string query :
       {"Observation?_revinclude=DiagnosticReport:result&_include=Observation:subject",
        "Observation?_sort=-_id&_revinclude=DiagnosticReport:result",
        "DiagnosticReport?_include=DiagnosticReport:result",
        "Patient?_revinclude=Observation:subject"}) {
    std::multiset<std::string> all;
    Answer page = Get(query);
    for (int pages = 1;; ++pages) {
      EXPECT_LT(page.body.size(), std::size_t{80} << 20);
      for (const std::string& entry : Modes(page)) all.insert(entry);
      if (page.Link("next").empty()) {
        EXPECT_GT(pages, 1) << query;
        break;
      }
      ASSERT_LT(pages, 9) << query;
      page = Follow(page.Link("next"));
    }
    for (const std::string id : {"a", "b", "c", "d", "e", "f", "g"}) {
      EXPECT_EQ(all.count("match Observation/" + id) + all.count("include Observation/" + id), 1U)
          << query << id;
      if (query.starts_with("Patient")) continue;
      EXPECT_EQ(
          all.count("match DiagnosticReport/" + id) + all.count("include DiagnosticReport/" + id),
          1U)
          << query << id;
    }
  }
}

TEST_F(IncludeTest, ExactlyTheBoundIsNotCut) {
  StorePatients();
  context_.max_includes = 2;
  const Answer all = Get("Patient?_id=p&_revinclude=Observation:subject");
  EXPECT_EQ(all.EntryCount(), 3U);
  EXPECT_EQ(all.Link("next"), "");
}

TEST_F(IncludeTest, CountsIncludeNothingAndElementsAreOfMatches) {
  StorePatients();
  EXPECT_EQ(Get("Patient?_summary=count&_include=Patient:organization").EntryCount(), 0U);
  const Answer cut = Get("Observation?_id=a&_elements=status&_include=Observation:subject");
  EXPECT_TRUE(cut.At("entry", "0", "resource", "subject").IsNone());
  EXPECT_FALSE(cut.At("entry", "1", "resource", "managingOrganization").IsNone());
  EXPECT_EQ(Get("Patient?_summary=text&_include=Patient:organization").Status(), 400);
}

TEST_F(IncludeTest, WhatCannotBeIncludedIsRefused) {
  for (const std::string value :
       {"Patient", "Patient:", ":organization", "Patient:nothing", "Nothing:subject",
        "Patient:name", "Patient:organization:Patient",
        "Patient:organization:", "Patient:organization:Nothing", "Patient:*:Nothing", "**"}) {
    for (const std::string name : {"_include", "_revinclude:iterate"}) {
      const Answer answer = Get("Patient?" + name + "=" + value);
      EXPECT_EQ(answer.Status(), 400) << name << "=" << value;
      EXPECT_NE(answer.Text("issue", "0", "diagnostics").find(name), std::string::npos);
    }
  }
  EXPECT_EQ(Get("Patient?_include:foo=*").Status(), 400);
  EXPECT_EQ(Get("Patient?_include:iterate:iterate=*").Status(), 400);
  EXPECT_EQ(Get("Patient?_include=").Status(), 200);
  const Answer lenient = Do(Verb::kGet, "Patient?_include=Patient:nothing", {},
                            With(&RequestHeaders::prefer, "handling=lenient"));
  EXPECT_EQ(lenient.Text("entry", "0", "search", "mode"), "outcome");
  EXPECT_EQ(lenient.Link("self"), std::string(kBase) + "/Patient");
}

TEST_F(IncludeTest, SortedMatchesComeFirst) {
  StorePatients();
  EXPECT_THAT(Modes("Observation?_sort=-_id&_include=Observation:patient&_count=2"),
              ElementsAre("match Observation/c", "match Observation/b", "include Patient/p",
                          "include Patient/q"));
}

}  // namespace
}  // namespace server
