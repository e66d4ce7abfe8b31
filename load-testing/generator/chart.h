// load-testing/generator/chart.h
//
// What is known of a patient while the bundle is being written, and of the
// encounter that is being written; functions that add resources share it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "load-testing/generator/bundle_writer.h"
#include "load-testing/generator/moment.h"
#include "load-testing/generator/sites.h"
#include "load-testing/generator/vocabulary.h"

namespace load_testing {

// Codes that one patient has again and again; drawn once as often as all patients together have
// them, so that a code keeps its frequency but belongs to few patients, as chronic illness does.
template <std::size_t kSize>
class Habits {
 public:
  Habits(const CodeSet& codes, Random& random) {
    for (const Code*& code : codes_) code = &codes.Draw(random);
  }
  const Code& Draw(Random& random) const { return *codes_[random.Below(kSize)]; }

 private:
  std::array<const Code*, kSize> codes_;
};

struct Problem {
  Uuid id;
  const Code* code;
};

// Thread-safety: single-owner.
struct Chart {
  Chart(const Vocabulary& words, const Sites& all_sites, std::uint64_t seed, BundleWriter* writer);

  std::string& Json() const { return out.Json(); }
  void AddProfile(std::string_view name) const;  // Of US Core.
  void AddReference(std::string_view member, const Uuid& id) const;

  const Vocabulary& vocabulary;
  const Sites& sites;
  BundleWriter& out;
  Random random;

  Uuid id;
  bool female;
  bool deceased;
  std::string_view given;
  std::string_view family;
  std::string name;  // With prefix, quoted.
  std::string_view insurer;
  UnixSeconds born;
  UnixSeconds died;     // kDataEnd if alive.
  std::string subject;  // Member with its comma; that of types that say patient is `patient`.
  std::string patient;
  std::array<std::size_t, 3> sites_visited;
  Habits<8> conditions;
  Habits<5> prescriptions;
  Habits<10> procedures;
  std::vector<Problem> problems;  // Conditions so far.
};

// A line of the claim for an encounter.
struct ClaimLine {
  enum class Of { kCondition, kProcedure, kImmunization };
  Of of;
  Uuid id;
  const Code* code;
  double net;  // US dollars; none for conditions.
};

struct Visit {
  Visit(Chart& chart, UnixSeconds begin);

  std::size_t kind;
  const SiteReferences& site;
  Uuid id;
  Moment begin;
  Moment end;
  std::string encounter;                   // Member with its comma.
  std::string issued;                      // Instant, without quotes.
  std::vector<const Code*> prescriptions;  // For the note.
  std::vector<ClaimLine> lines;
};

// Each adds whole entries.
void AddPatient(Chart& chart);
void AddVisit(Chart& chart, UnixSeconds begin);  // An Encounter with all that belongs to it.
void AddProvenance(Chart& chart);

void AddObservation(Chart& chart, const Visit& visit, std::size_t kind);
void AddPanel(Chart& chart, const Visit& visit, std::size_t panel);
void AddNote(Chart& chart, const Visit& visit);  // As DiagnosticReport and as DocumentReference.

void AddCondition(Chart& chart, Visit& visit);
void AddAllergy(Chart& chart, const Visit& visit);
void AddCarePlan(Chart& chart, const Visit& visit);  // With its CareTeam.
void AddProcedure(Chart& chart, Visit& visit);
void AddImmunization(Chart& chart, Visit& visit);
void AddDevice(Chart& chart, const Visit& visit);
void AddSupplyDelivery(Chart& chart, const Visit& visit);
void AddImagingStudy(Chart& chart, const Visit& visit);

void AddPrescription(Chart& chart, Visit& visit);              // With its Claim.
void AddMedicationAdministration(Chart& chart, Visit& visit);  // With all that goes before it.

// The Claim and the ExplanationOfBenefit of what was done.
void AddBilling(Chart& chart, const Visit& visit);
void AddPharmacyClaim(Chart& chart, const Visit& visit, const Uuid& prescription);

}  // namespace load_testing
