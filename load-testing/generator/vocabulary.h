// load-testing/generator/vocabulary.h
//
// The tables as JSON that is ready to be appended: each code is rendered once,
// when the program starts, and not again in each of millions of resources.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "load-testing/generator/random.h"
#include "load-testing/generator/tables.h"

namespace load_testing {

// Thread-safety: immutable.
class Weights {
 public:
  template <class Row>
  explicit Weights(std::span<const Row> rows) {
    sums_.reserve(rows.size());
    std::uint64_t sum = 0;
    for (const Row& row : rows) sums_.push_back(sum += row.weight);
  }

  // An index, as often as its weight says.
  std::size_t Draw(Random& random) const;

 private:
  std::vector<std::uint64_t> sums_;
};

struct Code {
  std::string json;  // CodeableConcept with one coding and the text.
  std::string_view display;
};

// Codes of one system. Thread-safety: immutable.
class CodeSet {
 public:
  CodeSet(std::string_view system, std::span<const WeightedCode> rows);

  const Code& Draw(Random& random) const { return codes_[weights_.Draw(random)]; }

 private:
  std::vector<Code> codes_;
  Weights weights_;
};

// A CodeableConcept; without `text` if that is empty.
std::string ConceptJson(std::string_view system, std::string_view code, std::string_view display,
                        std::string_view text);

struct MeasureText {
  std::string code;  // CodeableConcept.
  std::string unit;  // What follows the number, with the closing brace.
};

struct KindText {
  std::string head;  // Members that do not vary, each with a comma before it.
  std::string code;  // CodeableConcept.
};

// Owner: Population. Thread-safety: immutable.
struct Vocabulary {
  Vocabulary();

  CodeSet activities;
  CodeSet administrations;
  CodeSet allergies;
  CodeSet care_plans;
  CodeSet conditions;
  CodeSet devices;
  CodeSet languages;
  CodeSet marital_states;
  CodeSet prescriptions;
  CodeSet procedures;
  CodeSet reasons;
  CodeSet specialties;
  CodeSet supplies;
  CodeSet vaccines;

  Weights encounter_kinds;
  Weights ethnicities;
  Weights imagings;
  Weights races;

  // By the index in the table of the same name.
  std::vector<KindText> encounters;
  std::vector<KindText> observations;
  std::vector<KindText> panels;
  std::vector<MeasureText> measures;
  std::vector<std::string> answers;  // CodeableConcept, or a string where it has no code.
};

}  // namespace load_testing
