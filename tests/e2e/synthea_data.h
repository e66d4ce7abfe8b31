// tests/e2e/synthea_data.h
//
// The Synthea bundles, where they are: KILN_SYNTHEA_DIR, or shared/synthea beside the checkout. Tests
// that need them skip where they are absent.
#pragma once

#include <string>
#include <vector>

namespace e2e {

struct BundleFile {
  std::string name;
  std::string json;
};

// Empty if the folder is not there. Sorted by name: the "0-" bundles, which the others refer to, first.
// `limit` bundles at most.
std::vector<BundleFile> LoadSynthea(std::size_t limit = 1'000);

}  // namespace e2e
