// What is prescribed and given.
#include <string>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr double kHasReason = 0.71;
constexpr double kHasDosage = 0.7;
constexpr double kTimedDosage = 0.89;  // Of dosages; the others say as needed.
constexpr double kStopped = 0.8;

void AddReason(Chart& chart) {
  if (chart.problems.empty() || !chart.random.Chance(kHasReason)) return;
  const Problem& reason = chart.problems[chart.random.Below(chart.problems.size())];
  Append(chart.Json(), R"(,"reasonReference":[{"reference":"urn:uuid:)", reason.id.Text(), "\"}]");
}

void AddDosage(Chart& chart) {
  std::string& json = chart.Json();
  if (!chart.random.Chance(kHasDosage)) return;
  json += R"(,"dosageInstruction":[{"sequence":1,)";
  if (!chart.random.Chance(kTimedDosage)) {
    json += R"("text":"Take as needed.","asNeededBoolean":true}])";
    return;
  }
  json += R"("timing":{"repeat":{"frequency":)";
  AppendInteger(json, static_cast<std::int64_t>(1 + chart.random.Below(4)));
  json += R"(,"period":1.0,"periodUnit":"d"}},"asNeededBoolean":false,"doseAndRate":[{"type":{)"
          R"("coding":[{"system":"http://terminology.hl7.org/CodeSystem/dose-rate-type",)"
          R"("code":"ordered","display":"Ordered"}]},"doseQuantity":{"value":1.0}}]}])";
}

// `medication`: the member that says what is prescribed.
void AddRequest(Chart& chart, const Visit& visit, std::string_view medication) {
  const Uuid id(chart.random);
  chart.out.Begin("MedicationRequest", id);
  chart.AddProfile("medicationrequest");
  Append(chart.Json(), R"(,"status":")", chart.random.Chance(kStopped) ? "stopped" : "active",
         R"(","intent":"order",)", medication, chart.subject, visit.encounter, R"(,"authoredOn":")",
         visit.begin.Text(), R"(","requester":)", visit.site.practitioner);
  AddReason(chart);
  AddDosage(chart);
  chart.out.End();
  AddPharmacyClaim(chart, visit, id);
}

}  // namespace

void AddPrescription(Chart& chart, Visit& visit) {
  const Code& code = chart.prescriptions.Draw(chart.random);
  std::string medication;
  Append(medication, R"("medicationCodeableConcept":)", code.json);
  AddRequest(chart, visit, medication);
  visit.prescriptions.push_back(&code);
}

void AddMedicationAdministration(Chart& chart, Visit& visit) {
  const Code& code = chart.vocabulary.administrations.Draw(chart.random);
  const Uuid medication(chart.random);
  chart.out.Begin("Medication", medication);
  chart.AddProfile("medication");
  Append(chart.Json(), R"(,"code":)", code.json, R"(,"status":"active")");
  chart.out.End();

  std::string reference;
  Append(reference, R"("medicationReference":{"reference":"urn:uuid:)", medication.Text(), "\"}");
  AddRequest(chart, visit, reference);
  visit.prescriptions.push_back(&code);

  chart.out.Begin("MedicationAdministration", Uuid(chart.random));
  Append(chart.Json(), R"(,"status":"completed","medicationCodeableConcept":)", code.json,
         chart.subject);
  chart.AddReference("context", visit.id);
  Append(chart.Json(), R"(,"effectiveDateTime":")", visit.begin.Text(), "\"");
  AddReason(chart);
  chart.out.End();
}

}  // namespace load_testing
