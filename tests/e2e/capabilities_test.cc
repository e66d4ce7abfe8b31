// The CapabilityStatement promises only what works: each parameter is searched, each interaction
// is tried.
#include <map>
#include <string>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

using fhir::json::Value;

const std::map<std::string, std::string, std::less<>> kPlausible = {
    {"number", "gt0.5"},
    {"date", "ge2020-01-01"},
    {"string", "a"},
    {"token", "http://s.example|c"},
    {"reference", "http://r.example/fhir/Patient/1"},
    {"composite", ""},  // See CompositeValue.
    {"quantity", "5.4|http://unitsofmeasure.org|mg"},
    {"uri", "http://u.example/x"},
    {"special", "a"}};  // _list

// By the end of the parameter's name, which says what its components are.
std::string CompositeValue(std::string_view name) {
  if (name == "relationship" || name == "relatesto") return "Patient/1$c";
  if (name.ends_with("variant-coordinate") || name.ends_with("window-coordinate")) return "c$5$6";
  if (name.ends_with("-quantity")) return "c$gt5";
  if (name.ends_with("value-string")) return "c$a";
  if (name.ends_with("value-date")) return "c$ge2020";
  return "c$c";
}

class CapabilitiesTest : public ServerTest {};

TEST_F(CapabilitiesTest, TheStatementIsWhole) {
  const Answer answer = Client().Get("metadata");
  ASSERT_EQ(answer.Status(), 200);
  EXPECT_EQ(answer.Text("resourceType"), "CapabilityStatement");
  EXPECT_EQ(answer.Text("fhirVersion"), "4.0.1");
  EXPECT_EQ(answer.Text("kind"), "instance");
  EXPECT_EQ(answer.Text("implementation.url"), Client().Base());
  EXPECT_EQ(answer.Text("rest.0.mode"), "server");
  EXPECT_EQ(answer.Size("rest.0.resource"), 146u);
  EXPECT_EQ(Client().Get("metadata?_format=json").Status(), 200);
  EXPECT_EQ(Client().Get("metadata?mode=full").Status(), 200);
  // It can be stored, so its structure is right.
  const Answer stored = Client().Post("CapabilityStatement", answer.http.body);
  EXPECT_EQ(stored.Status(), 201);
  Client().Delete("CapabilityStatement/" + stored.LocatedId());
}

TEST_F(CapabilitiesTest, EverySearchParameterThatIsListedWorks) {
  const Answer statement = Client().Get("metadata");
  std::size_t searched = 0;
  for (const Value resource : statement.At("rest.0.resource").Children()) {
    const std::string type(resource.Find("type").Text());
    for (const Value parameter : resource.Find("searchParam").Children()) {
      const std::string name(parameter.Find("name").Text());
      const std::string_view kind = parameter.Find("type").Text();
      const auto plausible = kPlausible.find(kind);
      ASSERT_NE(plausible, kPlausible.end()) << type << "." << name << " is a " << kind;
      std::string value = plausible->second;
      if (kind == "composite") value = CompositeValue(name);
      if (name == "_id") value = "a";
      if (name == "near") value = "51.3|12.4|5|km";
      const std::string query = type + "?" + name + "=" + value;
      const Answer answer = Client().Get(query);
      EXPECT_EQ(answer.Status(), 200) << query << ": " << answer.http.body;
      EXPECT_EQ(answer.Total(), 0) << query;
      ++searched;
    }
  }
  EXPECT_GT(searched, 2'000u);
}

TEST_F(CapabilitiesTest, EverySearchParameterOfAllTypesWorks) {
  const Answer statement = Client().Get("metadata");
  std::map<std::string, std::string> values = {{"_filter", "_id%20eq%20a"}, {"_type", "Patient"}};
  for (const Value parameter : statement.At("rest.0.searchParam").Children()) {
    const std::string name(parameter.Find("name").Text());
    if (!values.contains(name))
      values[name] = kPlausible.at(std::string(parameter.Find("type").Text()));
    if (name == "_id") values[name] = "a";
  }
  for (const char* name : {"_id", "_lastUpdated", "_profile", "_security", "_source", "_tag"}) {
    EXPECT_TRUE(values.contains(name)) << name;
  }
  for (const auto& [name, value] : values) {
    const Answer answer = Client().Get("?" + name + "=" + value);
    EXPECT_EQ(answer.Status(), 200) << name << ": " << answer.http.body;
  }
}

TEST_F(CapabilitiesTest, EveryInteractionThatIsListedWorks) {
  const Answer statement = Client().Get("metadata");
  for (const Value resource : statement.At("rest.0.resource").Children()) {
    const std::string type(resource.Find("type").Text());
    const std::string target = type + "/a";
    const std::string body = R"({"resourceType":")" + type + R"(","id":"a"})";
    const std::map<std::string, std::pair<std::string, int>, std::less<>> probes = {
        {"read", {"GET " + target, 200}},
        {"vread", {"GET " + target + "/_history/1", 200}},
        {"update", {"PUT " + target, 200}},
        {"create", {"POST " + type, 201}},
        {"patch", {"PATCH " + target, 200}},
        {"delete", {"DELETE " + type + "/b", 204}},
        {"history-instance", {"GET " + target + "/_history", 200}},
        {"history-type", {"GET " + type + "/_history?_count=1", 200}},
        {"search-type", {"GET " + type + "?_count=1", 200}}};
    ASSERT_EQ(Client().Put(target, body).Status(), 201) << type;
    for (const Value interaction : resource.Find("interaction").Children()) {
      const std::string code(interaction.Find("code").Text());
      const auto probe = probes.find(code);
      ASSERT_NE(probe, probes.end()) << code << " is listed but unknown here";
      const auto& [request, status] = probe->second;
      const std::string method = request.substr(0, request.find(' '));
      const std::string_view path = std::string_view(request).substr(method.size() + 1);
      const Answer answer =
          method == "PUT"    ? Client().Put(path, body)
          : method == "POST" ? Client().Post(path, body)
          : method == "PATCH"
              ? Client().Send(method, path, R"([{"op":"test","path":"/id","value":"a"}])",
                              {{"Content-Type", "application/json-patch+json"}})
              : Client().Send(method, path, "", {});
      EXPECT_EQ(answer.Status(), status) << request << ": " << answer.http.body;
    }
  }
}

}  // namespace
}  // namespace e2e
