// Claims, and what the insurer made of them.
#include <string>
#include <string_view>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

using Of = ClaimLine::Of;

constexpr std::string_view kMedicalCare =
    R"("category":{"coding":[{"system":)"
    R"("https://bluebutton.cms.gov/resources/variables/line_cms_type_srvc_cd","code":"1",)"
    R"("display":"Medical care"}]})";
constexpr std::string_view kPlace =
    R"("locationCodeableConcept":{"coding":[{)"
    R"("system":"http://terminology.hl7.org/CodeSystem/ex-serviceplace","code":"19",)"
    R"("display":"Off Campus-Outpatient Hospital"}]})";

void AddMoney(std::string& json, std::string_view member, double dollars) {
  Append(json, ",\"", member, R"(":{"value":)");
  AppendDecimal(json, dollars, 2);
  json += R"(,"currency":"USD"})";
}

// The lines of one kind as a list of back references, each with its sequence number.
void AddSources(std::string& json, const Visit& visit, Of of, std::string_view list,
                std::string_view before, std::string_view after) {
  int sequence = 0;
  for (const ClaimLine& line : visit.lines) {
    if (line.of != of) continue;
    if (sequence++ == 0) {
      Append(json, ",\"", list, "\":[");
    } else {
      json += ',';
    }
    json += R"({"sequence":)";
    AppendInteger(json, sequence);
    Append(json, ",", before, R"({"reference":"urn:uuid:)", line.id.Text(), "\"}", after, "}");
  }
  if (sequence > 0) json += ']';
}

std::string_view SequenceMember(Of of) {
  switch (of) {
    case Of::kCondition: return "diagnosisSequence";
    case Of::kProcedure: return "procedureSequence";
    case Of::kImmunization: return "informationSequence";
  }
  return {};
}

// The items: the encounter, then its lines in order. `between` and `after` write what only one of
// the two resources says of each; a line is null for the encounter itself.
template <class Between, class After>
void AddItems(Chart& chart, const Visit& visit, Between between, After after) {
  std::string& json = chart.Json();
  json += R"(,"item":[{"sequence":1)";
  between();
  Append(json, R"(,"productOrService":)", chart.vocabulary.encounters[visit.kind].code);
  after(nullptr);
  Append(json, R"(,"encounter":[{"reference":"urn:uuid:)", visit.id.Text(), "\"}]}");
  int sequence = 1;
  int counts[3] = {};
  for (const ClaimLine& line : visit.lines) {
    json += R"(,{"sequence":)";
    AppendInteger(json, ++sequence);
    Append(json, ",\"", SequenceMember(line.of), "\":[");
    AppendInteger(json, ++counts[static_cast<int>(line.of)]);
    json += ']';
    between();
    Append(json, R"(,"productOrService":)", line.code->json);
    after(&line);
    json += '}';
  }
  json += ']';
}

void AddAdjudication(std::string& json, std::string_view code, std::string_view display) {
  Append(json, R"({"category":{"coding":[{)",
         R"("system":"https://bluebutton.cms.gov/resources/codesystem/adjudication","code":)",
         R"("https://bluebutton.cms.gov/resources/variables/)", code, R"(","display":")", display,
         "\"}]}");
}

void AddAdjudications(std::string& json, double net) {
  struct Part {
    std::string_view code;
    std::string_view display;
    double of_net;
  };
  static constexpr Part kParts[] = {
      {"line_coinsrnc_amt", "Line Beneficiary Coinsurance Amount", 0.2},
      {"line_prvdr_pmt_amt", "Line Provider Payment Amount", 0.8},
      {"line_sbmtd_chrg_amt", "Line Submitted Charge Amount", 1},
      {"line_alowd_chrg_amt", "Line Allowed Charge Amount", 1},
      {"line_bene_ptb_ddctbl_amt", "Line Beneficiary Part B Deductible Amount", 0}};
  AddMoney(json, "net", net);
  json += R"(,"adjudication":[)";
  for (const Part& part : kParts) {
    AddAdjudication(json, part.code, part.display);
    AddMoney(json, "amount", net * part.of_net);
    json += "},";
  }
  AddAdjudication(json, "line_prcsg_ind_cd", "Line Processing Indicator Code");
  json += "}]";
}

void AddClaimHead(Chart& chart, const Visit& visit, std::string_view type) {
  Append(chart.Json(), R"(,"status":"active","type":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/claim-type","code":")", type,
         R"("}]},"use":"claim")", chart.patient, R"(,"billablePeriod":{"start":")",
         visit.begin.Text(), R"(","end":")", visit.end.Text(), R"("},"created":")",
         visit.end.Text(), R"(","provider":)", visit.site.organization,
         R"(,"priority":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/processpriority","code":"normal"}]})");
}

void AddInsurance(Chart& chart) {
  Append(chart.Json(), R"(,"insurance":[{"sequence":1,"focal":true,"coverage":{"display":")",
         chart.insurer, R"("}}])");
}

