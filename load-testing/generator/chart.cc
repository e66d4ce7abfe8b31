#include "load-testing/generator/chart.h"

#include <iterator>

#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr std::string_view kInsurers[] = {
    "Blue Cross Blue Shield", "Medicare", "Cigna Health", "Humana",      "Aetna",
    "UnitedHealthcare",       "Medicaid", "Anthem",       "NO_INSURANCE"};
constexpr double kDeceased = 0.167;

std::string_view NameFrom(std::span<const WeightedCode> names, Random& random) {
  return names[random.Below(names.size())].display;
}

std::string ReferenceMember(std::string_view member, const Uuid& id) {
  std::string json;
  Append(json, ",\"", member, R"(":{"reference":"urn:uuid:)", id.Text(), "\"}");
  return json;
}

UnixSeconds DrawBirth(Random& random) {
  const auto days = static_cast<UnixSeconds>(random.Draw(kAges));
  return kDataEnd - days * kSecondsPerDay + static_cast<UnixSeconds>(random.Below(80'000));
}

}  // namespace

Chart::Chart(const Vocabulary& words, const Sites& all_sites, std::uint64_t seed,
             BundleWriter* writer)
    : vocabulary(words),
      sites(all_sites),
      out(*writer),
      random(seed),
      id(random),
      female(random.Chance(0.5)),
      deceased(random.Chance(kDeceased)),
      given(NameFrom(female ? kFemaleNames : kMaleNames, random)),
      family(NameFrom(kFamilyNames, random)),
      insurer(kInsurers[random.Below(std::size(kInsurers))]),
      born(DrawBirth(random)),
      died(deceased ? born + static_cast<UnixSeconds>(static_cast<double>(kDataEnd - born) *
                                                      random.Uniform())
                    : kDataEnd),
      subject(ReferenceMember("subject", id)),
      patient(ReferenceMember("patient", id)),
      sites_visited{random.Below(sites.Count()), random.Below(sites.Count()),
                    random.Below(sites.Count())},
      conditions(vocabulary.conditions, random),
      prescriptions(vocabulary.prescriptions, random),
      procedures(vocabulary.procedures, random) {
  std::string full;
  Append(full, female ? "Mrs. " : "Mr. ", given, " ", family);
  name = Quoted(full);
}

void Chart::AddProfile(std::string_view profile) const {
  Append(Json(), R"(,"meta":{"profile":["http://hl7.org/fhir/us/core/StructureDefinition/us-core-)",
         profile, R"("]})");
}

void Chart::AddReference(std::string_view member, const Uuid& target) const {
  Append(Json(), ",\"", member, R"(":{"reference":"urn:uuid:)", target.Text(), "\"}");
}

Visit::Visit(Chart& chart, UnixSeconds at)
    : kind(chart.vocabulary.encounter_kinds.Draw(chart.random)),
      site(chart.sites.At(
          chart.sites_visited[chart.random.Below(chart.random.Chance(0.7) ? 1 : 3)])),
      id(chart.random),
      begin(at),
      end(at + static_cast<UnixSeconds>(chart.random.Draw(kEncounterKinds[kind].minutes)) *
                   kSecondsPerMinute),
      encounter(ReferenceMember("encounter", id)) {
  Append(issued, begin.ToTheSecond(), ".190", begin.Zone());
}

void AddProvenance(Chart& chart) {
  std::string& json = chart.Json();
  const std::vector<Uuid> targets = chart.out.Ids();
  const SiteReferences& site = chart.sites.At(chart.sites_visited[0]);
  chart.out.Begin("Provenance", Uuid(chart.random));
  chart.AddProfile("provenance");
  json += R"(,"target":[)";
  for (std::size_t i = 0; i < targets.size(); ++i) {
    Append(json, i > 0 ? "," : "", R"({"reference":"urn:uuid:)", targets[i].Text(), "\"}");
  }
  const Moment recorded(chart.died);
  Append(json, R"(],"recorded":")", recorded.ToTheSecond(), ".190", recorded.Zone(),
         R"(","agent":[)");
  Append(json, R"({"type":)",
         ConceptJson("http://terminology.hl7.org/CodeSystem/provenance-participant-type", "author",
                     "Author", "Author"),
         R"(,"who":)", site.practitioner, R"(,"onBehalfOf":)", site.organization, R"(},{"type":)",
         ConceptJson("http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type",
                     "transmitter", "Transmitter", "Transmitter"),
         R"(,"who":)", site.practitioner, R"(,"onBehalfOf":)", site.organization, "}]");
  chart.out.End();
}

}  // namespace load_testing
