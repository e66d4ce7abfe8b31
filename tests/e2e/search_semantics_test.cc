// What strings, tokens, references, uris and result parameters mean, as clients see it.
#include <algorithm>

#include "tests/e2e/fhir_client.h"

namespace e2e {
namespace {

class SearchSemanticsTest : public ServerTest {
 protected:
  std::string PatientOf(const std::string& members) {
    return Client().Create(R"({"resourceType":"Patient",)" + members + "}");
  }
  std::string PatientWithIdentifier(const std::string& system, const std::string& value) {
    return PatientOf(R"("identifier":[{)" +
                     (system.empty() ? "" : R"("system":")" + system + "\",") + R"("value":")" +
                     value + "\"}]");
  }
};

TEST_F(SearchSemanticsTest, EscapedCommasBelongToTheValue) {
  const auto create = [&](const std::string& name) {
    return Client().Create(R"({"resourceType":"Location","name":")" + name + "\"}");
  };
  const std::string all = create("a, b, c");
  const std::string a = create("a");
  create("d");
  EXPECT_EQ(Client().Get(R"(Location?name:exact=a\,%20b\,%20c)").Ids(), std::vector{all});
  EXPECT_EQ(Client().Get("Location?name:exact=a,b,c").Ids(), std::vector{a});
  EXPECT_EQ(Client().Get(R"(Location?name=a\,)").Ids(), std::vector{all});
  const std::string odd = create(R"(x|y$z\\)");
  EXPECT_EQ(Client().Get(R"(Location?name:exact=x\|y\$z\\)").Ids(), std::vector{odd});
}

TEST_F(SearchSemanticsTest, AccentsAndCaseAreFoldedUnlessExact) {
  const std::string id = PatientOf(R"("name":[{"family":"Müller","given":["Åsa Straße"]}])");
  for (const char* query : {"family=muller", "family=M%C3%9CLL", "family=Mu%CC%88ller",
                            "family:exact=M%C3%BCller", "family:contains=%C3%BCLL", "given=asa",
                            "given:contains=STRASSE", "name=muller", "name=asa"}) {
    EXPECT_EQ(Client().Get("Patient?" + std::string(query)).Ids(), std::vector{id}) << query;
  }
  for (const char* query : {"family:exact=muller", "family=uller", "family:exact=M%C3%BCll"}) {
    EXPECT_EQ(Client().Count("Patient?" + std::string(query)), 0) << query;
  }
}

TEST_F(SearchSemanticsTest, TokensAreAskedForWithOrWithoutASystem) {
  const std::string in_s = PatientWithIdentifier("s", "v");
  const std::string in_t = PatientWithIdentifier("t", "v");
  const std::string bare = PatientWithIdentifier("", "v");
  const auto found = [&](const std::string& query) {
    return Client().Get("Patient?identifier=" + query).Ids();
  };
  EXPECT_EQ(found("v"), (std::vector{in_s, in_t, bare}));
  EXPECT_EQ(found("s|v"), std::vector{in_s});
  EXPECT_EQ(found("|v"), std::vector{bare});
  EXPECT_EQ(found("s|"), std::vector{in_s});
  EXPECT_EQ(found("s%7Cv,t|v"), (std::vector{in_s, in_t}));
  EXPECT_EQ(found("S|v"), std::vector<std::string>{});
  EXPECT_EQ(found("u|"), std::vector<std::string>{});
}

TEST_F(SearchSemanticsTest, TagsSecurityLabelsAndProfilesAreFound) {
  const std::string id = PatientOf(
      R"("meta":{"tag":[{"system":"ts","code":"tc"}],"security":[{"system":"ss","code":"sc"}],)"
      R"("profile":["http://p.example/x|1.0"]})");
  for (const char* query :
       {"_tag=ts|tc", "_tag=ts|", "_tag=tc", "_security=ss|sc", "_security=ss|", "_security=sc",
        "_profile=http://p.example/x|1.0", "_profile=http://p.example/x"}) {
    EXPECT_EQ(Client().Get("Patient?" + std::string(query)).Ids(), std::vector{id}) << query;
  }
  EXPECT_EQ(Client().Count("Patient?_tag=|tc"), 0);
  EXPECT_EQ(Client().Count("Patient?_profile=http://p.example/"), 0);
  Client().Create(
      R"({"resourceType":"Basic","code":{"text":"x"},"subject":{"reference":"Patient/)" + id +
      "\"}}");
  for (const char* query : {"subject:Patient._tag=ts|", "subject:Patient._tag=ts|tc",
                            "patient._security=ss|", "patient._tag=tc"}) {
    EXPECT_EQ(Client().Count("Basic?" + std::string(query)), 1) << query;
  }
}

