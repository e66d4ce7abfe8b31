// fhir/path/collections.h
//
// Equality of whole collections, and sets of items.
//
// Errors: TooCostly when the evaluation's budget is exhausted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "fhir/path/evaluation.h"

namespace fhir::path {

// Items in order. Nothing if one side is empty, or if it is left open.
Result<std::optional<bool>> EqualCollections(Evaluation* evaluation, Items a, Items b);
// Items in any order; two empty ones are equivalent.
Result<bool> EquivalentCollections(Evaluation* evaluation, Items a, Items b);

// Items that are not equal to each other, in the order in which they came. Items whose equality is
// left open are different ones.
// Thread-safety: single-owner.
class ItemSet {
 public:
  // `evaluation` outlives it.
  explicit ItemSet(Evaluation* evaluation) : evaluation_(evaluation) {}

  // True if it was not there.
  Result<bool> Insert(const Item& item);
  Result<void> InsertAll(Items items);
  Result<bool> Contains(const Item& item);

  const Collection& GetItems() const { return items_; }
  Collection TakeItems() && { return std::move(items_); }

 private:
  Result<bool> ContainsHashed(const Item& item, std::size_t hash);

  Evaluation* evaluation_;
  Collection items_;
  // Hash to index in items_. Equal items have one hash.
  std::unordered_multimap<std::size_t, std::uint32_t> index_;
};

}  // namespace fhir::path
