// The cases of cases/*.json against the server.
#include <algorithm>
#include <memory>

#include <gmock/gmock.h>

#include "tests/conformance/search/case_file.h"
#include "tests/integration/server/in_process_server.h"

namespace conformance {
namespace {

using fhir::json::Value;
using testing::ElementsAreArray;
using testing::HasSubstr;
using testing::UnorderedElementsAreArray;

const fhir::search::Registry* RegistryWithContent() {
  static const auto registry = fhir::search::Registry::BuildR4({.index_content = true});
  return registry.get();
}

struct Found {
  std::vector<std::string> matches;   // "Type/id"
  std::vector<std::string> includes;  // "Type/id"
  std::string outcomes;
};

class SearchCases : public server::InProcessServer {
 public:
  explicit SearchCases(const CaseFile& file) : server::InProcessServer(RegistryWithContent()) {
    std::string bundle = R"({"resourceType":"Bundle","type":"transaction","entry":[)";
    for (std::size_t i = 0; i < file.resources.size(); ++i) {
      bundle += (i == 0 ? R"({"resource":)" : R"(,{"resource":)") + file.resources[i] +
                R"(,"request":{"method":"PUT","url":")" + file.names[i] + "\"}}";
    }
    const server::Answer answer = Post("", bundle + "]}");
    EXPECT_EQ(answer.Status(), 200) << answer.body;
  }

  void Check(const Case& wanted) {
    SCOPED_TRACE(wanted.query + (wanted.form ? " with the form " + *wanted.form : ""));
    const server::Answer answer = Ask(wanted);
    ASSERT_EQ(answer.Status(), wanted.status) << answer.body;
    if (wanted.status != 200) return CheckRefusal(wanted, answer);
    Found found = Read(answer);
    if (wanted.pages > 0) WalkPages(wanted, answer, &found);
    const auto expected = Named(wanted);
    if (wanted.ordered) {
      EXPECT_THAT(found.matches, ElementsAreArray(expected));
    } else {
      EXPECT_THAT(found.matches, UnorderedElementsAreArray(expected));
    }
    if (wanted.includes) {
      EXPECT_THAT(found.includes, UnorderedElementsAreArray(*wanted.includes));
    }
    CheckTotal(wanted, answer);
    CheckFirst(wanted, answer.At("entry", "0", "resource"));
    if (!wanted.outcome.empty()) EXPECT_THAT(found.outcomes, HasSubstr(wanted.outcome));
    if (wanted.self)
      EXPECT_EQ(answer.Link("self"), std::string(server::kBase) + "/" + *wanted.self);
  }

 private:
  void TestBody() override {}

  server::Answer Ask(const Case& wanted) {
    server::RequestHeaders headers;
    headers.prefer = wanted.prefer;
    if (!wanted.form) return Do(server::Verb::kGet, wanted.query, {}, headers);
    headers.content_type = "application/x-www-form-urlencoded";
    const std::size_t question = std::min(wanted.query.find('?'), wanted.query.size());
    const std::string path = wanted.query.substr(0, question);
    return Post((path.empty() ? "_search" : path + "/_search") + wanted.query.substr(question),
                *wanted.form, headers);
  }

  // The answer names the parameter that it refuses.
  void CheckRefusal(const Case& wanted, const server::Answer& answer) {
    EXPECT_EQ(answer.Text("resourceType"), "OperationOutcome");
    if (wanted.status != 400) return;
    const std::string asked =
        wanted.form ? *wanted.form : wanted.query.substr(wanted.query.find('?') + 1);
    const std::string diagnostics = answer.Text("issue", "0", "diagnostics");
    bool is_named = false;
    for (std::size_t begin = 0; begin < asked.size();) {
      const std::size_t end = std::min(asked.find('&', begin), asked.size());
      const std::string name = asked.substr(begin, asked.find_first_of("=:", begin) - begin);
      is_named = is_named || diagnostics.find(name) != std::string::npos;
      begin = end + 1;
    }
    EXPECT_TRUE(is_named) << diagnostics;
  }

  static Found Read(const server::Answer& answer) {
    Found found;
    const std::vector<std::string> names = answer.Entries();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::string at = std::to_string(i);
      const std::string mode = answer.Text("entry", at, "search", "mode");
      if (mode == "match") found.matches.push_back(names[i]);
      if (mode == "include") found.includes.push_back(names[i]);
      if (mode == "outcome") {
        found.outcomes += answer.Text("entry", at, "resource", "issue", "0", "diagnostics") + "\n";
      }
    }
    return found;
  }

  void WalkPages(const Case& wanted, const server::Answer& first, Found* found) {
    std::size_t pages = 1;
    for (std::string next = first.Link("next"); !next.empty(); ++pages) {
      const server::Answer page = Follow(next);
      ASSERT_EQ(page.Status(), 200) << page.body;
      const Found more = Read(page);
      EXPECT_FALSE(more.matches.empty());
      found->matches.insert(found->matches.end(), more.matches.begin(), more.matches.end());
      next = page.Link("next");
    }
    EXPECT_EQ(pages, wanted.pages);
  }

  // With their type, if the query has one.
  static std::vector<std::string> Named(const Case& wanted) {
    std::string path = wanted.query.substr(0, wanted.query.find('?'));
    path = path.substr(path.rfind('/') + 1);
    if (path.empty() || path == "*") return wanted.ids;
    std::vector<std::string> names;
    for (const std::string& id : wanted.ids) names.push_back(path + "/" + id);
    return names;
  }

  static void CheckTotal(const Case& wanted, const server::Answer& answer) {
    if (!wanted.has_total) {
      EXPECT_TRUE(answer.At("total").IsNone());
    } else {
      EXPECT_EQ(answer.Text("total"), std::to_string(wanted.total.value_or(wanted.ids.size())));
    }
  }

  static void CheckFirst(const Case& wanted, const Value& resource) {
    if (wanted.members) {
      std::vector<std::string> members;
      for (const Value member : resource.Children()) members.emplace_back(member.Name());
      EXPECT_THAT(members, UnorderedElementsAreArray(*wanted.members));
    }
    if (!wanted.is_subsetted) return;
    bool has_tag = false;
    const Value tags = resource.Find("meta").Find("tag");
    if (!tags.IsNone()) {
      for (const Value tag : tags.Children()) {
        has_tag = has_tag || tag.Find("code").StringOrEmpty() == "SUBSETTED";
      }
    }
    EXPECT_EQ(has_tag, *wanted.is_subsetted);
  }
};

class SearchCasesTest : public testing::TestWithParam<std::string> {};

TEST_P(SearchCasesTest, AreAnsweredAsR4Says) {
  const CaseFile file = LoadCaseFile(GetParam());
  EXPECT_FALSE(file.cases.empty());
  SearchCases server(file);
  for (const Case& one : file.cases) server.Check(one);
}

INSTANTIATE_TEST_SUITE_P(Files, SearchCasesTest, testing::ValuesIn(CaseFileNames()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace conformance
