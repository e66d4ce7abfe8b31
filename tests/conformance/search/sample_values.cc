#include "tests/conformance/search/sample_values.h"

namespace conformance {
namespace {

using fhir::definitions::SearchType;

struct Row {
  SearchType type;
  std::string_view element_type;
  std::string_view json;
  std::string_view found_by;
  std::string_view missed_by;
};

constexpr SearchType kToken = SearchType::kToken;
constexpr SearchType kString = SearchType::kString;
constexpr SearchType kDate = SearchType::kDate;
constexpr SearchType kNumber = SearchType::kNumber;
constexpr SearchType kQuantity = SearchType::kQuantity;
constexpr SearchType kUri = SearchType::kUri;
constexpr SearchType kReference = SearchType::kReference;

constexpr std::string_view kUrl = R"("http://sample.example/x")";

constexpr Row kRows[] = {
    {kToken, "CodeableConcept", R"({"coding":[{"system":"http://s.example","code":"c-1"}]})",
     "http://s.example|c-1", "http://s.example|c-2"},
    {kToken, "Coding", R"({"system":"http://s.example","code":"c-1"})", "http://s.example|c-1",
     "http://other.example|c-1"},
    {kToken, "Identifier", R"({"system":"http://s.example","value":"i-1"})", "http://s.example|i-1",
     "http://s.example|i-2"},
    {kToken, "ContactPoint", R"({"value":"555-1"})", "555-1", "555-2"},
    {kToken, "boolean", "true", "true", "false"},
    {kToken, "code", R"("sample")", "sample", "sampl"},
    {kToken, "string", R"("sample")", "sample", "Sample"},
    {kToken, "id", R"("sample")", "sample", "sample-2"},
    {kToken, "uri", kUrl, "http://sample.example/x", "http://sample.example/y"},
    {kToken, "canonical", kUrl, "http://sample.example/x", "http://sample.example/y"},
    {kString, "string", R"("Sämple text")", "sample t", "ample"},
    {kString, "markdown", R"("Sämple text")", "SAMPLE", "text"},
    {kString, "uri", kUrl, "http://sample", "sample"},
    {kString, "code", R"("sample")", "sam", "ample"},
    {kString, "HumanName", R"({"family":"Sämple","given":["One","Two"]})", "two", "wo"},
    {kString, "Address", R"({"city":"Sämple","line":["One 1","Two 2"]})", "two", "wo"},
    {kDate, "date", R"("2003-04-05")", "2003-04", "2003-05"},
    {kDate, "dateTime", R"("2003-04-05T10:00:00+02:00")", "2003-04-05T08:00:00Z", "2003-04-06"},
    {kDate, "instant", R"("2003-04-05T10:00:00.5Z")", "2003-04-05", "2003-04-05T10:00:01Z"},
    {kDate, "Period", R"({"start":"2003-04-05","end":"2003-04-07"})", "2003-04", "2003-04-05"},
    {kDate, "Timing", R"({"event":["2003-04-05"]})", "2003-04-05", "2003-04-06"},
    {kNumber, "decimal", "12.5", "12.5", "12.4"},
    {kNumber, "integer", "12", "12", "13"},
    {kNumber, "positiveInt", "12", "12.0", "13"},
    {kNumber, "unsignedInt", "12", "12", "11"},
    {kNumber, "Range", R"({"low":{"value":12},"high":{"value":13}})", "ge13", "gt13"},
    {kQuantity, "Quantity", R"({"value":12.5,"system":"http://unitsofmeasure.org","code":"g"})",
     "12500|http://unitsofmeasure.org|mg", "12.5|http://unitsofmeasure.org|mg"},
    {kQuantity, "Age", R"({"value":12,"system":"http://unitsofmeasure.org","code":"a"})",
     "12|http://unitsofmeasure.org|a", "13|http://unitsofmeasure.org|a"},
    {kQuantity, "Duration", R"({"value":2,"system":"http://unitsofmeasure.org","code":"h"})",
     "120|http://unitsofmeasure.org|min", "2|http://unitsofmeasure.org|min"},
    {kQuantity, "Money", R"({"value":12.50,"currency":"EUR"})", "12.50|urn:iso:std:iso:4217|EUR",
     "12.50|urn:iso:std:iso:4217|USD"},
    {kQuantity, "Range", R"({"low":{"value":12,"unit":"mg"},"high":{"value":13,"unit":"mg"}})",
     "gt12.5||mg", "gt13||mg"},
    {kQuantity, "SampledData",
     R"({"origin":{"value":0,"unit":"mg"},"period":1,"dimensions":1,"lowerLimit":1,"upperLimit":5})",
     "gt4||mg", "gt5||mg"},
    {kUri, "uri", kUrl, "http://sample.example/x", "http://sample.example"},
    {kUri, "url", kUrl, "http://sample.example/x", "http://sample.example/X"},
    {kUri, "canonical", R"("http://sample.example/x|1.0")", "http://sample.example/x",
     "http://sample.example/x|2.0"},
    {kReference, "canonical", R"("http://sample.example/x|1.0")", "http://sample.example/x",
     "http://sample.example/y"},
    {kReference, "uri", kUrl, "http://sample.example/x", "http://sample.example/y"},
    {SearchType::kSpecial, "Location.position", R"({"latitude":51.3,"longitude":12.4})",
     "51.4|12.4|12|km", "51.4|12.4|11|km"},
};

struct ValuelessRow {
  SearchType type;
  std::string_view element_type;
  std::string_view json;
};

// What choices hold besides.
constexpr ValuelessRow kWithoutValues[] = {
    {kDate, "string", R"("some time")"},
    {kDate, "Age", R"({"value":12})"},
    {kDate, "Range", R"({"low":{"value":12}})"},
    {kDate, "Duration", R"({"value":12})"},
    {kDate, "boolean", "true"},
    {kReference, "Attachment", R"({"title":"sample"})"},
};

}  // namespace

std::optional<std::string> ElementWithoutValues(SearchType type, std::string_view element_type) {
  for (const ValuelessRow& row : kWithoutValues) {
    if (row.type == type && row.element_type == element_type) return std::string(row.json);
  }
  return std::nullopt;
}

std::optional<Sample> SampleOf(SearchType type, std::string_view element_type,
                               std::string_view target) {
  const std::string name(target);
  if (element_type == "Reference" && type == kReference) {
    return Sample{R"({"reference":")" + name + R"(/target"})", name + "/target", name + "/targe"};
  }
  // Inside a Bundle.
  if (element_type == "Resource") {
    return Sample{R"({"resourceType":")" + name + R"(","id":"inner"})", name + "/inner",
                  name + "/target"};
  }
  if (element_type == "xhtml") {
    return Sample{R"("<div xmlns=\"http://www.w3.org/1999/xhtml\">a <b>sam</b>ple</div>")",
                  "SAMPLE", "sam"};
  }
  for (const Row& row : kRows) {
    if (row.type != type || row.element_type != element_type) continue;
    return Sample{std::string(row.json), std::string(row.found_by), std::string(row.missed_by)};
  }
  return std::nullopt;
}

}  // namespace conformance
