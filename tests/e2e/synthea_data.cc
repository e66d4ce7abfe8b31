#include "tests/e2e/synthea_data.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

namespace e2e {
namespace {

std::string Unpack(const std::filesystem::path& file) {
  const std::string command = "bunzip2 -c '" + file.string() + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string out;
  std::array<char, 65536> buffer;
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe.get())) {
    out.append(buffer.data(), n);
  }
  return out;
}

}  // namespace

std::vector<BundleFile> LoadSynthea(std::size_t limit) {
  const char* set = std::getenv("KILN_SYNTHEA_DIR");
  const std::filesystem::path folder =
      set != nullptr ? std::filesystem::path(set)
                     : std::filesystem::path(KILN_SOURCE_DIR) / ".." / "shared" / "synthea";
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".bz2") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.size() > limit) files.resize(limit);
  std::vector<BundleFile> bundles;
  for (const auto& file : files) bundles.push_back({file.filename().string(), Unpack(file)});
  return bundles;
}

}  // namespace e2e
