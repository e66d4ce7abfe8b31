// Conditions, procedures and the like.
#include <string>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr double kAbated = 0.675;
constexpr double kAddressesProblem = 0.9;  // Care plans.
constexpr double kHasActivities = 0.98;    // Care plans.
constexpr double kMeanActivities = 2.28;   // Where there are any.
constexpr double kProcedureHasReason = 0.84;
constexpr int kMaxDaysIll = 40;

void AddPeriod(Chart& chart, std::string_view member, const Moment& start, const Moment& end) {
  Append(chart.Json(), ",\"", member, R"(":{"start":")", start.Text(), R"(","end":")", end.Text(),
         "\"}");
}

// A time after the visit, of which it is not said whether the patient is still alive.
Moment DaysAfter(Chart& chart, const Visit& visit) {
  const auto days = static_cast<UnixSeconds>(7 + chart.random.Below(kMaxDaysIll));
  return Moment(visit.begin.At() + days * kSecondsPerDay);
}

void AddParticipant(Chart& chart, std::string_view code, std::string_view display,
                    std::string_view member) {
  Append(chart.Json(), R"({"role":[)",
         ConceptJson("http://snomed.info/sct", code, display, display), R"(],"member":)", member,
         "}");
}

struct Care {
  const Code& plan;
  const Problem* problem;  // Or null.
  bool over;
  Moment end;
};

void AddCareTeam(Chart& chart, const Visit& visit, const Uuid& id, const Care& care) {
  std::string& json = chart.Json();
  chart.out.Begin("CareTeam", id);
  chart.AddProfile("careteam");
  Append(json, R"(,"status":")", care.over ? "inactive" : "active", "\"", chart.subject,
         visit.encounter, R"(,"period":{"start":")", visit.begin.Text(), "\"");
  if (care.over) Append(json, R"(,"end":")", care.end.Text(), "\"");
  json += R"(},"participant":[)";
  std::string self;
  Append(self, R"({"reference":"urn:uuid:)", chart.id.Text(), R"(","display":)", chart.name, "}");
  AddParticipant(chart, "116154003", "Patient", self);
  json += ',';
  AddParticipant(chart, "223366009", "Healthcare professional (occupation)",
                 visit.site.practitioner);
  json += ',';
  AddParticipant(chart, "224891009", "Healthcare services (qualifier value)",
                 visit.site.organization);
  json += ']';
  if (care.problem != nullptr) Append(json, R"(,"reasonCode":[)", care.problem->code->json, "]");
  Append(json, R"(,"managingOrganization":[)", visit.site.organization, "]");
  chart.out.End();
}

void AddActivities(Chart& chart, const Visit& visit, const Care& care) {
  std::string& json = chart.Json();
  json += R"(,"activity":[)";
  for (int left = chart.random.CountOfMean(kMeanActivities); left > 0; --left) {
    Append(json, R"({"detail":{"code":)", chart.vocabulary.activities.Draw(chart.random).json,
           R"(,"status":")", care.over ? "completed" : "in-progress", R"(","location":{"display":)",
           visit.site.name, "}}}", left > 1 ? "," : "");
  }
  json += ']';
}

void AddImages(Chart& chart, std::size_t count, const Imaging& imaging, const Moment& at) {
  std::string& json = chart.Json();
  json += R"(,"instance":[)";
  for (std::size_t i = 1; i <= count; ++i) {
    Append(json, i > 1 ? "," : "", R"({"uid":"1.2.840.99999999.1.)");
    AppendInteger(json, static_cast<std::int64_t>(i));
    json += '.';
    AppendInteger(json, static_cast<std::int64_t>(10'000'000 + chart.random.Below(90'000'000)));
    json += '.';
    AppendInteger(json, at.At());
    Append(json, R"(190","sopClass":{"system":"urn:ietf:rfc:3986","code":")", imaging.sop_class,
           R"("},"number":)");
    AppendInteger(json, static_cast<std::int64_t>(i));
    Append(json, R"(,"title":"Image of )", imaging.body_site_display, "\"}");
  }
  json += ']';
}

}  // namespace

