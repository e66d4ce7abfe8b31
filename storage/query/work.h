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

  // Counts one key or bitmap read. False: stop, the search has failed.
  bool Spend() {
    if (--left_ > 0) [[likely]] {
      return true;
    }
    return CheckBudget();
  }
  void Fail(fhir::Error error) {
    if (!error_) error_ = std::move(error);
    left_ = 0;
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

  static constexpr std::int32_t kCheckEvery = 1000;

  const Budget* budget_;
  std::int32_t left_ =
      1;  // The first key looks at the clock: the deadline may have passed already.
  std::optional<fhir::Error> error_;
};

}  // namespace storage
