#include "tests/conformance/search/case_file.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

#include "fhir/base/check.h"
#include "fhir/json/writer.h"

namespace conformance {
namespace {

using fhir::json::Document;
using fhir::json::Kind;
using fhir::json::Value;

constexpr std::string_view kFolder = KILN_SOURCE_DIR "/tests/conformance/search/cases/";

std::size_t NumberOf(const Value& value) {
  return std::stoul(std::string(value.Text()));
}

void ReadWish(const Value& wish, Case* wanted) {
  const std::string_view name = wish.Name();
  const std::string text(wish.Text());
  const bool is_true = text == "true";
  if (name == "ordered") {
    wanted->ordered = is_true;
  } else if (name == "pages") {
    wanted->pages = NumberOf(wish);
  } else if (name == "includes") {
    wanted->includes = Words(text);
  } else if (name == "total") {
    wanted->has_total = wish.GetKind() != Kind::kNull;
    if (wanted->has_total) wanted->total = NumberOf(wish);
  } else if (name == "members") {
    wanted->members = Words(text);
  } else if (name == "subsetted") {
    wanted->is_subsetted = is_true;
  } else if (name == "prefer") {
    wanted->prefer = text;
  } else if (name == "outcome") {
    wanted->outcome = text;
  } else if (name == "self") {
    wanted->self = text;
  } else {
    FHIR_CHECK(name == "form", "a wish that is known");
    wanted->form = text;
  }
}

Case ReadCase(const Value& row) {
  Case read;
  std::size_t at = 0;
  for (const Value item : row.Children()) {
    if (at == 0) read.query = item.Text();
    if (at == 1 && item.IsString()) read.ids = Words(item.Text());
    if (at == 1 && !item.IsString()) read.status = static_cast<int>(NumberOf(item));
    if (at == 2) {
      for (const Value wish : item.Children()) ReadWish(wish, &read);
    }
    ++at;
  }
  FHIR_CHECK(at == 2 || at == 3, "a case has a query, what it finds, and wishes");
  return read;
}

}  // namespace

std::vector<std::string> Words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

std::vector<std::string> CaseFileNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  }
  std::sort(names.begin(), names.end());
  return names;
}

CaseFile LoadCaseFile(const std::string& name) {
  std::ostringstream text;
  text << std::ifstream(std::string(kFolder) + name + ".json").rdbuf();
  const auto document = Document::Parse(text.str());
  FHIR_CHECK(document.has_value(), "a case file is JSON");
  CaseFile file;
  const Value content = document->Root().Find("settings").Find("content");
  file.index_content = !content.IsNone() && content.Text() == "true";
  for (const Value resource : document->Root().Find("resources").Children()) {
    std::string json;
    fhir::json::AppendValue(&json, resource);
    file.resources.push_back(std::move(json));
    file.names.push_back(std::string(resource.Find("resourceType").Text()) + "/" +
                         std::string(resource.Find("id").Text()));
  }
  for (const Value row : document->Root().Find("cases").Children()) {
    file.cases.push_back(ReadCase(row));
  }
  return file;
}

}  // namespace conformance
