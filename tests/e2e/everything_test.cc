// Patient/[id]/$everything: the compartment and what it refers to, each once, filtered and paged.
#include <algorithm>
#include <set>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

class EverythingTest : public ServerTest {
 protected:
  // A patient with an organization and a practitioner that are referred to, one dated and one
  // undated observation, a condition and an encounter; and another patient with an observation.
  void SetUp() override {
    ServerTest::SetUp();
    organization_ = Client().Create(R"({"resourceType":"Organization","name":"o"})");
    practitioner_ = Client().Create(R"({"resourceType":"Practitioner"})");
    patient_ = Client().Create(
        R"({"resourceType":"Patient","managingOrganization":{"reference":"Organization/)" +
        organization_ + "\"}}");
    dated_ = Client().Create(ObservationOf(patient_, R"(,"effectiveDateTime":"2020-06-15")"));
    undated_ = Client().Create(ObservationOf(patient_, ""));
    encounter_ = Client().Create(
        R"({"resourceType":"Encounter","status":"finished","class":{"code":"AMB"},"subject":{)"
        R"("reference":"Patient/)" +
        patient_ + R"("},"period":{"start":"2010-01-01","end":"2010-01-02"}})");
    other_ = Client().Create(R"({"resourceType":"Patient"})");
    Client().Create(ObservationOf(other_, ""));
  }

  std::string ObservationOf(const std::string& patient, const std::string& members) {
    return R"({"resourceType":"Observation","status":"final","code":{"text":"e"},"subject":{)"
           R"("reference":"Patient/)" +
           patient + R"("},"performer":[{"reference":"Practitioner/)" + practitioner_ + "\"}]" +
           members + "}";
  }

  std::string Everything(const std::string& query = "") const {
    return "Patient/" + patient_ + "/$everything" + query;
  }
  std::set<std::string> IdsOf(const std::string& query) {
    const std::vector<std::string> ids = Client().Walk(Everything(query));
    const std::set<std::string> distinct(ids.begin(), ids.end());
    EXPECT_EQ(ids.size(), distinct.size());
    return distinct;
  }

  std::string organization_, practitioner_, patient_, dated_, undated_, encounter_, other_;
};

TEST_F(EverythingTest, HoldsTheCompartmentAndWhatItRefersTo) {
  const Answer answer = Client().Get(Everything());
  ASSERT_EQ(answer.Status(), 200);
  EXPECT_EQ(answer.Text("type"), "searchset");
  EXPECT_EQ(answer.Total(), 6);
  EXPECT_EQ(answer.Text("entry.0.resource.id"), patient_);
  EXPECT_EQ(IdsOf(""),
            (std::set{patient_, dated_, undated_, encounter_, organization_, practitioner_}));
  EXPECT_EQ(Client().Send("POST", Everything(), "", {}).Total(), 6);
}

TEST_F(EverythingTest, IsPagedAndStable) {
  for (const char* query : {"?_count=1", "?_count=4", "?_count=5", "?_count=6"}) {
    EXPECT_EQ(IdsOf(query).size(), 6u) << query;
  }
  const Answer first = Client().Get(Everything("?_count=4"));
  EXPECT_EQ(first.Ids().size(), 4u);
  Client().Delete("Observation/" + dated_);
  Client().Create(ObservationOf(patient_, ""));
  std::vector<std::string> ids = first.Ids();
  const Answer second = Client().Get(first.Link("next"));
  EXPECT_EQ(second.Total(), 6);
  EXPECT_EQ(second.Link("next"), "");
  for (std::string& id : second.Ids()) ids.push_back(std::move(id));
  EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()),
            (std::set{patient_, dated_, undated_, encounter_, organization_, practitioner_}));
  EXPECT_EQ(Client().Get(second.Link("previous")).Ids(), first.Ids());
}

TEST_F(EverythingTest, StartAndEndBoundTheDatesOfCare) {
  EXPECT_TRUE(IdsOf("?start=2015").contains(dated_));
  EXPECT_FALSE(IdsOf("?start=2015").contains(encounter_));
  EXPECT_FALSE(IdsOf("?end=2015").contains(dated_));
  EXPECT_TRUE(IdsOf("?end=2015").contains(encounter_));
  const auto within = IdsOf("?start=2020-06-15&end=2020-06-15");
  EXPECT_TRUE(within.contains(dated_));
  EXPECT_FALSE(within.contains(encounter_));
  // Without a date nothing says that it lies outside.
  EXPECT_TRUE(within.contains(undated_));
  EXPECT_TRUE(within.contains(patient_));
}

TEST_F(EverythingTest, SinceLeavesOutWhatDidNotChange) {
  EXPECT_EQ(IdsOf("?_since=2001-01-01T00:00:00Z").size(), 6u);
  EXPECT_EQ(Client().Get(Everything("?_since=2999-01-01T00:00:00Z")).Total(), 0);
}

TEST_F(EverythingTest, BadParametersAreNamed) {
  for (const char* name : {"start", "end", "_since", "_count", "_type", "nonsense"}) {
    const Answer answer = Client().Get(Everything("?" + std::string(name) + "=nonsense"));
    EXPECT_EQ(answer.Status(), 400) << name;
    EXPECT_EQ(answer.Expressions(), std::vector<std::string>{name});
  }
}

TEST_F(EverythingTest, OfNobodyIs404AndOfADeletedPatient410) {
  EXPECT_EQ(Client().Get("Patient/nobody/$everything").Status(), 404);
  const std::string deleted = Client().Create(R"({"resourceType":"Patient"})");
  Client().Delete("Patient/" + deleted);
  EXPECT_EQ(Client().Get("Patient/" + deleted + "/$everything").Status(), 410);
}

TEST_F(EverythingTest, AnotherPatientThatIsLinkedBringsNoCompartment) {
  const std::string linked = Client().Create(
      R"({"resourceType":"Patient","link":[{"type":"seealso","other":{"reference":"Patient/)" +
      patient_ + "\"}}]}");
  const auto ids = Client().Walk("Patient/" + linked + "/$everything");
  EXPECT_TRUE(std::ranges::find(ids, linked) != ids.end());
  EXPECT_TRUE(std::ranges::find(ids, dated_) == ids.end());
}

}  // namespace
}  // namespace e2e
