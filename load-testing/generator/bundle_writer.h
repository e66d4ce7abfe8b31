// load-testing/generator/bundle_writer.h
//
// A bundle that grows entry by entry. Knows entries, not what their resources hold.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "load-testing/generator/random.h"

namespace load_testing {

class Uuid {
 public:
  explicit Uuid(Random& random);

  std::string_view Text() const { return {text_.data(), text_.size()}; }

 private:
  std::array<char, 36> text_;
};

struct Bundle {
  std::string name;  // A file name without its ending. "0-…" goes before the others.
  std::string json;
  std::size_t resources = 0;
};

// Writes into a Bundle, which outlives it and whose memory it reuses.
// Thread-safety: single-owner.
class BundleWriter {
 public:
  // `type`: "transaction" or "batch".
  BundleWriter(std::string_view type, Bundle* bundle);

  // Where the members of the resource are appended, each with a comma before it.
  std::string& Json() { return bundle_->json; }

  // Begins an entry that creates a resource of this type.
  void Begin(std::string_view type, const Uuid& id);
  // Ends it. `condition`: of ifNoneExist, or empty.
  void End(std::string_view condition = {});

  // Ends the bundle.
  void Finish();

  // All that were begun.
  const std::vector<Uuid>& Ids() const { return ids_; }

 private:
  Bundle* bundle_;
  std::string_view type_;  // Of the entry that was begun.
  std::vector<Uuid> ids_;
};

}  // namespace load_testing
