#include "load-testing/generator/sites.h"

#include <string_view>
#include <utility>

#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr std::string_view kSynthea = "https://github.com/synthetichealth/synthea";
constexpr std::string_view kNpi = "http://hl7.org/fhir/sid/us-npi";

// All that is known of one site, drawn from its number alone.
struct Details {
  explicit Details(std::size_t site);

  const Site& row;
  Random random;
  Uuid organization;
  Uuid location;
  Uuid practitioner;
  Uuid role;
  std::string name;
  std::string npi;
  bool female;
  std::string_view given;
  std::string_view family;
  std::string doctor;   // "Dr. Janette321 Fisher429"
  std::string telecom;  // Item of telecom, or empty.
  std::string address;
};

std::string AddressOf(const Site& row) {
  std::string json;
  Append(json, R"({"line":[)", Quoted(row.street), R"(],"city":)", Quoted(row.city),
         R"(,"state":"MA")");
  if (!row.postal_code.empty()) Append(json, R"(,"postalCode":)", Quoted(row.postal_code));
  return json + R"(,"country":"US"})";
}

std::string_view NameFrom(std::span<const WeightedCode> names, Random& random) {
  return names[random.Below(names.size())].display;
}

Details::Details(std::size_t site)
    : row(kSites[site % kSites.size()]),
      random(0x51735 + site),
      organization(random),
      location(random),
      practitioner(random),
      role(random),
      name(row.name),
      npi(std::to_string(9'990'000'009 + 10 * site)),
      female(random.Chance(0.5)),
      given(NameFrom(female ? kFemaleNames : kMaleNames, random)),
      family(NameFrom(kFamilyNames, random)),
      address(AddressOf(row)) {
  if (site >= kSites.size()) name += " - " + std::to_string(site / kSites.size() + 1);
  Append(doctor, "Dr. ", given, " ", family);
  if (!row.phone.empty()) {
    Append(telecom, R"({"system":"phone","value":)", Quoted(row.phone), "}");
  }
}

std::string Condition(std::string_view system, std::string_view value) {
  std::string condition;
  Append(condition, "identifier=", system, "|", value);
  return condition;
}

std::string Reference(std::string_view type, std::string_view condition, std::string_view display) {
  std::string json;
  Append(json, R"({"reference":")", type, "?", condition, "\"");
  if (!display.empty()) Append(json, R"(,"display":)", Quoted(display));
  return json + '}';
}

std::string LogicalReference(std::string_view system, std::string_view value,
                             std::string_view display) {
  std::string json;
  Append(json, R"({"identifier":{"system":")", system, R"(","value":")", value, R"("},"display":)",
         Quoted(display), "}");
  return json;
}

void AppendProfile(std::string& json, std::string_view name) {
  Append(json, R"(,"meta":{"profile":["http://hl7.org/fhir/us/core/StructureDefinition/)", name,
         R"("]})");
}

void AppendUse(std::string& json, std::string_view of, std::size_t value) {
  Append(json, R"({"url":"http://synthetichealth.github.io/synthea/utilization-)", of,
         R"(-extension","valueInteger":)");
  AppendInteger(json, static_cast<std::int64_t>(value));
  json += '}';
}

void AppendIdentifier(std::string& json, std::string_view system, std::string_view value) {
  Append(json, R"(,"identifier":[{"system":")", system, R"(","value":")", value, R"("}])");
}

void AppendPhone(std::string& json, const Details& site) {
  if (!site.telecom.empty()) Append(json, R"(,"telecom":[)", site.telecom, "]");
}

void AppendEmail(std::string& json, const Details& site) {
  Append(json,
         R"({"extension":[{"url":"http://hl7.org/fhir/us/core/StructureDefinition/us-core-direct",)"
         R"("valueBoolean":true}],"system":"email","value":")",
         site.given, ".", site.family, R"(@example.com","use":"work"})");
}