void AddCondition(Chart& chart, Visit& visit) {
  std::string& json = chart.Json();
  const Problem problem{Uuid(chart.random), &chart.conditions.Draw(chart.random)};
  const bool abated = chart.random.Chance(kAbated);
  chart.out.Begin("Condition", problem.id);
  chart.AddProfile("condition");
  Append(json, R"(,"clinicalStatus":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/condition-clinical","code":")",
         abated ? "resolved" : "active", R"("}]},"verificationStatus":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/condition-ver-status",)",
         R"("code":"confirmed"}]},"category":[{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/condition-category",)",
         R"("code":"encounter-diagnosis","display":"Encounter Diagnosis"}]}],"code":)",
         problem.code->json, chart.subject, visit.encounter, R"(,"onsetDateTime":")",
         visit.begin.Text(), "\"");
  if (abated) Append(json, R"(,"abatementDateTime":")", DaysAfter(chart, visit).Text(), "\"");
  Append(json, R"(,"recordedDate":")", visit.begin.Text(), "\"");
  chart.out.End();
  chart.problems.push_back(problem);
  visit.lines.push_back({ClaimLine::Of::kCondition, problem.id, problem.code, 0});
}

void AddAllergy(Chart& chart, const Visit& visit) {
  const Code& code = chart.vocabulary.allergies.Draw(chart.random);
  chart.out.Begin("AllergyIntolerance", Uuid(chart.random));
  chart.AddProfile("allergyintolerance");
  Append(
      chart.Json(), R"(,"clinicalStatus":{"coding":[{)",
      R"("system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-clinical",)",
      R"("code":"active"}]},"verificationStatus":{"coding":[{)",
      R"("system":"http://terminology.hl7.org/CodeSystem/allergyintolerance-verification",)",
      R"("code":"confirmed"}]},"type":"allergy","category":["food"],"criticality":"low","code":)",
      code.json, chart.patient, R"(,"recordedDate":")", visit.begin.Text(), "\"");
  chart.out.End();
}

void AddCarePlan(Chart& chart, const Visit& visit) {
  const bool addresses = !chart.problems.empty() && chart.random.Chance(kAddressesProblem);
  const Care care{.plan = chart.vocabulary.care_plans.Draw(chart.random),
                  .problem = addresses ? &chart.problems.back() : nullptr,
                  .over = chart.random.Chance(kAbated),
                  .end = DaysAfter(chart, visit)};
  const Uuid team(chart.random);
  AddCareTeam(chart, visit, team, care);
  std::string& json = chart.Json();
  chart.out.Begin("CarePlan", Uuid(chart.random));
  chart.AddProfile("careplan");
  Append(json,
         R"(,"text":{"status":"generated","div":"<div xmlns=\"http://www.w3.org/1999/xhtml\">)",
         "Care Plan for ", care.plan.display, R"(.</div>"},"status":")",
         care.over ? "completed" : "active", R"(","intent":"order","category":[{"coding":[{)",
         R"("system":"http://hl7.org/fhir/us/core/CodeSystem/careplan-category",)",
         R"("code":"assess-plan"}]},)", care.plan.json, "]", chart.subject, visit.encounter,
         R"(,"period":{"start":")", visit.begin.Text(), "\"");
  if (care.over) Append(json, R"(,"end":")", care.end.Text(), "\"");
  Append(json, R"(},"careTeam":[{"reference":"urn:uuid:)", team.Text(), "\"}]");
  if (addresses) {
    Append(json, R"(,"addresses":[{"reference":"urn:uuid:)", care.problem->id.Text(), "\"}]");
  }
  if (chart.random.Chance(kHasActivities)) AddActivities(chart, visit, care);
  chart.out.End();
}

void AddProcedure(Chart& chart, Visit& visit) {
  std::string& json = chart.Json();
  const Uuid id(chart.random);
  const Code& code = chart.procedures.Draw(chart.random);
  chart.out.Begin("Procedure", id);
  chart.AddProfile("procedure");
  Append(json, R"(,"status":"completed","code":)", code.json, chart.subject, visit.encounter);
  AddPeriod(chart, "performedPeriod", visit.begin, visit.end);
  Append(json, R"(,"location":)", visit.site.location);
  if (!chart.problems.empty() && chart.random.Chance(kProcedureHasReason)) {
    const Problem& reason = chart.problems[chart.random.Below(chart.problems.size())];
    Append(json, R"(,"reasonReference":[{"reference":"urn:uuid:)", reason.id.Text(),
           R"(","display":)", Quoted(reason.code->display), "}]");
  }
  chart.out.End();
  visit.lines.push_back({ClaimLine::Of::kProcedure, id, &code, chart.random.Draw(kNets)});
}

