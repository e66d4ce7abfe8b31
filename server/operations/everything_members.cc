#include "server/operations/everything_members.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "fhir/definitions/definitions.h"

namespace server {
namespace {

using fhir::search::Expression;

// Far above any compartment; a larger one is read in several searches.
constexpr std::uint32_t kSearchLimit = 100'000;

struct CareDate {
  std::string_view type;
  std::string_view parameter;
};

// Sorted by type.
constexpr CareDate kCareDates[] = {
    {"Account", "period"},
    {"AdverseEvent", "date"},
    {"AllergyIntolerance", "onset"},
    {"Appointment", "date"},
    {"AuditEvent", "date"},
    {"Basic", "created"},
    {"CarePlan", "date"},
    {"CareTeam", "date"},
    {"ChargeItem", "occurrence"},
    {"Claim", "created"},
    {"ClaimResponse", "created"},
    {"ClinicalImpression", "date"},
    {"Communication", "sent"},
    {"CommunicationRequest", "occurrence"},
    {"Composition", "date"},
    {"Condition", "onset-date"},
    {"Consent", "date"},
    {"CoverageEligibilityRequest", "created"},
    {"CoverageEligibilityResponse", "created"},
    {"DetectedIssue", "identified"},
    {"DeviceRequest", "event-date"},
    {"DiagnosticReport", "date"},
    {"DocumentManifest", "created"},
    {"DocumentReference", "date"},
    {"Encounter", "date"},
    {"EpisodeOfCare", "date"},
    {"ExplanationOfBenefit", "created"},
    {"FamilyMemberHistory", "date"},
    {"Flag", "date"},
    {"Goal", "start-date"},
    {"ImagingStudy", "started"},
    {"Immunization", "date"},
    {"ImmunizationEvaluation", "date"},
    {"ImmunizationRecommendation", "date"},
    {"Invoice", "date"},
    {"List", "date"},
    {"MeasureReport", "date"},
    {"Media", "created"},
    {"MedicationAdministration", "effective-time"},
    {"MedicationDispense", "whenhandedover"},
    {"MedicationRequest", "authoredon"},
    {"MedicationStatement", "effective"},
    {"NutritionOrder", "datetime"},
    {"Observation", "date"},
    {"Procedure", "date"},
    {"Provenance", "recorded"},
    {"QuestionnaireResponse", "authored"},
    {"RequestGroup", "authored"},
    {"ResearchSubject", "date"},
    {"RiskAssessment", "date"},
    {"Schedule", "date"},
    {"ServiceRequest", "occurrence"},
    {"Specimen", "collected"},
    {"SupplyRequest", "date"},
    {"VisionPrescription", "datewritten"},
};

// True for resources that have any value of the parameter.
Expression HasValue(const fhir::search::SearchParameter& parameter) {
  std::vector<fhir::search::ValueRange> any;
  for (const fhir::search::IndexId index : parameter.indexes) {
    fhir::search::ValueRange range;
    range.index = index;
    any.push_back(std::move(range));
  }
  return Expression::Values(std::move(any));
}

// Errors: Invalid, naming start or end.
fhir::Result<Expression> ParseBound(const fhir::search::Registry& registry, std::string_view type,
                                    std::string_view name, const std::string& code,
                                    std::string_view prefix, const std::string& date,
                                    const fhir::search::QueryOptions& options) {
  fhir::search::Parameters parameters = {{code, std::string(prefix) + date}};
  auto query = fhir::search::ParseQuery(registry, type, parameters, options);
  if (query) return std::move(query->where);
  return fhir::Fail(fhir::Invalid(std::string(name) + " must be a date", std::string(name)));
}

// Care took place between start and end, or at no time that is known.
fhir::Result<Expression> WithinCareDates(const fhir::search::Registry& registry,
                                         std::string_view type, const EverythingFilter& filter,
                                         const fhir::search::QueryOptions& options) {
  const std::string code(CareDateParameter(type));
  const fhir::search::SearchParameter* parameter = registry.Find(type, code);
  if (code.empty() || parameter == nullptr) return Expression::All();
  std::vector<Expression> bounds;
  if (!filter.start.empty()) {
    FHIR_TRY(from, ParseBound(registry, type, "start", code, "ge", filter.start, options));
    bounds.push_back(std::move(from));
  }
  if (!filter.end.empty()) {
    FHIR_TRY(to, ParseBound(registry, type, "end", code, "le", filter.end, options));
    bounds.push_back(std::move(to));
  }
  if (bounds.empty()) return Expression::All();
  std::vector<Expression> either;
  either.push_back(Expression::And(std::move(bounds)));
  either.push_back(Expression::Not(HasValue(*parameter)));
  return Expression::Or(std::move(either));
}

fhir::Result<Expression> MembersOfType(const fhir::search::Registry& registry,
                                       std::string_view type, Expression compartment,
                                       const EverythingFilter& filter,
                                       const fhir::search::QueryOptions& options) {
  std::vector<Expression> all;
  all.push_back(std::move(compartment));
  FHIR_TRY(dates, WithinCareDates(registry, type, filter, options));
  if (dates.kind != Expression::Kind::kAll) all.push_back(std::move(dates));
  if (filter.since_us) {
    Expression since;
    since.kind = Expression::Kind::kLastUpdated;
    since.from_us = *filter.since_us;
    since.to_us = std::numeric_limits<std::int64_t>::max();
    all.push_back(std::move(since));
  }
  return Expression::And(std::move(all));
}

fhir::Result<std::vector<std::uint64_t>> SearchAll(const storage::Store& store,
                                                   const storage::Snapshot& snapshot,
                                                   std::string_view type, const Expression& where,
                                                   const storage::Budget& budget) {
  std::vector<std::uint64_t> documents;
  for (bool has_next = true; has_next;) {
    const storage::PageRequest request{documents.size(), kSearchLimit, /*want_total=*/false};
    FHIR_TRY(page, store.Search(snapshot, type, where, {}, request, budget));
    has_next = page.has_next;
    if (documents.empty()) {
      documents = std::move(page.documents);
    } else {
      documents.insert(documents.end(), page.documents.begin(), page.documents.end());
    }
  }
  return documents;
}

// A bad date is an error even where no type would be asked about it.
fhir::Result<void> CheckDates(const EverythingFilter& filter,
                              const fhir::search::QueryOptions& options) {
  for (const auto& [name, date] :
       {std::pair("start", &filter.start), std::pair("end", &filter.end)}) {
    if (date->empty() || fhir::ParseDateTime(*date, options.zone)) continue;
    return fhir::Fail(fhir::Invalid(std::string(name) + " must be a date", name));
  }
  return {};
}

}  // namespace

bool EverythingFilter::Allows(std::string_view type) const {
  return types.empty() || std::ranges::find(types, type) != types.end();
}

std::string_view CareDateParameter(std::string_view type) {
  const auto* found = std::ranges::lower_bound(kCareDates, type, {}, &CareDate::type);
  return found != std::end(kCareDates) && found->type == type ? found->parameter
                                                              : std::string_view();
}

fhir::Result<std::vector<DocumentsOfType>> FindMembers(const Context& context,
                                                       const storage::Snapshot& snapshot,
                                                       std::string_view patient_id,
                                                       const EverythingFilter& filter,
                                                       const fhir::search::QueryOptions& options,
                                                       const storage::Budget& budget) {
  FHIR_TRY_VOID(CheckDates(filter, options));
  const fhir::search::Registry& registry = storage::RegistryOf(snapshot);
  std::vector<DocumentsOfType> members;
  for (const fhir::definitions::Type& type : fhir::definitions::Types()) {
    if (type.kind != fhir::definitions::TypeKind::kResource || !filter.Allows(type.name) ||
        storage::CountOf(snapshot, type.name) == 0) {
      continue;
    }
    auto compartment =
        fhir::search::CompartmentExpression(registry, "Patient", patient_id, type.name);
    if (!compartment) continue;
    FHIR_TRY(where, MembersOfType(registry, type.name, *std::move(compartment), filter, options));
    FHIR_TRY(documents, SearchAll(*context.store, snapshot, type.name, where, budget));
    if (documents.empty()) continue;
    DocumentsOfType found{type.name, std::move(documents)};
    members.insert(type.name == "Patient" ? members.begin() : members.end(), std::move(found));
  }
  return members;
}

}  // namespace server
