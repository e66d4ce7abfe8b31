#include "load-testing/generator/population.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "load-testing/generator/chart.h"

namespace load_testing {
namespace {

// Multiples of the golden ratio leave no gaps: any hundred patients in a row have the number of
// encounters that all have on average.
double Spread(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t position = Random(seed).Next() + index * 0x9E3779B97F4A7C15U;
  return static_cast<double>(position >> 11) * 0x1p-53;
}

// When the patient was seen, oldest first.
std::vector<UnixSeconds> VisitTimes(Chart& chart, std::size_t count) {
  std::vector<UnixSeconds> times(count);
  for (UnixSeconds& time : times) {
    time = kDataEnd - static_cast<UnixSeconds>(chart.random.Draw(kDaysAgo)) * kSecondsPerDay +
           chart.born % kSecondsPerDay;  // The data has one time of day for a patient.
    if (time <= chart.born || time > chart.died) {
      time = chart.born + static_cast<UnixSeconds>(static_cast<double>(chart.died - chart.born) *
                                                   chart.random.Uniform());
    }
  }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

void Population::WritePatient(std::uint64_t index, Bundle* bundle) const {
  BundleWriter out("transaction", bundle);
  Chart chart(vocabulary_, sites_, Random(seed_ ^ (index + 1) * 0xD1342543DE82EF95U).Next(), &out);
  const auto encounters = static_cast<std::size_t>(
      std::lround(Random::At(kEncountersPerPatient, Spread(seed_, index))));
  bundle->name = chart.id.Text();
  AddPatient(chart);
  for (const UnixSeconds at : VisitTimes(chart, encounters)) {
    AddVisit(chart, at);
  }
  AddProvenance(chart);
  out.Finish();
}

}  // namespace load_testing