void AddClaim(Chart& chart, const Visit& visit, const Uuid& id, double total) {
  std::string& json = chart.Json();
  chart.out.Begin("Claim", id);
  AddClaimHead(chart, visit, "institutional");
  Append(json, R"(,"facility":)", visit.site.location);
  AddSources(json, visit, Of::kCondition, "diagnosis", R"("diagnosisReference":)", "");
  AddSources(json, visit, Of::kImmunization, "supportingInfo",
             R"("category":{"coding":[{)"
             R"("system":"http://terminology.hl7.org/CodeSystem/claiminformationcategory",)"
             R"("code":"info"}]},"valueReference":)",
             "");
  AddSources(json, visit, Of::kProcedure, "procedure", R"("procedureReference":)", "");
  AddInsurance(chart);
  AddItems(
      chart, visit, [] {},
      [&](const ClaimLine* line) {
        if (line != nullptr && line->net > 0) AddMoney(json, "net", line->net);
      });
  AddMoney(json, "total", total);
  chart.out.End();
}

// The resources that are contained, and what refers to them.
void AddBenefitHead(Chart& chart, const Visit& visit, const Uuid& claim) {
  std::string& json = chart.Json();
  const std::string& doctor = visit.site.bare_practitioner;
  const Moment year_later(visit.end.At() + 365 * kSecondsPerDay);
  Append(
      json, R"(,"contained":[{"resourceType":"ServiceRequest","id":"referral",)",
      R"("status":"completed","intent":"order")", chart.subject, R"(,"requester":)", doctor,
      R"(,"performer":[)", doctor, R"(]},{"resourceType":"Coverage","id":"coverage",)",
      R"("status":"active","type":{"text":")", chart.insurer,
      R"("},"beneficiary":{"reference":"urn:uuid:)", chart.id.Text(), R"("},"payor":[{"display":")",
      chart.insurer, R"("}]}],"identifier":[{"system":)",
      R"("https://bluebutton.cms.gov/resources/variables/clm_id","value":")", claim.Text(),
      R"("},{"system":"https://bluebutton.cms.gov/resources/identifier/claim-group",)",
      R"("value":"99999999999"}],"status":"active","type":{"coding":[{)",
      R"("system":"http://terminology.hl7.org/CodeSystem/claim-type","code":"institutional"}]},)",
      R"("use":"claim")", chart.patient, R"(,"billablePeriod":{"start":")", visit.end.Text(),
      R"(","end":")", year_later.Text(), R"("},"created":")", visit.end.Text(),
      R"(","insurer":{"display":")", chart.insurer, R"("},"provider":)", doctor,
      R"(,"referral":{"reference":"#referral"},"facility":)", visit.site.location);
  chart.AddReference("claim", claim);
  Append(json, R"(,"outcome":"complete","careTeam":[{"sequence":1,"provider":)", doctor,
         R"(,"role":{"coding":[{)",
         R"("system":"http://terminology.hl7.org/CodeSystem/claimcareteamrole","code":"primary",)",
         R"("display":"Primary Care Practitioner"}]}}])");
}

void AddBenefit(Chart& chart, const Visit& visit, const Uuid& claim, double total) {
  std::string& json = chart.Json();
  chart.out.Begin("ExplanationOfBenefit", Uuid(chart.random));
  AddBenefitHead(chart, visit, claim);
  AddSources(json, visit, Of::kCondition, "diagnosis", R"("diagnosisReference":)",
             R"(,"type":[{"coding":[{)"
             R"("system":"http://terminology.hl7.org/CodeSystem/ex-diagnosistype",)"
             R"("code":"principal"}]}])");
  Append(json, R"(,"insurance":[{"focal":true,"coverage":{"reference":"#coverage","display":")",
         chart.insurer, R"("}}])");
  AddItems(
      chart, visit, [&] { Append(json, ",", kMedicalCare); },
      [&](const ClaimLine* line) {
        Append(json, R"(,"servicedPeriod":{"start":")", visit.begin.Text(), R"(","end":")",
               visit.end.Text(), R"("},)", kPlace);
        if (line != nullptr && line->net > 0) AddAdjudications(json, line->net);
      });
  json += R"(,"total":[{"category":{"coding":[{)"
          R"("system":"http://terminology.hl7.org/CodeSystem/adjudication","code":"submitted",)"
          R"("display":"Submitted Amount"}],"text":"Submitted Amount"})";
  AddMoney(json, "amount", total);
  json += R"(}],"payment":{"amount":{"value":)";
  AppendDecimal(json, total * 0.8, 2);
  json += R"(,"currency":"USD"}})";
  chart.out.End();
}

}  // namespace

void AddBilling(Chart& chart, const Visit& visit) {
  const Uuid claim(chart.random);
  const double total = chart.random.Draw(kTotals);
  AddClaim(chart, visit, claim, total);
  AddBenefit(chart, visit, claim, total);
}

void AddPharmacyClaim(Chart& chart, const Visit& visit, const Uuid& prescription) {
  std::string& json = chart.Json();
  chart.out.Begin("Claim", Uuid(chart.random));
  AddClaimHead(chart, visit, "pharmacy");
  chart.AddReference("prescription", prescription);
  AddInsurance(chart);
  Append(json, R"(,"item":[{"sequence":1,"productOrService":)",
         chart.vocabulary.encounters[visit.kind].code, R"(,"encounter":[{"reference":"urn:uuid:)",
         visit.id.Text(), "\"}]}]");
  AddMoney(json, "total", chart.random.Draw(kTotals));
  chart.out.End();
}

}  // namespace load_testing
