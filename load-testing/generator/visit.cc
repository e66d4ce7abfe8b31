// An Encounter, and what it brings.
#include <string>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr double kHasReason = 0.269;

void AddEncounter(Chart& chart, const Visit& visit) {
  std::string& json = chart.Json();
  chart.out.Begin("Encounter", visit.id);
  chart.AddProfile("encounter");
  Append(
      json,
      R"(,"identifier":[{"use":"official","system":"https://github.com/synthetichealth/synthea",)",
      R"("value":")", visit.id.Text(), "\"}]", chart.vocabulary.encounters[visit.kind].head);
  Append(json, R"(,"subject":{"reference":"urn:uuid:)", chart.id.Text(), R"(","display":)",
         chart.name, R"(},"participant":[{"type":[{"coding":[{"system":)",
         R"("http://terminology.hl7.org/CodeSystem/v3-ParticipationType","code":"PPRF",)",
         R"("display":"primary performer"}],"text":"primary performer"}],"period":{"start":")",
         visit.begin.Text(), R"(","end":")", visit.end.Text(), R"("},"individual":)",
         visit.site.practitioner, R"(}],"period":{"start":")", visit.begin.Text(), R"(","end":")",
         visit.end.Text(), R"("})");
  if (chart.random.Chance(kHasReason)) {
    Append(json, R"(,"reasonCode":[)", chart.vocabulary.reasons.Draw(chart.random).json, "]");
  }
  Append(json, R"(,"location":[{"location":)", visit.site.location, R"(}],"serviceProvider":)",
         visit.site.organization);
  chart.out.End();
}

void Add(Chart& chart, Visit& visit, const EncounterItem& item) {
  switch (item.item) {
    case Item::kCondition: return AddCondition(chart, visit);
    case Item::kAllergyIntolerance: return AddAllergy(chart, visit);
    case Item::kCarePlan: return AddCarePlan(chart, visit);
    case Item::kObservation: return AddObservation(chart, visit, item.index);
    case Item::kProcedure: return AddProcedure(chart, visit);
    case Item::kImagingStudy: return AddImagingStudy(chart, visit);
    case Item::kDevice: return AddDevice(chart, visit);
    case Item::kSupplyDelivery: return AddSupplyDelivery(chart, visit);
    case Item::kMedicationRequest: return AddPrescription(chart, visit);
    case Item::kMedicationAdministration: return AddMedicationAdministration(chart, visit);
    case Item::kImmunization: return AddImmunization(chart, visit);
    case Item::kPanel: return AddPanel(chart, visit, item.index);
  }
}

}  // namespace

void AddVisit(Chart& chart, UnixSeconds begin) {
  Visit visit(chart, begin);
  AddEncounter(chart, visit);
  const EncounterKind& kind = kEncounterKinds[visit.kind];
  // One draw for all that is measured: what is as likely comes together, as vital signs do.
  const double thorough = chart.random.Uniform();
  // The order of the items in the table is that of the enumeration (learn.py).
  for (const EncounterItem& item : kEncounterItems.subspan(kind.first_item, kind.items)) {
    const bool measured = item.item == Item::kObservation || item.item == Item::kPanel;
    const double draw = measured ? thorough : chart.random.Uniform();
    if (draw >= item.chance) continue;
    for (int left = chart.random.CountOfMean(item.mean); left > 0; --left) Add(chart, visit, item);
  }
  AddNote(chart, visit);
  AddBilling(chart, visit);
}

}  // namespace load_testing
