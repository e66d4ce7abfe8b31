// tests/e2e/synthea_include_test.cc
//
// Includes on real data: each page against the same includes followed the slow and obvious way, on
// the JSON of all resources.
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fhir/definitions/definitions.h"
#include "tests/e2e/synthea_server.h"
#include "tests/reference/naive_search.h"

namespace e2e {
namespace {

using fhir::definitions::SearchParameterDefinition;
using fhir::json::Document;
using fhir::json::Value;

// Enough to have every kind of reference, and few enough for naive work.
constexpr std::size_t kBundles = 14;

struct NaiveInclude {
  bool reverse;
  bool iterate;
  std::string type;
  std::string code;
};

struct Case {
  std::string type;
  std::vector<NaiveInclude> includes;
};

std::string QueryOf(const Case& c) {
  std::string query = c.type + "?_count=150";
  for (const NaiveInclude& include : c.includes) {
    query += include.reverse ? "&_revinclude" : "&_include";
    query += (include.iterate ? ":iterate=" : "=") + include.type + ":" + include.code;
  }
  return query;
}

const SearchParameterDefinition& Definition(const std::string& type, const std::string& code) {
  for (const SearchParameterDefinition& p : fhir::definitions::SearchParameters()) {
    if (p.code == code && std::find(p.base.begin(), p.base.end(), type) != p.base.end()) return p;
  }
  ADD_FAILURE() << type << " " << code;
  return fhir::definitions::SearchParameters()[0];
}

std::string NameOf(const Value& resource) {
  return std::string(resource.Find("resourceType").Text()) + "/" +
         std::string(resource.Find("id").Text());
}

class NaiveStore {
 public:
  explicit NaiveStore(int port) : port_(port) {}

  // What the matches include, followed round by round.
  std::set<std::string> Include(const std::set<std::string>& matches, const Case& c) {
    std::set<std::string> all = matches;
    std::set<std::string> round = matches;
    for (bool first = true; !round.empty(); first = false) {
      std::set<std::string> next;
      for (const NaiveInclude& include : c.includes) {
        if (!first && !include.iterate) continue;
        for (const auto& [from, to] : EdgesOf(include)) {
          const std::string& start = include.reverse ? to : from;
          const std::string& end = include.reverse ? from : to;
          if (round.contains(start) && all.insert(end).second) next.insert(end);
        }
      }
      round = std::move(next);
    }
    for (const std::string& match : matches) all.erase(match);
    return all;
  }

 private:
  using Edges = std::vector<std::pair<std::string, std::string>>;

  const Edges& EdgesOf(const NaiveInclude& include) {
    const auto [at, is_new] = edges_.try_emplace(include.type + ":" + include.code);
    if (!is_new) return at->second;
    const SearchParameterDefinition& parameter = Definition(include.type, include.code);
    for (const Document& page : FetchAll(port_, include.type)) {
      const Value entries = page.Root().Find("entry");
      if (entries.IsNone()) continue;
      for (const Value entry : entries.Children()) {
        const Value resource = entry.Find("resource");
        for (const auto& found :
             reference::Evaluate(parameter.expression, resource, include.type)) {
          const std::string_view text = found.value.Find("reference").StringOrEmpty();
          if (!text.empty()) at->second.emplace_back(NameOf(resource), text);
        }
      }
    }
    return at->second;
  }

  int port_;
  std::map<std::string, Edges> edges_;
};

TEST(SyntheaIncludeTest, PagesAgreeWithFollowingReferencesOneByOne) {
  const std::vector<BundleFile> bundles = LoadSynthea(kBundles);
  if (bundles.empty()) GTEST_SKIP() << "no Synthea data here (KILN_SYNTHEA_DIR)";
  const auto server = ServerProcess::Start({{"STORAGE", "in-memory"}});
  ASSERT_NE(server, nullptr);
  Upload(server->Port(), bundles, 2);
  const std::vector<Case> cases = {
      {"Encounter", {{false, false, "Encounter", "subject"}}},
      {"Encounter",
       {{false, false, "Encounter", "participant"}, {false, false, "Encounter", "location"}}},
      {"Encounter", {{true, false, "Observation", "encounter"}}},
      {"Patient", {{true, false, "Condition", "subject"}, {true, false, "Claim", "patient"}}},
      {"Claim",
       {{false, false, "Claim", "encounter"}, {false, true, "Encounter", "service-provider"}}},
      {"Practitioner",
       {{true, false, "Encounter", "participant"}, {true, true, "Procedure", "encounter"}}},
      {"Patient",
       {{true, false, "Encounter", "subject"},
        {true, true, "Observation", "encounter"},
        {true, true, "DiagnosticReport", "result"},
        {false, true, "Encounter", "participant"}}},
  };
  NaiveStore naive(server->Port());
  HttpClient client(server->Port());
  std::size_t included = 0;
  for (const Case& c : cases) {
    for (std::string target = "/fhir/" + QueryOf(c); !target.empty();) {
      std::set<std::string> matches;
      std::set<std::string> got;
      std::size_t entries = 0;
      bool is_continued = true;
      // A page may be gone on with on others.
      while (is_continued) {
        const Document page = GetJson(&client, target);
        target = LinkOf(page, "next");
        is_continued = false;
        for (const Value entry : page.Root().Find("entry").Children()) {
          const std::string_view mode = entry.Find("search").Find("mode").Text();
          is_continued = is_continued || mode == "outcome";
          if (mode == "outcome") continue;
          ++entries;
          (mode == "match" ? matches : got).insert(NameOf(entry.Find("resource")));
        }
      }
      EXPECT_EQ(entries, matches.size() + got.size()) << "each resource once";
      ASSERT_EQ(got, naive.Include(matches, c)) << QueryOf(c);
      included += got.size();
    }
  }
  EXPECT_GT(included, 10'000U);
}

}  // namespace
}  // namespace e2e
