#include "storage/query/work.h"

#include <atomic>
#include <chrono>

namespace storage {
namespace {

// Ask for less, or retry when the server is less busy.  (timeout, 503)
fhir::Error TimedOut() {
  fhir::Error error = fhir::TooBusy("The search took longer than the server allows.");
  error.issues.front().code = fhir::IssueCode::kTimeout;
  return error;
}

}  // namespace

bool Work::CheckBudget() {
  Charge();
  left_ = granted_ = 0;
  if (error_) return false;
  if (budget_->keys_left != nullptr && *budget_->keys_left < 0) {
    Fail(fhir::TooCostly("The search reads more than the server allows."));
    return false;
  }
  if (budget_->cancelled != nullptr && budget_->cancelled->load(std::memory_order_relaxed)) {
    Fail(TimedOut());
    return false;
  }
  if (budget_->deadline != std::chrono::steady_clock::time_point::max() &&
      std::chrono::steady_clock::now() >= budget_->deadline) {
    Fail(TimedOut());
    return false;
  }
  left_ = granted_ = kCheckEvery;
  return true;
}

}  // namespace storage