TEST_F(SearchSemanticsTest, NotIncludesResourcesWithoutTheElement) {
  const std::string tag = R"("meta":{"tag":[{"code":"negated"}]})";
  const std::string male = PatientOf(tag + R"(,"gender":"male")");
  const std::string female = PatientOf(tag + R"(,"gender":"female")");
  const std::string unsaid = PatientOf(tag);
  EXPECT_EQ(Client().Get("Patient?_tag=negated&gender:not=male").Ids(),
            (std::vector{female, unsaid}));
  EXPECT_EQ(Client().Get("Patient?_tag=negated&gender:not=male,female").Ids(), std::vector{unsaid});
  EXPECT_EQ(Client().Get("Patient?_tag=negated&gender:missing=true").Ids(), std::vector{unsaid});
  EXPECT_EQ(Client().Get("Patient?_tag=negated&gender:missing=false").Ids(),
            (std::vector{male, female}));
}

TEST_F(SearchSemanticsTest, PrefixesOfIdsAndValuesAreNoHits) {
  for (const char* id : {"pre", "pre.", "pre-1", "pre-11", "pr"}) {
    const std::string json = R"({"resourceType":"Patient","id":")" + std::string(id) +
                             R"(","identifier":[{"system":"pre","value":")" + id + "\"}]}";
    ASSERT_EQ(Client().Put("Patient/" + std::string(id), json).Status(), 201);
    Client().Create(
        R"({"resourceType":"Basic","code":{"text":"x"},"subject":{"reference":"Patient/)" +
        std::string(id) + "\"}}");
  }
  for (const char* id : {"pre", "pre.", "pre-1", "pre-11", "pr"}) {
    const std::string text(id);
    EXPECT_EQ(Client().Get("Patient?_id=" + text).Ids(), std::vector{text});
    EXPECT_EQ(Client().Get("Patient?identifier=pre|" + text).Ids(), std::vector{text});
    EXPECT_EQ(Client().Count("Basic?subject=Patient/" + text), 1);
    EXPECT_EQ(Client().Count("Basic?subject=" + text), 1);
  }
  EXPECT_EQ(Client().Count("Patient?_id=pre,pr,nobody"), 2);
}

TEST_F(SearchSemanticsTest, AndIsByRepetitionAndOrByCommas) {
  const std::string both = PatientOf(R"("name":[{"given":["andy","orla"]}])");
  const std::string one = PatientOf(R"("name":[{"given":["andy"]}])");
  EXPECT_EQ(Client().Get("Patient?given=andy&given=orla").Ids(), std::vector{both});
  EXPECT_EQ(Client().Get("Patient?given=andy,orla").Ids(), (std::vector{both, one}));
  EXPECT_EQ(Client().Count("Patient?given=andy&given=nobody"), 0);
}

TEST_F(SearchSemanticsTest, UnknownParametersAreRefusedOrSaidToBeIgnored) {
  const std::string id = PatientOf(R"("name":[{"family":"unknown"}])");
  for (const char* query :
       {"famly=x", "family=unknown&nonsense=1", "family:nonsense=unknown", "_sort=nonsense",
        "_nonsense=1", "family.nonsense=1", "gender:exact=x", "_has:Nonsense:patient:code=1",
        "subject:Patient=x", "_id:nonsense=1"}) {
    for (const char* prefer : {"", "handling=strict"}) {
      const Answer answer = Client().Get("Patient?" + std::string(query), {{"Prefer", prefer}});
      EXPECT_EQ(answer.Status(), 400) << query;
      EXPECT_EQ(answer.Text("resourceType"), "OperationOutcome") << query;
    }
  }
  const Answer lenient =
      Client().Get("Patient?family=unknown&nonsense=1", {{"Prefer", "handling=lenient"}});
  EXPECT_EQ(lenient.Status(), 200);
  EXPECT_EQ(lenient.Ids(), std::vector{id});
  EXPECT_EQ(lenient.Total(), 1);
  EXPECT_EQ(lenient.Link("self"), Client().Base() + "/Patient?family=unknown");
  EXPECT_EQ(lenient.Text("entry.1.search.mode"), "outcome");
  EXPECT_EQ(lenient.Text("entry.1.resource.issue.0.severity"), "warning");
  EXPECT_NE(lenient.Text("entry.1.resource.issue.0.diagnostics").find("nonsense"),
            std::string::npos);
  // A modifier is never left out: the result would be another.
  EXPECT_EQ(
      Client().Get("Patient?family:nonsense=unknown", {{"Prefer", "handling=lenient"}}).Status(),
      400);
}

