// tests/bench/fhir/ingest_bench.cc
//
// What a resource costs before it reaches the commit thread: parse, validate, rewrite references into
// the stored form, extract index entries; each alone and together. Per resource and per byte.
//
// Workload: the Synthea bundle of most resources where the data is there (KILN_SYNTHEA_DIR), otherwise
// tests/fixtures/transaction.json.
#include <fstream>
#include <sstream>

#include <benchmark/benchmark.h>

#include "fhir/base/check.h"
#include "fhir/json/document.h"
#include "fhir/model/bundle.h"
#include "fhir/model/stored_form.h"
#include "fhir/search/extract.h"
#include "fhir/search/registry.h"
#include "fhir/validation/structure.h"
#include "tests/e2e/synthea_data.h"

namespace {

using fhir::json::Document;
using fhir::json::Value;

const std::string& BundleText() {
  static const std::string text = [] {
    std::vector<e2e::BundleFile> bundles = e2e::LoadSynthea(10);
    std::string longest;
    for (e2e::BundleFile& bundle : bundles) {
      if (bundle.json.size() > longest.size()) longest = std::move(bundle.json);
    }
    if (!longest.empty()) return longest;
    std::ostringstream fixture;
    fixture << std::ifstream(KILN_SOURCE_DIR "/tests/fixtures/transaction.json").rdbuf();
    return fixture.str();
  }();
  return text;
}

std::size_t CountEntries(const Document& document) {
  std::size_t entries = 0;
  for ([[maybe_unused]] const Value entry : document.Root().Find("entry").Children()) ++entries;
  return entries;
}

void Report(benchmark::State& state, std::size_t resources) {
  state.SetItemsProcessed(static_cast<std::int64_t>(resources) * state.iterations());
  state.SetBytesProcessed(static_cast<std::int64_t>(BundleText().size()) * state.iterations());
}

void BM_Parse(benchmark::State& state) {
  std::size_t resources = CountEntries(*Document::Parse(BundleText()));
  for (auto _ : state) benchmark::DoNotOptimize(Document::Parse(BundleText()));
  Report(state, resources);
}
BENCHMARK(BM_Parse)->Unit(benchmark::kMillisecond);

void BM_Validate(benchmark::State& state) {
  const Document document = *Document::Parse(BundleText());
  FHIR_CHECK(fhir::validation::InspectResource(document.Root()).issues.empty(),
             "the bundle is valid");
  for (auto _ : state) {
    benchmark::DoNotOptimize(fhir::validation::InspectResource(document.Root()));
  }
  Report(state, CountEntries(document));
}
BENCHMARK(BM_Validate)->Unit(benchmark::kMillisecond);

// Stored forms and index entries of every resource of the bundle. Returns the number of entries.
std::size_t FormAndExtract(const Document& document, const fhir::validation::Inspection& inspection,
                           const fhir::search::Registry& registry, bool extract) {
  std::size_t index_entries = 0;
  const fhir::search::ExtractOptions options;
  for (const Value entry : document.Root().Find("entry").Children()) {
    const Value resource = entry.Find("resource");
    const auto sites = fhir::model::SitesWithin(inspection.sites, resource);
    const auto form = fhir::model::MakeStoredForm(resource, "0123456789ABCDEF", sites, {});
    benchmark::DoNotOptimize(form.json.data());
    if (!extract) continue;
    fhir::search::IndexEntries entries;
    FHIR_CHECK(
        fhir::search::ExtractEntries(registry, options, resource, {}, form, &entries).has_value(),
        "the bundle is indexed");
    index_entries += entries.List().size();
  }
  return index_entries;
}

void BM_StoredForm(benchmark::State& state) {
  const auto registry = fhir::search::Registry::BuildR4();
  const Document document = *Document::Parse(BundleText());
  const auto inspection = fhir::validation::InspectResource(document.Root());
  for (auto _ : state) FormAndExtract(document, inspection, *registry, false);
  Report(state, CountEntries(document));
}
BENCHMARK(BM_StoredForm)->Unit(benchmark::kMillisecond);

void ParseValidateExtract(benchmark::State& state, bool index_content) {
  const auto registry = fhir::search::Registry::BuildR4({.index_content = index_content});
  std::size_t resources = 0;
  std::size_t index_entries = 0;
  for (auto _ : state) {
    const Document document = *Document::Parse(BundleText());
    const auto inspection = fhir::validation::InspectResource(document.Root());
    index_entries = FormAndExtract(document, inspection, *registry, true);
    resources = resources == 0 ? CountEntries(document) : resources;
  }
  Report(state, resources);
  state.counters["index entries/resource"] =
      static_cast<double>(index_entries) / static_cast<double>(resources);
}

void BM_ParseValidateExtract(benchmark::State& state) {
  ParseValidateExtract(state, /*index_content=*/false);
}
BENCHMARK(BM_ParseValidateExtract)->Unit(benchmark::kMillisecond);

// With an entry for each word of each resource (DB_CONTENT_INDEX).
void BM_ParseValidateExtractContent(benchmark::State& state) {
  ParseValidateExtract(state, /*index_content=*/true);
}
BENCHMARK(BM_ParseValidateExtractContent)->Unit(benchmark::kMillisecond);

void BM_BuildRegistry(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(fhir::search::Registry::BuildR4());
}
BENCHMARK(BM_BuildRegistry)->Unit(benchmark::kMillisecond);

}  // namespace
