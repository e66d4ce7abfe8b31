// The tables of docs/search.md say what the code does.
#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/query.h"
#include "fhir/search/types/search_type.h"
#include "tests/unit/fhir/search/search_fixture.h"

namespace fhir::search {
namespace {

std::string Table() {
  std::string table =
      "| Type | Modifiers | Prefixes | Sort | Operators of `_filter` |\n| --- | --- | --- | --- | "
      "--- |\n";
  for (const SearchTypeSpec* spec : AllSearchTypes()) {
    table.append("| ").append(spec->name).append(" | `:missing`");
    for (const std::string_view modifier : spec->modifiers) {
      table.append(" `:").append(modifier).append("`");
    }
    table += spec->has_prefixes ? " | eq ne gt lt ge le sa eb ap" : " |";
    table += spec->sort_tags.empty() ? " | | pr" : " | yes | pr";
    for (const FilterOperator op : spec->operators) table.append(" ").append(CodeOf(op));
    table += " |\n";
  }
  return table;
}

std::string Document() {
  std::ostringstream text;
  text << std::ifstream(KILN_SOURCE_DIR "/docs/search.md").rdbuf();
  return text.str();
}

// The cells of each row of the table under this head; none, if there is no such table.
std::vector<std::vector<std::string>> RowsUnder(const std::string& head) {
  std::istringstream lines(Document());
  std::vector<std::vector<std::string>> rows;
  std::string line;
  while (std::getline(lines, line) && !line.starts_with(head)) {
  }
  std::getline(lines, line);  // | --- |
  while (std::getline(lines, line) && line.starts_with("| ")) {
    std::vector<std::string>& cells = rows.emplace_back();
    for (std::size_t begin = 2; begin < line.size();) {
      const std::size_t end = std::min(line.find("|", begin), line.size());
      std::string cell = line.substr(begin, end - begin);
      while (cell.ends_with(' ')) cell.pop_back();
      cells.push_back(std::move(cell));
      begin = end + 2;
    }
  }
  return rows;
}

bool IsKnown(const std::string& type, const std::string& name, const std::string& value) {
  const auto query = ParseQuery(R4(), type, {{name, value}}, {});
  return query ||
         query.error().issues.front().diagnostics.find("has no modifier") == std::string::npos;
}

TEST(SearchDocumentTest, HasTheTableOfTypesModifiersAndPrefixes) {
  EXPECT_THAT(Document(), testing::HasSubstr(Table())) << Table();
}

TEST(SearchDocumentTest, TheTableOfTokensSaysWhereAModifierIsRefused) {
  // Parameters whose elements are those of each row.
  const std::vector<std::vector<std::pair<std::string, std::string>>> parameters = {
      {{"Observation", "code"}, {"Encounter", "class"}},
      {{"Patient", "gender"}},
      {{"Patient", "identifier"}},
      {{"Patient", "active"}, {"Patient", "phone"}, {"Patient", "_id"}}};
  const std::vector<std::vector<std::string>> columns = {
      {}, {"not"}, {"text"}, {"of-type"}, {"in", "not-in", "above", "below"}};
  const auto rows = RowsUnder("| Elements | `:not` |");
  ASSERT_EQ(rows.size(), parameters.size());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const auto& [type, code] : parameters[row]) {
      for (std::size_t column = 1; column < columns.size(); ++column) {
        const bool is_said = column < rows[row].size() && rows[row][column] == "yes";
        for (const std::string& modifier : columns[column]) {
          const std::string name = code + ":" + modifier;
          EXPECT_EQ(IsKnown(type, name, "x"), is_said) << type << "?" << name;
        }
      }
    }
  }
}

TEST(SearchDocumentTest, TheTableOfAnswersNamesResultParameters) {
  const auto rows = RowsUnder("| Parameter | Values |");
  ASSERT_FALSE(rows.empty());
  std::string names;
  for (const auto& row : rows) names += row[0] + ",";
  for (const char* name :
       {"_count", "_sort", "_total", "_summary", "_elements", "_format", "_pretty"}) {
    EXPECT_THAT(names, testing::HasSubstr("`" + std::string(name) + "`"));
  }
  // Each of the values that are words is taken, and no other.
  for (const auto& row : rows) {
    if (row[0] != "`_total`" && row[0] != "`_summary`") continue;
    const std::string name = row[0].substr(1, row[0].size() - 2);
    std::istringstream values(row[1]);
    for (std::string value; std::getline(values, value, ',');) {
      value.erase(0, value.find_first_not_of(' '));
      EXPECT_TRUE(ParseQuery(R4(), "Patient", {{name, value}}, {}).has_value()) << value;
    }
    EXPECT_FALSE(ParseQuery(R4(), "Patient", {{name, "nonsense"}}, {}).has_value());
  }
}

TEST(SearchDocumentTest, WhatIsSaidNotToBeSupportedIsRefused) {
  const std::string document = Document();
  const std::string said = document.substr(document.find("## Not supported"));
  int count = 0;
  for (std::size_t at = said.find("`_"); at != std::string::npos; at = said.find("`_", at + 1)) {
    const std::string name = said.substr(at + 1, said.find('`', at + 1) - at - 1);
    EXPECT_FALSE(ParseQuery(R4(), "Patient", {{name, "x"}}, {}).has_value()) << name;
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace fhir::search