TEST_F(SearchSemanticsTest, EmptyValuesAreIgnored) {
  const std::string id = PatientOf(R"("name":[{"family":"emptied"}])");
  for (const char* query : {"family=emptied&gender=", "family=emptied&&",
                            "family=emptied&_sort=", "family=emptied&_count=", "family=emptied,"}) {
    EXPECT_EQ(Client().Get("Patient?" + std::string(query)).Ids(), std::vector{id}) << query;
  }
}

TEST_F(SearchSemanticsTest, ResourcesWithoutTheSortKeyComeLast) {
  const std::string tag = R"("meta":{"tag":[{"code":"sorted"}]})";
  const std::string unsaid = PatientOf(tag);
  const std::string male = PatientOf(tag + R"(,"gender":"male","birthDate":"1970")");
  const std::string female = PatientOf(tag + R"(,"gender":"female","birthDate":"1980")");
  const auto sorted = [&](const char* sort) {
    return Client().Get("Patient?_tag=sorted&_sort=" + std::string(sort)).Ids();
  };
  EXPECT_EQ(sorted("gender"), (std::vector{female, male, unsaid}));
  EXPECT_EQ(sorted("-gender"), (std::vector{male, female, unsaid}));
  EXPECT_EQ(sorted("birthdate"), (std::vector{male, female, unsaid}));
  EXPECT_EQ(sorted("-birthdate"), (std::vector{female, male, unsaid}));
  std::vector<std::string> ids = {unsaid, male, female};
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(sorted("_id"), ids);
  std::reverse(ids.begin(), ids.end());
  EXPECT_EQ(sorted("-_id"), ids);
  EXPECT_EQ(sorted("-_lastUpdated"), (std::vector{female, male, unsaid}));
}

