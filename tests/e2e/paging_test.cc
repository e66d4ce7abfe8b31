// Pages: complete, stable under later writes, linked in both directions, safe against changed links.
#include <set>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

class PagingTest : public ServerTest {
 protected:
  // `count` patients of that family; their ids in the order of creation.
  std::vector<std::string> CreatePatients(std::string_view family, int count,
                                          std::string_view members = {}) {
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) {
      std::string json = R"({"resourceType":"Patient","name":[{"family":")";
      json.append(family).append(R"("}])").append(members.empty() ? "" : ",").append(members);
      ids.push_back(Client().Create(json + "}"));
    }
    return ids;
  }

  static std::set<std::string> SetOf(const std::vector<std::string>& ids) {
    return {ids.begin(), ids.end()};
  }
};

TEST_F(PagingTest, EqualSortKeysNeitherRepeatNorDropEntries) {
  const auto created = CreatePatients("equal", 7, R"("birthDate":"1980-05-05")");
  for (const char* sort : {"birthdate", "-birthdate", "gender", "-_lastUpdated", "family,given"}) {
    const auto walked = Client().Walk("Patient?family=equal&_count=2&_sort=" + std::string(sort));
    EXPECT_EQ(walked.size(), 7u) << sort;
    EXPECT_EQ(SetOf(walked), SetOf(created)) << sort;
  }
}

TEST_F(PagingTest, LaterWritesDoNotShiftPages) {
  for (const char* sort : {"", "&_sort=birthdate", "&_sort=-_id"}) {
    const std::string family = "stable" + std::to_string(std::string(sort).size());
    const auto created = CreatePatients(family, 7, R"("birthDate":"1980")");
    const Answer first = Client().Get("Patient?family=" + family + "&_count=3" + sort);
    EXPECT_EQ(first.Total(), 7);
    std::vector<std::string> ids = first.Ids();
    // Deletes one that was shown, one that was not, and changes one so that it matches no more.
    Client().Delete("Patient/" + created[0]);
    Client().Delete("Patient/" + created[5]);
    Client().Put("Patient/" + created[6],
                 R"({"resourceType":"Patient","id":")" + created[6] + "\"}");
    CreatePatients(family, 3, R"("birthDate":"1980")");
    for (std::string next = first.Link("next"); !next.empty();) {
      const Answer page = Client().Get(next);
      ASSERT_EQ(page.Status(), 200);
      EXPECT_EQ(page.Total(), 7);
      for (std::string& id : page.Ids()) ids.push_back(std::move(id));
      next = page.Link("next");
    }
    EXPECT_EQ(ids.size(), 7u) << sort;
    EXPECT_EQ(SetOf(ids), SetOf(created)) << sort;
    EXPECT_EQ(Client().Count("Patient?family=" + family), 7);  // 7 - 3 + 3
  }
}

TEST_F(PagingTest, APageShowsTheVersionsOfItsTime) {
  const auto created = CreatePatients("versions", 2);
  const Answer first = Client().Get("Patient?family=versions&_count=1");
  const std::string& second_id = created[1];
  Client().Put("Patient/" + second_id, R"({"resourceType":"Patient","id":")" + second_id +
                                           R"(","name":[{"family":"changed"}]})");
  const Answer second = Client().Get(first.Link("next"));
  EXPECT_EQ(second.Ids(), std::vector{second_id});
  EXPECT_EQ(second.Text("entry.0.resource.meta.versionId"), "1");
  EXPECT_EQ(second.Text("entry.0.resource.name.0.family"), "versions");
}

