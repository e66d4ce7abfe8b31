#include "storage/query/work.h"

#include <atomic>
#include <chrono>
#include <string>
#include <utility>

namespace storage {
namespace {

std::string Raise(std::string_view setting) {
  return setting.empty() ? std::string() : " (" + std::string(setting) + ")";
}

// Ask for less, or retry when the server is less busy.  (timeout, 503)
fhir::Error TimedOut(std::string diagnostics) {
  fhir::Error error = fhir::TooBusy(std::move(diagnostics));
  error.issues.front().code = fhir::IssueCode::kTimeout;
  return error;
}

}  // namespace

fhir::Result<void> CheckBudget(const Budget& budget) {
  if (budget.keys_left != nullptr && *budget.keys_left < 0) {
    return fhir::Fail(fhir::TooCostly("The search reads more than the server allows" +
                                      Raise(budget.keys_setting) +
                                      "; narrow it, or ask for smaller pages."));
  }
  if (budget.cancelled != nullptr && budget.cancelled->load(std::memory_order_relaxed)) {
    return fhir::Fail(TimedOut("The client is gone."));
  }
  if (budget.deadline != std::chrono::steady_clock::time_point::max() &&
      std::chrono::steady_clock::now() >= budget.deadline) {
    return fhir::Fail(TimedOut("The request takes longer than the server allows" +
                               Raise(budget.deadline_setting) + "."));
  }
  return {};
}

fhir::Result<void> ChargeBudget(const Budget& budget, std::int64_t keys) {
  if (budget.keys_left != nullptr) *budget.keys_left -= keys;
  return CheckBudget(budget);
}

bool Work::CheckBudget() {
  Charge();
  left_ = granted_ = 0;
  if (error_) return false;
  auto within = storage::CheckBudget(*budget_);
  if (!Accept(within)) return false;
  left_ = granted_ = kCheckEvery;
  return true;
}

}  // namespace storage
