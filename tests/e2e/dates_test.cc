// Dates, numbers and quantities in searches.
#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

class DatesTest : public ServerTest {
 protected:
  std::string SlotAt(std::string_view start) {
    std::string json =
        R"({"resourceType":"Slot","status":"free","schedule":{"display":"s"},"start":")";
    return Client().Create(json.append(start).append(R"(","end":"2030-01-01T00:00:00Z"})"));
  }
  std::string PatientBorn(std::string_view date) {
    std::string json = R"({"resourceType":"Patient","birthDate":")";
    return Client().Create(json.append(date).append("\"}"));
  }
};

TEST_F(DatesTest, AnInstantIsFoundByItsDayInTheDefaultZone) {
  const std::string id = SlotAt("2019-03-08T10:00:00-08:00");
  EXPECT_EQ(Client().Get("Slot?start=2019-03-08").Ids(), std::vector{id});
  EXPECT_EQ(Client().Get("Slot?start=2019-03-08T18:00:00Z").Ids(), std::vector{id});
  EXPECT_EQ(Client().Get("Slot?start=2019-03-08T10:00:00-08:00").Ids(), std::vector{id});
  EXPECT_EQ(Client().Get("Slot?start=2019-03-08T19:00:00%2B01:00").Ids(), std::vector{id});
  EXPECT_EQ(Client().Count("Slot?start=2019-03-08T10:00:00Z"), 0);
}

TEST_F(DatesTest, UnusualYearsAreStoredAndFound) {
  const std::string first = PatientBorn("0001");
  const std::string last = PatientBorn("9999-12-31");
  EXPECT_EQ(Client().Get("Patient?birthdate=0001").Ids(), std::vector{first});
  EXPECT_EQ(Client().Get("Patient?birthdate=lt0002").Ids(), std::vector{first});
  EXPECT_EQ(Client().Get("Patient?birthdate=9999-12-31").Ids(), std::vector{last});
  EXPECT_EQ(Client().Get("Patient?birthdate=gt9999-12-30").Ids(), std::vector{last});
}

TEST_F(DatesTest, NonDatesAreRefusedAsBodyAndAsSearchValue) {
  for (const char* date : {"2026-02-29", "2024-13", "2024-00-01", "0000", "24", "2024-1-1",
                           "2024-01-32", "today", "2024-02-30"}) {
    const std::string text(date);
    const Answer body =
        Client().Post("Patient", R"({"resourceType":"Patient","birthDate":")" + text + "\"}");
    EXPECT_EQ(body.Status(), 400) << date;
    EXPECT_EQ(body.Expressions(), std::vector<std::string>{"Patient.birthDate"}) << date;
    const Answer search = Client().Get("Patient?birthdate=" + text);
    EXPECT_EQ(search.Status(), 400) << date;
    EXPECT_EQ(search.Expressions(), std::vector<std::string>{"birthdate"}) << date;
  }
  EXPECT_EQ(Client().Get("Patient?birthdate=2024-02-29").Status(), 200);
  EXPECT_EQ(Client().Get("Patient?_lastUpdated=nonsense").Status(), 400);
}

TEST_F(DatesTest, PrefixesCompareRanges) {
  const std::string id = PatientBorn("1955-06-15");
  const std::vector<std::pair<const char*, bool>> cases = {
      {"1955-06-15", true},   {"1955-06", true},       {"1955", true},
      {"eq1955-06", true},    {"ne1955-06", false},    {"ne1955-07", true},
      {"gt1955-06-14", true}, {"gt1955-06-15", false}, {"gt1955", false},
      {"ge1955", true},       {"ge1955-06-15", true},  {"ge1955-06-16", false},
      {"lt1955-06-16", true}, {"lt1955-06-15", false}, {"le1955-06-15", true},
      {"le1955", true},       {"sa1955-05", true},     {"sa1955-06", false},
      {"eb1955-07", true},    {"eb1955-06", false},    {"1955-06-15T10:00:00Z", false}};
  for (const auto& [value, found] : cases) {
    EXPECT_EQ(Client().Count("Patient?_id=" + id + "&birthdate=" + value), found ? 1 : 0) << value;
  }
  EXPECT_EQ(Client().Count("Patient?_id=" + id + "&birthdate=ge1955-06&birthdate=lt1955-07"), 1);
}

TEST_F(DatesTest, PeriodsAreRangesWithOpenEnds) {
  const auto create = [&](const std::string& period) {
    return Client().Create(
        R"({"resourceType":"Encounter","status":"finished","class":{"code":"AMB"},"period":{)" +
        period + "}}");
  };
  const std::string closed = create(R"("start":"1961-01-01","end":"1961-12-31")");
  const std::string open = create(R"("start":"1961-06-01")");
  EXPECT_EQ(Client().Get("Encounter?date=1961").Ids(), std::vector{closed});
  EXPECT_EQ(Client().Get("Encounter?date=gt1970").Ids(), std::vector{open});
  EXPECT_EQ(Client().Get("Encounter?date=lt1961-05").Ids(), std::vector{closed});
  EXPECT_EQ(Client().Count("Encounter?date=ge1961-12-30"), 2);
  // Nothing of the closed one lies above that day, and the day does not contain it.
  EXPECT_EQ(Client().Get("Encounter?date=ge1961-12-31").Ids(), std::vector{open});
}