TEST_F(SearchSemanticsTest, SeveralSortKeysBreakTies) {
  const std::string tag = R"("meta":{"tag":[{"code":"ties"}]},)";
  const auto create = [&](const char* gender, const char* birth, const char* family) {
    return PatientOf(tag + R"("gender":")" + gender + R"(","birthDate":")" + birth +
                     R"(","name":[{"family":")" + family + "\"}]");
  };
  const std::string a = create("male", "1990", "b");
  const std::string b = create("male", "1980", "a");
  const std::string c = create("female", "1980", "c");
  const std::string d = create("male", "1990", "a");
  EXPECT_EQ(Client().Get("Patient?_tag=ties&_sort=gender,-birthdate,family").Ids(),
            (std::vector{c, d, a, b}));
  EXPECT_EQ(Client().Get("Patient?_tag=ties&_sort=-gender,birthdate,-family").Ids(),
            (std::vector{b, a, d, c}));
}

TEST_F(SearchSemanticsTest, ElementsLeaveOutTheOthersAndSaySo) {
  const std::string id =
      PatientOf(R"("gender":"male","birthDate":"1970-01-01","name":[{"family":"elements"}])");
  const Answer answer = Client().Get("Patient?family=elements&_elements=gender,id");
  const std::string resource = "entry.0.resource";
  EXPECT_EQ(answer.Text(resource + ".gender"), "male");
  EXPECT_EQ(answer.Text(resource + ".id"), id);
  EXPECT_TRUE(answer.At(resource + ".name").IsNone());
  EXPECT_TRUE(answer.At(resource + ".birthDate").IsNone());
  EXPECT_EQ(answer.Text(resource + ".meta.tag.0.code"), "SUBSETTED");
  EXPECT_EQ(answer.Text(resource + ".resourceType"), "Patient");
  const Answer read = Client().Get("Patient/" + id + "?_elements=birthDate");
  EXPECT_EQ(read.Text("birthDate"), "1970-01-01");
  EXPECT_TRUE(read.At("gender").IsNone());
  EXPECT_EQ(Client().Get("Patient/" + id + "?_summary=").Status(), 200);
  for (const std::string& target :
       {std::string("Patient?_elements=gendre"), "Patient/" + id + "?_elements=gendre",
        std::string("Patient?_elements=name.family")}) {
    EXPECT_EQ(Client().Get(target).Status(), 400) << target;
  }
  EXPECT_EQ(Client().Get("Observation?_elements=value,status,valueQuantity,meta").Status(), 200);
}

TEST_F(SearchSemanticsTest, ReferencesAreFoundByEveryFormAndChained) {
  const std::string patient = PatientOf(R"("name":[{"family":"chained"}],"gender":"other")");
  const std::string encounter =
      Client().Create(R"({"resourceType":"Encounter","status":"finished","class":{"code":"AMB"},)"
                      R"("subject":{"reference":"Patient/)" +
                      patient + "\"}}");
  const std::string observation = Client().Create(
      R"({"resourceType":"Observation","status":"final","code":{"coding":[{"code":"chain"}]},)"
      R"("encounter":{"reference":"Encounter/)" +
      encounter + R"("},"subject":{"reference":"Patient/)" + patient + "\"}}");
  for (const std::string& query :
       {"subject=Patient/" + patient, "subject=" + patient, "patient=" + patient,
        "subject:Patient=" + patient, "subject=" + Client().Base() + "/Patient/" + patient,
        std::string("subject:Patient.family=chained"), std::string("patient.gender=other"),
        std::string("encounter.patient.family=chained"),
        "encounter=Encounter/" + encounter + "&code=chain"}) {
    EXPECT_EQ(Client().Get("Observation?" + query).Ids(), std::vector{observation}) << query;
  }
  EXPECT_EQ(Client().Get("Patient?_has:Observation:patient:code=chain").Ids(),
            std::vector{patient});
  EXPECT_EQ(Client().Count("Observation?subject=Group/" + patient), 0);
  EXPECT_EQ(Client().Count("Observation?subject:Group=" + patient), 0);
  EXPECT_EQ(Client().Get("Observation?subject=no/reference").Status(), 400);
}

TEST_F(SearchSemanticsTest, UrisAreComparedWhole) {
  const std::string id = Client().Create(
      R"({"resourceType":"ValueSet","status":"active","url":"http://v.example/a/b"})");
  EXPECT_EQ(Client().Get("ValueSet?url=http://v.example/a/b").Ids(), std::vector{id});
  EXPECT_EQ(Client().Get("ValueSet?url:below=http://v.example/a").Ids(), std::vector{id});
  EXPECT_EQ(Client().Count("ValueSet?url=http://v.example/a"), 0);
  EXPECT_EQ(Client().Count("ValueSet?url=http://V.example/a/b"), 0);
}

TEST_F(SearchSemanticsTest, CompositesHoldWithinOneElement) {
  const auto create = [&](const char* first, const char* second) {
    const auto component = [](const char* code, const char* value) {
      return R"({"code":{"coding":[{"system":"k","code":")" + std::string(code) +
             R"("}]},"valueQuantity":{"value":)" + value + "}}";
    };
    return Client().Create(
        R"({"resourceType":"Observation","status":"final","code":{"text":"bp"},"component":[)" +
        component("sys", first) + "," + component("dia", second) + "]}");
  };
  const std::string high = create("150", "80");
  create("80", "150");
  EXPECT_EQ(Client().Get("Observation?component-code-value-quantity=k|sys$gt140").Ids(),
            std::vector{high});
  EXPECT_EQ(Client().Count("Observation?component-code-value-quantity=sys$ge80"), 2);
  EXPECT_EQ(Client().Get("Observation?component-code-value-quantity=sys").Status(), 400);
}

}  // namespace
}  // namespace e2e
