// fhir/search/types/composite.h
//
// Indexing of composite parameters (types/composite.cc says what the bytes are).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "fhir/json/document.h"
#include "fhir/search/registry.h"
#include "fhir/search/types/search_type.h"

namespace fhir::search {

// Makes the tuples of one composite index. Thread-safety: immutable.
class TupleEncoder {
 public:
  // `spec` outlives the encoder.
  explicit TupleEncoder(const IndexSpec& spec);

  // Adds the tuples of one element that the composite's expression yields to the index.
  void Encode(const json::Value& element, const json::Value& resource, IndexId index,
              ValueSink* sink) const;

 private:
  struct Source {
    std::span<const Step> steps;
    bool from_resource;
    Encoder encode;
    std::string_view system;
  };
  std::vector<std::vector<Source>> components_;
};

// Null: elements that the path yields have no values of this type.
Encoder EncoderOf(SearchType type, const Path& path);

}  // namespace fhir::search
