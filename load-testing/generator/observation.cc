// Observations, reports on them, and the notes of encounters.
#include <string>
#include <vector>

#include "load-testing/generator/chart.h"
#include "load-testing/generator/json_text.h"

namespace load_testing {
namespace {

constexpr std::string_view kNoteCodings =
    R"("coding":[{"system":"http://loinc.org","code":"34117-2",)"
    R"("display":"History and physical note"},)"
    R"({"system":"http://loinc.org","code":"51847-2","display":"Evaluation+Plan note"}]})";

void AddQuantity(Chart& chart, std::size_t measure) {
  std::string& json = chart.Json();
  const Measure& row = kMeasures[measure];
  json += R"("valueQuantity":{"value":)";
  AppendDecimal(json, chart.random.Draw(row.values), row.decimals);
  json += chart.vocabulary.measures[measure].unit;
}

// One of the answers that the table has for this kind, as often as there.
std::size_t DrawAnswer(const ObservationKind& kind, Random& random) {
  const auto answers = kAnswers.subspan(kind.first_answer, kind.answers);
  std::size_t sum = 0;
  for (const WeightedCode& answer : answers) sum += answer.weight;
  std::size_t left = sum > 0 ? random.Below(sum) : 0;
  std::size_t drawn = 0;
  while (left >= answers[drawn].weight) left -= answers[drawn++].weight;
  return kind.first_answer + drawn;
}

void AddComponents(Chart& chart, const ObservationKind& kind) {
  std::string& json = chart.Json();
  json += R"("component":[)";
  for (std::size_t i = 0; i < kind.measures; ++i) {
    const std::size_t measure = kind.first_measure + i;
    Append(json, i > 0 ? "," : "", R"({"code":)", chart.vocabulary.measures[measure].code, ",");
    AddQuantity(chart, measure);
    json += '}';
  }
  json += ']';
}

void AddValue(Chart& chart, const ObservationKind& kind) {
  std::string& json = chart.Json();
  json += ',';
  switch (kind.observed_as) {
    case ObservedAs::kQuantity: return AddQuantity(chart, kind.first_measure);
    case ObservedAs::kComponents: return AddComponents(chart, kind);
    case ObservedAs::kConcept: json += R"("valueCodeableConcept":)"; break;
    case ObservedAs::kString: json += R"("valueString":)"; break;
  }
  json += chart.vocabulary.answers[DrawAnswer(kind, chart.random)];
}

Uuid WriteObservation(Chart& chart, const Visit& visit, std::size_t kind) {
  const Uuid id(chart.random);
  chart.out.Begin("Observation", id);
  Append(chart.Json(), chart.vocabulary.observations[kind].head, chart.subject, visit.encounter,
         R"(,"effectiveDateTime":")", visit.begin.Text(), R"(","issued":")", visit.issued, "\"");
  AddValue(chart, kObservationKinds[kind]);
  chart.out.End();
  return id;
}

void AddList(std::string& note, std::string_view title, const std::vector<const Code*>& codes) {
  Append(note, title, "\n");
  for (const Code* code : codes) Append(note, "- ", code->display, "\n");
  note += '\n';
}

// A text of the length that notes have, on what the encounter brought.
std::string NoteText(Chart& chart, const Visit& visit) {
  const auto length = static_cast<std::size_t>(chart.random.Draw(kNoteBytes));
  std::string note;
  note.reserve(length + 256);
  Append(note, "\n", visit.begin.Day(), "\n\n# Chief Complaint\nNo complaints.\n\n",
         "# History of Present Illness\n", chart.given, "\n is a ");
  AppendInteger(note, (visit.begin.At() - chart.born) / kSecondsPerDay * 4 / 1461);
  Append(note, " year-old ", chart.female ? "female" : "male",
         ".\n\n# Social History\nPatient comes from a middle socioeconomic background.\n",
         "Patient currently has ", chart.insurer, ".\n\n# Allergies\nNo Known Allergies.\n\n");
  AddList(note, "# Medications", visit.prescriptions);
  note += "# Assessment and Plan\n";
  if (!chart.problems.empty()) {
    Append(note, "Patient is presenting with ", chart.problems.back().code->display, ".\n");
  }
  note += "\n## Plan\nThe patient was placed on a careplan:\n";
  while (note.size() < length) {
    Append(note, "- ", chart.vocabulary.activities.Draw(chart.random).display, "\n");
  }
  note.resize(length);
  return note;
}

}  // namespace

void AddObservation(Chart& chart, const Visit& visit, std::size_t kind) {
  WriteObservation(chart, visit, kind);
}

void AddPanel(Chart& chart, const Visit& visit, std::size_t panel) {
  std::string results;
  const Panel& row = kPanels[panel];
  for (const PanelMember& member : kPanelMembers.subspan(row.first_member, row.members)) {
    if (!chart.random.Chance(member.chance)) continue;
    const Uuid id = WriteObservation(chart, visit, member.observation);
    Append(results, results.empty() ? "" : ",", R"({"reference":"urn:uuid:)", id.Text(),
           R"(","display":)", Quoted(kObservationKinds[member.observation].display), "}");
  }
  std::string& json = chart.Json();
  chart.out.Begin("DiagnosticReport", Uuid(chart.random));
  Append(json, chart.vocabulary.panels[panel].head, chart.subject, visit.encounter,
         R"(,"effectiveDateTime":")", visit.begin.Text(), R"(","issued":")", visit.issued,
         R"(","performer":[)", visit.site.organization, "]");
  if (!results.empty()) Append(json, R"(,"result":[)", results, "]");
  chart.out.End();
}

void AddNote(Chart& chart, const Visit& visit) {
  std::string& json = chart.Json();
  const Uuid report(chart.random);
  std::string attachment = R"({"contentType":"text/plain; charset=utf-8","data":")";
  AppendBase64(attachment, NoteText(chart, visit));
  attachment += "\"}";
  chart.out.Begin("DiagnosticReport", report);
  chart.AddProfile("diagnosticreport-note");
  Append(json, R"(,"status":"final","category":[{)", kNoteCodings, R"(],"code":{)", kNoteCodings,
         chart.subject, visit.encounter, R"(,"effectiveDateTime":")", visit.begin.Text(),
         R"(","issued":")", visit.issued, R"(","performer":[)", visit.site.practitioner,
         R"(],"presentedForm":[)", attachment, "]");
  chart.out.End();

  chart.out.Begin("DocumentReference", Uuid(chart.random));
  chart.AddProfile("documentreference");
  Append(json, R"(,"identifier":[{"system":"urn:ietf:rfc:3986","value":"urn:uuid:)", report.Text(),
         R"("}],"status":"superseded","type":{)", kNoteCodings,
         R"(,"category":[{"coding":[{"system":)",
         R"("http://hl7.org/fhir/us/core/CodeSystem/us-core-documentreference-category",)",
         R"("code":"clinical-note","display":"Clinical Note"}]}])", chart.subject, R"(,"date":")",
         visit.issued, R"(","author":[)", visit.site.practitioner, R"(],"custodian":)",
         visit.site.organization, R"(,"content":[{"attachment":)", attachment,
         R"(,"format":{"system":"http://ihe.net/fhir/ValueSet/IHE.FormatCode.codesystem",)",
         R"("code":"urn:ihe:iti:xds:2017:mimeTypeSufficient","display":"mimeType Sufficient"}}],)",
         R"("context":{"encounter":[{"reference":"urn:uuid:)", visit.id.Text(),
         R"("}],"period":{"start":")", visit.begin.Text(), R"(","end":")", visit.end.Text(),
         R"("}})");
  chart.out.End();
}

}  // namespace load_testing