TEST_F(PagingTest, EveryPageHasItsLinksInTheBundleAndInTheHeader) {
  CreatePatients("links", 5);
  const Answer first = Client().Get("Patient?family=links&_count=2");
  const Answer second = Client().Get(first.Link("next"));
  const Answer third = Client().Get(second.Link("next"));
  EXPECT_EQ(third.Link("next"), "");
  EXPECT_EQ(third.Ids().size(), 1u);
  EXPECT_EQ(first.Link("previous"), "");
  EXPECT_EQ(first.Link("self"), Client().Base() + "/Patient?family=links&_count=2");
  EXPECT_EQ(Client().Get(second.Link("previous")).Ids(), first.Ids());
  EXPECT_EQ(Client().Get(third.Link("previous")).Ids(), second.Ids());
  for (const Answer* page : {&first, &second, &third}) {
    EXPECT_EQ(Client().Get(page->Link("first")).Ids(), first.Ids());
    EXPECT_EQ(Client().Get(page->Link("self")).Ids(), page->Ids());
    for (const char* relation : {"self", "first", "previous", "next"}) {
      const std::string url = page->Link(relation);
      if (url.empty()) continue;
      EXPECT_TRUE(url.starts_with(Client().Base() + "/Patient?family=links&_count=2"));
      EXPECT_NE(page->Header("link").find("<" + url + ">; rel=\"" + relation + "\""),
                std::string::npos);
    }
  }
}

TEST_F(PagingTest, APageThatIsExactlyFullIsTheLast) {
  CreatePatients("full", 4);
  const Answer first = Client().Get("Patient?family=full&_count=2");
  const Answer second = Client().Get(first.Link("next"));
  EXPECT_EQ(second.Ids().size(), 2u);
  EXPECT_EQ(second.Link("next"), "");
  EXPECT_EQ(Client().Get("Patient?family=full&_count=4").Link("next"), "");
  EXPECT_EQ(Client().Get("Patient?family=nobody").Link("next"), "");
}

TEST_F(PagingTest, ASearchByPostCanBePagedByGet) {
  const auto created = CreatePatients("posted", 3);
  const Answer first = Client().Post("Patient/_search", "family=posted&_count=2",
                                     {{"Content-Type", "application/x-www-form-urlencoded"}});
  ASSERT_EQ(first.Status(), 200);
  EXPECT_EQ(first.Total(), 3);
  const Answer second = Client().Get(first.Link("next"));
  EXPECT_EQ(second.Ids(), std::vector{created[2]});
}

