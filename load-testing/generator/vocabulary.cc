#include "load-testing/generator/vocabulary.h"

#include <algorithm>

#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr std::string_view kSnomed = "http://snomed.info/sct";
constexpr std::string_view kLoinc = "http://loinc.org";
constexpr std::string_view kRxNorm = "http://www.nlm.nih.gov/research/umls/rxnorm";

std::string CodingJson(std::string_view system, std::string_view code, std::string_view display) {
  std::string json;
  Append(json, R"({"system":)", Quoted(system), R"(,"code":)", Quoted(code));
  if (!display.empty()) Append(json, R"(,"display":)", Quoted(display));
  return json + '}';
}

// `canonicals` are separated by spaces.
std::string MetaJson(std::string_view canonicals) {
  if (canonicals.empty()) return {};
  std::string json = R"(,"meta":{"profile":[)";
  while (!canonicals.empty()) {
    const std::size_t end = std::min(canonicals.find(' '), canonicals.size());
    Append(json, Quoted(canonicals.substr(0, end)));
    canonicals.remove_prefix(std::min(end + 1, canonicals.size()));
    if (!canonicals.empty()) json += ',';
  }
  return json + "]}";
}

KindText ObservationText(const ObservationKind& kind) {
  KindText text;
  text.code = ConceptJson(kLoinc, kind.code, kind.display, kind.display);
  Append(text.head, MetaJson(kind.profiles), R"(,"status":"final","category":[)",
         ConceptJson("http://terminology.hl7.org/CodeSystem/observation-category", kind.category,
                     kind.category, {}),
         R"(],"code":)", text.code);
  return text;
}

KindText PanelText(const Panel& panel) {
  KindText text;
  text.code = ConceptJson(kLoinc, panel.code, panel.display, panel.display);
  Append(text.head,
         MetaJson("http://hl7.org/fhir/us/core/StructureDefinition/us-core-diagnosticreport-lab"),
         R"(,"status":"final","category":[)",
         ConceptJson("http://terminology.hl7.org/CodeSystem/v2-0074", "LAB", "Laboratory", {}),
         R"(],"code":)", text.code);
  return text;
}

KindText EncounterText(const EncounterKind& kind) {
  KindText text;
  text.code = ConceptJson(kSnomed, kind.code, kind.display, kind.display);
  Append(text.head, R"(,"status":"finished","class":)",
         CodingJson("http://terminology.hl7.org/CodeSystem/v3-ActCode", kind.class_code, {}),
         R"(,"type":[)", text.code, "]");
  return text;
}

MeasureText TextOf(const Measure& measure) {
  MeasureText text;
  text.code = ConceptJson(kLoinc, measure.code, measure.display, measure.display);
  if (!measure.unit.empty()) {
    Append(text.unit, R"(,"unit":)", Quoted(measure.unit),
           R"(,"system":"http://unitsofmeasure.org","code":)", Quoted(measure.unit));
  }
  text.unit += '}';
  return text;
}

std::string AnswerText(const WeightedCode& answer) {
  if (answer.code.empty()) return Quoted(answer.display);
  return ConceptJson(kSnomed, answer.code, answer.display, answer.display);
}

template <class Row, class Text>
std::vector<Text> Texts(std::span<const Row> rows, Text (*text_of)(const Row&)) {
  std::vector<Text> texts;
  texts.reserve(rows.size());
  for (const Row& row : rows) texts.push_back(text_of(row));
  return texts;
}

}  // namespace

std::size_t Weights::Draw(Random& random) const {
  const std::uint64_t drawn = random.Next() % sums_.back();
  return static_cast<std::size_t>(std::upper_bound(sums_.begin(), sums_.end(), drawn) -
                                  sums_.begin());
}

CodeSet::CodeSet(std::string_view system, std::span<const WeightedCode> rows) : weights_(rows) {
  codes_.reserve(rows.size());
  for (const WeightedCode& row : rows) {
    codes_.push_back({ConceptJson(system, row.code, row.display, row.display), row.display});
  }
}

std::string ConceptJson(std::string_view system, std::string_view code, std::string_view display,
                        std::string_view text) {
  std::string json;
  Append(json, R"({"coding":[)", CodingJson(system, code, display), "]");
  if (!text.empty()) Append(json, R"(,"text":)", Quoted(text));
  return json + '}';
}

Vocabulary::Vocabulary()
    : activities(kSnomed, kActivities),
      administrations(kRxNorm, kAdministrations),
      allergies(kSnomed, kAllergies),
      care_plans(kSnomed, kCarePlans),
      conditions(kSnomed, kConditions),
      devices(kSnomed, kDevices),
      languages("urn:ietf:bcp:47", kLanguages),
      marital_states("http://terminology.hl7.org/CodeSystem/v3-MaritalStatus", kMaritalStates),
      prescriptions(kRxNorm, kPrescriptions),
      procedures(kSnomed, kProcedures),
      reasons(kSnomed, kReasons),
      specialties("http://nucc.org/provider-taxonomy", kSpecialties),
      supplies(kSnomed, kSupplies),
      vaccines("http://hl7.org/fhir/sid/cvx", kVaccines),
      encounter_kinds(kEncounterKinds),
      ethnicities(kEthnicities),
      imagings(kImagings),
      races(kRaces),
      encounters(Texts(kEncounterKinds, &EncounterText)),
      observations(Texts(kObservationKinds, &ObservationText)),
      panels(Texts(kPanels, &PanelText)),
      measures(Texts(kMeasures, &TextOf)),
      answers(Texts(kAnswers, &AnswerText)) {}

}  // namespace load_testing
