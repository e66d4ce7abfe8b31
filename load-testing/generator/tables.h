// load-testing/generator/tables.h
//
// What a generated population is drawn from: codes with their displays and
// weights, quantiles, and what each kind of encounter brings. learn.py makes
// the values (generated_tables.cc) of Synthea's data.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace load_testing {

// Minimum, then every eighth, up to the maximum without the top 1 %.
using Quantiles = std::array<double, 9>;

struct WeightedCode {
  std::string_view code;
  std::string_view display;
  std::uint32_t weight;
};

// A number that an observation or a component of one holds.
struct Measure {
  std::string_view code;
  std::string_view display;
  std::string_view unit;  // UCUM; empty: none
  int decimals;
  Quantiles values;
};

enum class ObservedAs : std::uint8_t { kQuantity, kComponents, kConcept, kString };

// Ranges in kMeasures and kAnswers.
struct ObservationKind {
  std::string_view code;  // LOINC
  std::string_view display;
  std::string_view category;
  std::string_view profiles;  // Canonicals, separated by spaces.
  ObservedAs observed_as;
  std::uint16_t first_measure;
  std::uint16_t measures;
  std::uint16_t first_answer;
  std::uint16_t answers;
};

struct PanelMember {
  std::uint16_t observation;  // In kObservationKinds.
  double chance;
};

// A laboratory report with its observations, a range in kPanelMembers.
struct Panel {
  std::string_view code;  // LOINC
  std::string_view display;
  std::uint16_t first_member;
  std::uint16_t members;
};

// What an encounter may bring, in the order in which a bundle holds it.
enum class Item : std::uint8_t {
  kCondition,
  kAllergyIntolerance,
  kCarePlan,  // With its CareTeam.
  kObservation,
  kProcedure,
  kImagingStudy,
  kDevice,
  kSupplyDelivery,
  kMedicationRequest,         // With its Claim.
  kMedicationAdministration,  // With its Medication, MedicationRequest and Claim.
  kImmunization,
  kPanel,
};

struct EncounterItem {
  Item item;
  std::uint16_t index;  // Of the observation or panel; 0 for others.
  double chance;        // That there is one.
  double mean;          // How many there are then.
};

// Items are a range in kEncounterItems.
struct EncounterKind {
  std::string_view class_code;
  std::string_view code;  // SNOMED CT
  std::string_view display;
  std::uint32_t weight;
  std::uint16_t first_item;
  std::uint16_t items;
  Quantiles minutes;
};

struct Imaging {
  std::string_view code;  // SNOMED CT
  std::string_view display;
  std::string_view modality;
  std::string_view modality_display;
  std::string_view body_site;
  std::string_view body_site_display;
  std::string_view sop_class;
  std::uint32_t weight;
};

struct Site {
  std::string_view name;
  std::string_view street;
  std::string_view city;
  std::string_view postal_code;
  std::string_view phone;
  double latitude;
  double longitude;
};

extern const std::span<const Measure> kMeasures;
extern const std::span<const WeightedCode> kAnswers;
extern const std::span<const ObservationKind> kObservationKinds;
extern const std::span<const PanelMember> kPanelMembers;
extern const std::span<const Panel> kPanels;
extern const std::span<const EncounterItem> kEncounterItems;
extern const std::span<const EncounterKind> kEncounterKinds;
extern const std::span<const Imaging> kImagings;
extern const std::span<const Site> kSites;

extern const std::span<const WeightedCode> kActivities;
extern const std::span<const WeightedCode> kAdministrations;
extern const std::span<const WeightedCode> kAllergies;
extern const std::span<const WeightedCode> kCarePlans;
extern const std::span<const WeightedCode> kCities;  // The code is the postal code.
extern const std::span<const WeightedCode> kConditions;
extern const std::span<const WeightedCode> kDevices;
extern const std::span<const WeightedCode> kEthnicities;
extern const std::span<const WeightedCode> kFamilyNames;
extern const std::span<const WeightedCode> kFemaleNames;
extern const std::span<const WeightedCode> kLanguages;
extern const std::span<const WeightedCode> kMaleNames;
extern const std::span<const WeightedCode> kMaritalStates;
extern const std::span<const WeightedCode> kPrescriptions;
extern const std::span<const WeightedCode> kProcedures;
extern const std::span<const WeightedCode> kRaces;
extern const std::span<const WeightedCode> kReasons;
extern const std::span<const WeightedCode> kSpecialties;
extern const std::span<const WeightedCode> kStreets;
extern const std::span<const WeightedCode> kSupplies;
extern const std::span<const WeightedCode> kVaccines;

extern const Quantiles kAges;     // Days.
extern const Quantiles kDaysAgo;  // Of encounters.
extern const Quantiles kEncountersPerPatient;
extern const Quantiles kImages;  // Instances of a CT.
extern const Quantiles kNets;    // US dollars, of claim items.
extern const Quantiles kNoteBytes;
extern const Quantiles kTotals;  // US dollars, of claims.

}  // namespace load_testing
