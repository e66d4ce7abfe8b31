#include "tests/conformance/fhirpath/suite.h"

#include <fstream>
#include <sstream>
#include <utility>

#include <pugixml.hpp>

#include "tests/conformance/fhirpath/xml_resource.h"

namespace fhir::path {

namespace {

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

Case ReadCase(const pugi::xml_node& group, const pugi::xml_node& test) {
  Case result;
  result.group = group.attribute("name").value();
  result.name = test.attribute("name").value();
  result.input_file = test.attribute("inputfile").value();
  result.mode = test.attribute("mode").value();
  result.is_predicate = test.attribute("predicate").as_bool();
  result.is_ordered = test.attribute("ordered").as_bool(true);
  const pugi::xml_node expression = test.child("expression");
  result.expression = expression.text().get();
  result.invalid = expression.attribute("invalid").value();
  for (const pugi::xml_node output : test.children("output")) {
    result.expected.push_back({output.attribute("type").value(), output.text().get()});
  }
  return result;
}

}  // namespace

std::filesystem::path SuiteFolder() {
  return std::filesystem::path(KILN_SOURCE_DIR) / ".." / "shared" / "fhirpath";
}

std::optional<std::vector<Case>> LoadCases(const std::filesystem::path& file) {
  pugi::xml_document document;
  // White space within expressions and outputs is part of them.
  if (!document.load_file(file.c_str(), pugi::parse_default | pugi::parse_ws_pcdata_single)) {
    return std::nullopt;
  }
  std::vector<Case> cases;
  for (const pugi::xml_node group : document.child("tests").children("group")) {
    for (const pugi::xml_node test : group.children("test")) {
      cases.push_back(ReadCase(group, test));
    }
  }
  return cases;
}

const json::Document* Inputs::Find(const std::string& file) {
  auto& slot = documents_[file];
  if (slot != nullptr) return slot.get();
  std::string text = file.empty() ? "{\"resourceType\":\"Basic\"}" : ReadFile(folder_ / file);
  if (file.ends_with(".xml")) {
    pugi::xml_document document;
    document.load_string(text.c_str());
    std::string unknown;
    text = ResourceAsJson(document.document_element(), &unknown);
    if (!unknown.empty()) problems_ += file + ": not of R4:" + unknown + "\n";
  }
  auto parsed = json::Document::Parse(text);
  if (!parsed) {
    problems_ += file + ": " + parsed.error().issues[0].diagnostics + "\n" + text + "\n";
    return nullptr;
  }
  slot = std::make_unique<json::Document>(*std::move(parsed));
  return slot.get();
}

}  // namespace fhir::path