void AddOrganization(Details& site, BundleWriter& out) {
  std::string& json = out.Json();
  out.Begin("Organization", site.organization);
  AppendProfile(json, "us-core-organization");
  json += R"(,"extension":[)";
  bool first = true;
  for (const std::string_view of : {"encounters", "procedures", "labs", "prescriptions"}) {
    if (!std::exchange(first, false)) json += ',';
    AppendUse(json, of, site.random.Below(400));
  }
  json += ']';
  AppendIdentifier(json, kSynthea, site.organization.Text());
  Append(json, R"(,"active":true,"type":[)",
         ConceptJson("http://terminology.hl7.org/CodeSystem/organization-type", "prov",
                     "Healthcare Provider", "Healthcare Provider"),
         R"(],"name":)", Quoted(site.name));
  AppendPhone(json, site);
  Append(json, R"(,"address":[)", site.address, "]");
  out.End(Condition(kSynthea, site.organization.Text()));
}

void AddLocation(const Details& site, BundleWriter& out) {
  std::string& json = out.Json();
  out.Begin("Location", site.location);
  AppendProfile(json, "us-core-location");
  AppendIdentifier(json, kSynthea, site.location.Text());
  Append(json, R"(,"status":"active","name":)", Quoted(site.name));
  AppendPhone(json, site);
  Append(json, R"(,"address":)", site.address, R"(,"position":{"longitude":)");
  AppendDecimal(json, site.row.longitude, 6);
  Append(json, R"(,"latitude":)");
  AppendDecimal(json, site.row.latitude, 6);
  Append(json, R"(},"managingOrganization":)",
         LogicalReference(kSynthea, site.organization.Text(), site.name));
  out.End(Condition(kSynthea, site.location.Text()));
}

void AddPractitioner(Details& site, BundleWriter& out) {
  std::string& json = out.Json();
  out.Begin("Practitioner", site.practitioner);
  AppendProfile(json, "us-core-practitioner");
  json += R"(,"extension":[)";
  AppendUse(json, "encounters", site.random.Below(400));
  json += ']';
  AppendIdentifier(json, kNpi, site.npi);
  Append(json, R"(,"active":true,"name":[{"family":)", Quoted(site.family), R"(,"given":[)",
         Quoted(site.given), R"(],"prefix":["Dr."]}],"telecom":[)");
  AppendEmail(json, site);
  Append(json, R"(],"address":[)", site.address, R"(],"gender":")", site.female ? "female" : "male",
         "\"");
  out.End(Condition(kNpi, site.npi));
}

void AddRole(const Details& site, const Code& specialty, BundleWriter& out) {
  std::string& json = out.Json();
  out.Begin("PractitionerRole", site.role);
  AppendProfile(json, "us-core-practitionerrole");
  Append(json, R"(,"practitioner":)", LogicalReference(kNpi, site.npi, site.doctor),
         R"(,"organization":)", LogicalReference(kSynthea, site.organization.Text(), site.name),
         R"(,"code":[)", specialty.json, R"(],"specialty":[)", specialty.json, R"(],"location":[)",
         LogicalReference(kSynthea, site.location.Text(), site.name), R"(],"telecom":[)",
         site.telecom, site.telecom.empty() ? "" : ",");
  AppendEmail(json, site);
  json += ']';
  out.End();
}

}  // namespace

Sites::Sites(std::size_t count) {
  references_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Details site(i);
    const std::string npi = Condition(kNpi, site.npi);
    references_.push_back({
        .organization =
            Reference("Organization", Condition(kSynthea, site.organization.Text()), site.name),
        .location = Reference("Location", Condition(kSynthea, site.location.Text()), site.name),
        .practitioner = Reference("Practitioner", npi, site.doctor),
        .bare_practitioner = Reference("Practitioner", npi, {}),
        .name = Quoted(site.name),
    });
  }
}

std::vector<Bundle> Sites::Bundles(const Vocabulary& vocabulary) const {
  std::vector<Bundle> bundles(2);
  bundles[0].name = "0-hospitals";
  bundles[1].name = "0-practitioners";
  BundleWriter hospitals("batch", &bundles[0]);
  BundleWriter practitioners("batch", &bundles[1]);
  for (std::size_t i = 0; i < Count(); ++i) {
    Details site(i);
    AddOrganization(site, hospitals);
    AddLocation(site, hospitals);
    AddPractitioner(site, practitioners);
    AddRole(site, vocabulary.specialties.Draw(site.random), practitioners);
  }
  hospitals.Finish();
  practitioners.Finish();
  return bundles;
}

}  // namespace load_testing
