// The Patient of a chart.
#include <string>
#include <string_view>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr double kHasLicense = 0.88;
constexpr double kHasPassport = 0.76;
constexpr double kHasMaidenName = 0.6;  // Of women.

void AddDigits(Chart& chart, int digits) {
  for (int i = 0; i < digits; ++i) {
    chart.Json() += static_cast<char>('0' + chart.random.Below(10));
  }
}

void AddUsCoreExtension(Chart& chart, std::string_view name, const WeightedCode& value) {
  Append(chart.Json(), R"({"url":"http://hl7.org/fhir/us/core/StructureDefinition/us-core-)", name,
         R"(","extension":[{"url":"ombCategory","valueCoding":{)",
         R"("system":"urn:oid:2.16.840.1.113883.6.238","code":")", value.code, R"(","display":)",
         Quoted(value.display), R"(}},{"url":"text","valueString":)", Quoted(value.display),
         "}]},");
}

void AddExtensions(Chart& chart) {
  std::string& json = chart.Json();
  Random& random = chart.random;
  json += R"(,"extension":[)";
  AddUsCoreExtension(chart, "race", kRaces[chart.vocabulary.races.Draw(random)]);
  AddUsCoreExtension(chart, "ethnicity", kEthnicities[chart.vocabulary.ethnicities.Draw(random)]);
  std::string mother(kFemaleNames[random.Below(kFemaleNames.size())].display);
  Append(mother, " ", kFamilyNames[random.Below(kFamilyNames.size())].display);
  Append(json, R"({"url":"http://hl7.org/fhir/StructureDefinition/patient-mothersMaidenName",)",
         R"("valueString":)", Quoted(mother),
         R"(},{"url":"http://hl7.org/fhir/us/core/StructureDefinition/us-core-birthsex",)",
         R"("valueCode":")", chart.female ? "F" : "M",
         R"("},{"url":"http://hl7.org/fhir/StructureDefinition/patient-birthPlace",)",
         R"("valueAddress":{"city":)", Quoted(kCities[random.Below(kCities.size())].display),
         R"(,"state":"Massachusetts","country":"US"}},)",
         R"({"url":"http://synthetichealth.github.io/synthea/disability-adjusted-life-years",)",
         R"("valueDecimal":)");
  const double years = static_cast<double>(chart.died - chart.born) / kSecondsPerDay / 365.25;
  const double lost = years * 0.3 * random.Uniform();
  AppendDecimal(json, lost, 9);
  Append(json,
         R"(},{"url":"http://synthetichealth.github.io/synthea/quality-adjusted-life-years",)",
         R"("valueDecimal":)");
  AppendDecimal(json, years - lost, 9);
  json += "}]";
}

void BeginIdentifier(std::string& json, std::string_view code, std::string_view display,
                     std::string_view system) {
  Append(json, R"(,{"type":)",
         ConceptJson("http://terminology.hl7.org/CodeSystem/v2-0203", code, display, display),
         R"(,"system":")", system, R"(","value":")");
}

void AddIdentifiers(Chart& chart) {
  std::string& json = chart.Json();
  Append(json, R"(,"identifier":[{"system":"https://github.com/synthetichealth/synthea","value":")",
         chart.id.Text(), "\"}");
  BeginIdentifier(json, "MR", "Medical Record Number", "http://hospital.smarthealthit.org");
  Append(json, chart.id.Text(), "\"}");
  BeginIdentifier(json, "SS", "Social Security Number", "http://hl7.org/fhir/sid/us-ssn");
  json += "999-";
  AddDigits(chart, 2);
  json += '-';
  AddDigits(chart, 4);
  json += "\"}";
  if (chart.random.Chance(kHasLicense)) {
    BeginIdentifier(json, "DL", "Driver's License", "urn:oid:2.16.840.1.113883.4.3.25");
    json += "S999";
    AddDigits(chart, 5);
    json += "\"}";
  }
  if (chart.random.Chance(kHasPassport)) {
    BeginIdentifier(json, "PPN", "Passport Number",
                    "http://standardhealthrecord.org/fhir/StructureDefinition/passportNumber");
    json += 'X';
    AddDigits(chart, 8);
    json += "X\"}";
  }
  json += ']';
}

void AddName(Chart& chart, std::string_view use, std::string_view family) {
  Append(chart.Json(), R"({"use":")", use, R"(","family":)", Quoted(family), R"(,"given":[)",
         Quoted(chart.given), R"(],"prefix":[")", chart.female ? "Mrs." : "Mr.", R"("]})");
}

void AddAddress(Chart& chart) {
  std::string& json = chart.Json();
  Random& random = chart.random;
  const WeightedCode& city = kCities[random.Below(kCities.size())];
  json +=
      R"(,"address":[{"extension":[{"url":"http://hl7.org/fhir/StructureDefinition/geolocation",)"
      R"("extension":[{"url":"latitude","valueDecimal":)";
  AppendDecimal(json, 41.3 + 1.5 * random.Uniform(), 9);
  json += R"(},{"url":"longitude","valueDecimal":)";
  AppendDecimal(json, -73.4 + 3.4 * random.Uniform(), 9);
  json += R"(}]}],"line":[")";
  AppendInteger(json, static_cast<std::int64_t>(100 + random.Below(999)));
  const std::string street = Quoted(kStreets[random.Below(kStreets.size())].display);
  Append(json, " ", std::string_view(street).substr(1), R"(],"city":)", Quoted(city.display),
         R"(,"state":"MA")");
  if (!city.code.empty()) Append(json, R"(,"postalCode":)", Quoted(city.code));
  json += R"(,"country":"US"}])";
}

}  // namespace

void AddPatient(Chart& chart) {
  std::string& json = chart.Json();
  chart.out.Begin("Patient", chart.id);
  chart.AddProfile("patient");
  json += R"(,"text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\">)"
          R"(Generated by kiln-generate in the likeness of )"
          R"(<a href=\"https://github.com/synthetichealth/synthea\">Synthea</a>'s population. )"
          R"(Person seed: )";
  AppendInteger(json, static_cast<std::int64_t>(chart.random.Next() >> 1));
  json += R"(</div>"})";
  AddExtensions(chart);
  AddIdentifiers(chart);
  json += R"(,"name":[)";
  AddName(chart, "official", chart.family);
  if (chart.female && chart.random.Chance(kHasMaidenName)) {
    json += ',';
    AddName(chart, "maiden", kFamilyNames[chart.random.Below(kFamilyNames.size())].display);
  }
  json += R"(],"telecom":[{"system":"phone","value":"555-)";
  AddDigits(chart, 3);
  json += '-';
  AddDigits(chart, 4);
  Append(json, R"(","use":"home"}],"gender":")", chart.female ? "female" : "male",
         R"(","birthDate":")", Moment(chart.born).Day(), "\"");
  if (chart.deceased) Append(json, R"(,"deceasedDateTime":")", Moment(chart.died).Text(), "\"");
  AddAddress(chart);
  Append(json, R"(,"maritalStatus":)", chart.vocabulary.marital_states.Draw(chart.random).json);
  Append(json, R"(,"multipleBirthBoolean":false,"communication":[{"language":)",
         chart.vocabulary.languages.Draw(chart.random).json, "}]");
  chart.out.End();
}

}  // namespace load_testing
