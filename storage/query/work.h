// storage/query/work.h
//
// How much a search may still do, and what made it stop.
//
// Owner: one search. Thread-safety: single-owner.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "fhir/base/result.h"
#include "storage/store.h"

namespace storage {

class Work {
 public:
  explicit Work(const Budget* budget) : budget_(budget) {}
  ~Work() { Charge(); }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  // Counts keys or bitmaps read. False: stop, the search has failed.
  bool Spend(std::int32_t count = 1) {
    left_ -= count;
    if (left_ > 0) [[likely]] {
      return true;
    }
    return CheckBudget();
  }
  void Fail(fhir::Error error) {
    if (!error_) error_ = std::move(error);
    Charge();
    left_ = granted_ = 0;
  }
  // Takes over the error, if it is one.
  template <class T>
  bool Accept(fhir::Result<T>& result) {
    if (!result) Fail(std::move(result).error());
    return result.has_value();
  }

  bool HasFailed() const { return error_.has_value(); }
  fhir::Result<void> Outcome() const {
    if (error_) return fhir::Fail(*error_);
    return {};
  }

 private:
  bool CheckBudget();
  // Takes what was spent since the last time off the budget.
  void Charge() {
    if (budget_->keys_left != nullptr) *budget_->keys_left -= granted_ - left_;
    granted_ = left_;
  }

  static constexpr std::int32_t kCheckEvery = 1000;

  const Budget* budget_;
  // The first key looks at the clock: the deadline may have passed already.
  std::int32_t left_ = 1;
  std::int32_t granted_ = 1;  // What left_ was when the budget was looked at last.
  std::optional<fhir::Error> error_;
};

}  // namespace storage