void AddImmunization(Chart& chart, Visit& visit) {
  const Uuid id(chart.random);
  const Code& code = chart.vocabulary.vaccines.Draw(chart.random);
  chart.out.Begin("Immunization", id);
  chart.AddProfile("immunization");
  Append(chart.Json(), R"(,"status":"completed","vaccineCode":)", code.json, chart.patient,
         visit.encounter, R"(,"occurrenceDateTime":")", visit.begin.Text(),
         R"(","primarySource":true,"location":)", visit.site.location);
  chart.out.End();
  visit.lines.push_back({ClaimLine::Of::kImmunization, id, &code, 140.52});
}

void AddDevice(Chart& chart, const Visit& visit) {
  std::string& json = chart.Json();
  const Code& code = chart.vocabulary.devices.Draw(chart.random);
  const std::string identifier =
      std::to_string(10'000'000'000'000 + chart.random.Below(90'000'000'000'000));
  const std::string lot = std::to_string(1'000'000'000 + chart.random.Below(9'000'000'000));
  const std::string serial = std::to_string(100'000'000 + chart.random.Below(900'000'000));
  chart.out.Begin("Device", Uuid(chart.random));
  chart.AddProfile("implantable-device");
  Append(json, R"(,"udiCarrier":[{"deviceIdentifier":")", identifier, R"(","carrierHRF":"(01))",
         identifier, "(10)", lot, "(21)", serial, R"("}],"status":"active","distinctIdentifier":")",
         identifier, R"(","manufactureDate":")",
         Moment(visit.begin.At() - 30 * kSecondsPerDay).Text(), R"(","expirationDate":")",
         Moment(visit.begin.At() + 9000 * kSecondsPerDay).Text(), R"(","lotNumber":")", lot,
         R"(","serialNumber":")", serial, R"(","deviceName":[{"name":)", Quoted(code.display),
         R"(,"type":"user-friendly-name"}],"type":)", code.json, chart.patient);
  chart.out.End();
}

void AddSupplyDelivery(Chart& chart, const Visit& visit) {
  std::string& json = chart.Json();
  chart.out.Begin("SupplyDelivery", Uuid(chart.random));
  Append(json, R"(,"status":"completed")", chart.patient, R"(,"type":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/supply-item-type","code":"device",)",
         R"("display":"Device"}]},"suppliedItem":{"quantity":{"value":)");
  AppendInteger(json, static_cast<std::int64_t>(1 + chart.random.Below(24)));
  Append(json, R"(},"itemCodeableConcept":)", chart.vocabulary.supplies.Draw(chart.random).json,
         R"(},"occurrenceDateTime":")", visit.begin.Text(), "\"");
  chart.out.End();
}

void AddImagingStudy(Chart& chart, const Visit& visit) {
  std::string& json = chart.Json();
  const Imaging& imaging = kImagings[chart.vocabulary.imagings.Draw(chart.random)];
  const std::string images =
      std::to_string(imaging.modality == "CT" ? static_cast<int>(chart.random.Draw(kImages)) : 1);
  const std::string study = std::to_string(10'000'000 + chart.random.Below(90'000'000));
  chart.out.Begin("ImagingStudy", Uuid(chart.random));
  Append(json, R"(,"identifier":[{"use":"official","system":"urn:ietf:rfc:3986",)",
         R"("value":"urn:oid:1.2.840.99999999.)", study, R"("}],"status":"available")",
         chart.subject, visit.encounter, R"(,"started":")", visit.begin.Text(),
         R"(","numberOfSeries":1,"numberOfInstances":)", images, R"(,"procedureCode":[)",
         ConceptJson("http://snomed.info/sct", imaging.code, imaging.display, imaging.display),
         R"(],"location":)", visit.site.location, R"(,"series":[{"uid":"1.2.840.99999999.1.)",
         study, R"(","number":1,"modality":{"system":)",
         R"("http://dicom.nema.org/medical/dicom/current/output/chtml/part16/sect_CID_29.html",)",
         R"("code":")", imaging.modality, R"(","display":)", Quoted(imaging.modality_display),
         R"(},"numberOfInstances":)", images,
         R"(,"bodySite":{"system":"http://snomed.info/sct","code":")", imaging.body_site,
         R"(","display":)", Quoted(imaging.body_site_display), R"(},"started":")",
         visit.begin.Text(), "\"");
  AddImages(chart, std::stoul(images), imaging, visit.begin);
  json += "}]";
  chart.out.End();
}

}  // namespace load_testing