TEST_F(DatesTest, LastUpdatedIsSearchable) {
  const std::string id = PatientBorn("1800");
  const std::string updated = Client().Get("Patient/" + id).Text("meta.lastUpdated");
  const auto count = [&](const std::string& value) {
    return Client().Count("Patient?_id=" + id + "&_lastUpdated=" + value);
  };
  EXPECT_EQ(count(updated), 1);
  EXPECT_EQ(count("ge" + updated), 1);
  EXPECT_EQ(count("le" + updated), 1);
  EXPECT_EQ(count("gt" + updated), 0);
  EXPECT_EQ(count(updated.substr(0, 10)), 1);
  EXPECT_EQ(count("gt2001"), 1);
  EXPECT_EQ(count("lt2001"), 0);
}

TEST_F(DatesTest, ValuesOfEveryFormAreFoundByTheirNumber) {
  for (const char* value : {"120", "120.0", "1.2E+2", "1.2e2"}) {
    const std::string json =
        R"({"resourceType":"Observation","status":"final","code":{"text":"n"},"valueQuantity":{)"
        R"("value":)" +
        std::string(value) + R"(,"unit":"form"}})";
    const std::string id = Client().Create(json);
    EXPECT_EQ(Client().Count("Observation?_id=" + id + "&value-quantity=120"), 1) << value;
    EXPECT_EQ(Client().Count("Observation?_id=" + id + "&value-quantity=1.2e2"), 1) << value;
    EXPECT_EQ(Client().Count("Observation?_id=" + id + "&value-quantity=120.4"), 0) << value;
  }
}

TEST_F(DatesTest, AQuantityIsMeantAsExactlyAsItIsWritten) {
  const auto create = [&](const char* value) {
    return Client().Create(
        R"({"resourceType":"Observation","status":"final","code":{"text":"q"},"valueQuantity":{)"
        R"("value":)" +
        std::string(value) + R"(,"system":"http://unitsofmeasure.org","code":"mg","unit":"mg"}})");
  };
  const auto count = [&](const std::string& id, const std::string& value) {
    return Client().Count("Observation?_id=" + id + "&value-quantity=" + value);
  };
  const std::string unit = "|http://unitsofmeasure.org|mg";
  EXPECT_EQ(count(create("5.35"), "5.4" + unit), 1);
  EXPECT_EQ(count(create("5.449"), "5.4" + unit), 1);
  EXPECT_EQ(count(create("5.45"), "5.4" + unit), 0);
  EXPECT_EQ(count(create("5.349"), "5.4" + unit), 0);
  const std::string id = create("5.4");
  EXPECT_EQ(count(id, "5.4"), 1);
  EXPECT_EQ(count(id, "5.4||mg"), 1);
  EXPECT_EQ(count(id, "5.4|http://unitsofmeasure.org|g"), 0);
  EXPECT_EQ(count(id, "gt5.39" + unit), 1);
  EXPECT_EQ(count(id, "gt5.4" + unit), 0);
  EXPECT_EQ(count(id, "ge5.4" + unit), 1);
  EXPECT_EQ(count(id, "lt5.41" + unit), 1);
  EXPECT_EQ(count(id, "ne5.4" + unit), 0);
  EXPECT_EQ(Client().Get("Observation?value-quantity=much").Status(), 400);
}

TEST_F(DatesTest, NumbersKeepMoreThanTwoDigits) {
  const auto create = [&](const char* probability) {
    return Client().Create(
        R"({"resourceType":"RiskAssessment","status":"final","subject":{"display":"x"},)"
        R"("prediction":[{"probabilityDecimal":)" +
        std::string(probability) + "}]}");
  };
  const std::string small = create("0.00012345678");
  const std::string smaller = create("0.00012345677");
  EXPECT_EQ(Client().Get("RiskAssessment?probability=0.00012345678").Ids(), std::vector{small});
  EXPECT_EQ(Client().Get("RiskAssessment?probability=lt0.00012345678").Ids(), std::vector{smaller});
  EXPECT_EQ(Client().Get("RiskAssessment?_sort=probability").Ids(), (std::vector{smaller, small}));
}

// The zone of the machine is none of the answer's business; that of the setting is.
class TimeZoneTest : public ServerTest {
 protected:
  static void SetUpTestSuite() {}

  static void ExpectFound(ServerProcess::Settings settings, const char* start, const char* query,
                          long count) {
    StartServer(std::move(settings));
    {
      FhirClient client(Port());
      client.Create(
          R"({"resourceType":"Slot","status":"free","schedule":{"display":"s"},"start":")" +
          std::string(start) + R"(","end":"2030-01-01T00:00:00Z"})");
      EXPECT_EQ(client.Count("Slot?start=" + std::string(query)), count);
    }
    TearDownTestSuite();
  }
  void SetUp() override {}
};

TEST_F(TimeZoneTest, TheZoneOfTheMachineDoesNotMatter) {
  for (const char* zone : {"UTC", "America/Los_Angeles", "Pacific/Kiritimati"}) {
    ExpectFound({{"TZ", zone}}, "2019-03-08T10:00:00-08:00", "2019-03-08", 1);
    ExpectFound({{"TZ", zone}}, "2024-01-01T00:00:00+01:00", "2024", 0);
  }
}

TEST_F(TimeZoneTest, ValuesWithoutAZoneAreReadInTheSettingsZone) {
  const auto in = [](const char* zone) {
    return ServerProcess::Settings{{"DEFAULT_TIME_ZONE", zone}};
  };
  ExpectFound(in("Europe/Berlin"), "2024-01-01T00:00:00+01:00", "2024", 1);
  ExpectFound(in("+01:00"), "2024-01-01T00:00:00+01:00", "2024", 1);
  ExpectFound(in("UTC"), "2024-01-01T00:00:00+01:00", "2023-12-31", 1);
}

}  // namespace
}  // namespace e2e
