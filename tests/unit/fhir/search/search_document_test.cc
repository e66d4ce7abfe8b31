// docs/search.md has the table of search types that the code has.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fhir/search/types/search_type.h"

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

TEST(SearchDocumentTest, HasTheTableOfTypesModifiersAndPrefixes) {
  std::ostringstream text;
  text << std::ifstream(KILN_SOURCE_DIR "/docs/search.md").rdbuf();
  EXPECT_THAT(text.str(), testing::HasSubstr(Table())) << Table();
}

}  // namespace
}  // namespace fhir::search