TEST_F(PagingTest, ASearchForThousandsOfIdsCanBePagedByGet) {
  const auto created = CreatePatients("many", 6);
  const auto search = [&](std::size_t bytes) {
    std::string form = "_count=2&_id=";
    for (const std::string& id : created) form += id + ",";
    for (int i = 0; form.size() < bytes; ++i) form += "none-" + std::to_string(i) + ",";
    form.pop_back();
    return Client().Send("POST", "Patient/_search", form,
                         {{"Content-Type", "application/x-www-form-urlencoded"}});
  };
  for (const std::size_t bytes : {15'000u, 25'000u, 150'000u}) {
    Answer page = search(bytes);
    ASSERT_EQ(page.Status(), 200) << page.http.body.substr(0, 1'000);
    std::vector<std::string> ids = page.Ids();
    for (std::string next = page.Link("next"); !next.empty(); next = page.Link("next")) {
      page = Client().Get(next);
      ASSERT_EQ(page.Status(), 200) << bytes;
      for (std::string& id : page.Ids()) ids.push_back(std::move(id));
    }
    EXPECT_EQ(ids, created) << bytes;
  }
}

TEST_F(PagingTest, AResultWhoseNextPageNoLinkCouldReachIsRefused) {
  CreatePatients("long", 2);
  // Each < needs three bytes in a link.
  std::string form = "family=long";
  for (int i = 0; i < 10'000; ++i) form += ",zz" + std::string(50, '<');
  const auto search = [&](const std::string& text) {
    return Client().Send("POST", "Patient/_search", text,
                         {{"Content-Type", "application/x-www-form-urlencoded"}});
  };
  EXPECT_EQ(search(form + "&_count=2").Ids().size(), 2u);
  const Answer refused = search(form + "&_count=1");
  EXPECT_EQ(refused.Status(), 403);
  EXPECT_NE(refused.Text("issue.0.diagnostics").find("link to the next page"), std::string::npos)
      << refused.http.body.substr(0, 1'000);
}

TEST_F(PagingTest, TheHistoryIsPagedToo) {
  for (const char* language : {"a", "b", "c"}) {
    Client().Put("Patient/paged", R"({"resourceType":"Patient","id":"paged","language":")" +
                                      std::string(language) + "\"}");
  }
  const Answer first = Client().Get("Patient/paged/_history?_count=1");
  EXPECT_EQ(first.Total(), 3);
  Client().Delete("Patient/paged");
  const Answer second = Client().Get(first.Link("next"));
  EXPECT_EQ(second.Total(), 3);
  EXPECT_EQ(second.Text("entry.0.response.etag"), "W/\"2\"");
  const Answer third = Client().Get(second.Link("next"));
  EXPECT_EQ(third.Text("entry.0.response.etag"), "W/\"1\"");
  EXPECT_EQ(third.Link("next"), "");
  EXPECT_EQ(Client().Get(third.Link("previous")).Text("entry.0.response.etag"), "W/\"2\"");
}

TEST_F(PagingTest, ChangedLinksAreRefused) {
  CreatePatients("tampered", 3);
  const std::string next = Client().Get("Patient?family=tampered&_count=1").Link("next");
  const std::size_t token = next.find("__page=") + 7;
  for (std::size_t i = token; i < next.size(); ++i) {
    std::string changed = next;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(Client().Get(changed).Status(), 400) << changed;
  }
  for (const std::string& changed :
       {next.substr(0, token), next.substr(0, token) + "x", next + "A", next + "%00",
        next.substr(0, next.size() - 1), next + "&_count=2", next + "&gender=male",
        next + "&__page=x", "Device" + next.substr(next.find('?'))}) {
    const Answer answer = Client().Get(changed);
    EXPECT_EQ(answer.Status(), 400) << changed;
    EXPECT_EQ(answer.Text("resourceType"), "OperationOutcome");
  }
}

TEST_F(PagingTest, CountIsLimitedAndChecked) {
  CreatePatients("counted", 60);
  const auto get = [&](const char* count) {
    return Client().Get("Patient?family=counted&_count=" + std::string(count));
  };
  EXPECT_EQ(Client().Get("Patient?family=counted").Ids().size(), 50u);
  EXPECT_EQ(get("").Ids().size(), 50u);
  EXPECT_EQ(get("60").Ids().size(), 60u);
  EXPECT_EQ(get("10000").Ids().size(), 60u);
  for (const char* bad : {"10001", "-1", "1.5", "ten", "99999999999999999999", "+1", "0x10"}) {
    EXPECT_EQ(get(bad).Status(), 400) << bad;
  }
  const Answer none = get("0");
  EXPECT_EQ(none.Status(), 200);
  EXPECT_EQ(none.Total(), 60);
  EXPECT_EQ(none.Ids().size(), 0u);
  EXPECT_EQ(none.Link("next"), "");
}

TEST_F(PagingTest, SummaryCountAndTotalAreHonoured) {
  CreatePatients("summed", 3);
  const Answer count = Client().Get("Patient?family=summed&_summary=count");
  EXPECT_EQ(count.Total(), 3);
  EXPECT_TRUE(count.At("entry").IsNone());
  EXPECT_EQ(Client().Get("Patient?family=summed&_total=accurate").Total(), 3);
  const Answer none = Client().Get("Patient?family=summed&_total=none&_count=2");
  EXPECT_EQ(none.Total(), -1);
  EXPECT_EQ(Client().Get(none.Link("next")).Ids().size(), 1u);
  EXPECT_EQ(Client().Get("Patient?_total=some").Status(), 400);
  EXPECT_EQ(Client().Get("Patient?_summary=some").Status(), 400);
}

}  // namespace
}  // namespace e2e
