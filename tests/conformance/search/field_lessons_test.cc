// What users reported of other servers' searches, pages, sorts, includes, dates, strings and
// tokens: where each kind is tested here, and a test of the one that is nowhere else.
#include <fstream>
#include <random>
#include <set>
#include <sstream>

#include <gmock/gmock.h>

#include "tests/integration/server/in_process_server.h"

namespace conformance {
namespace {

struct Lesson {
  std::string_view fault;
  std::string_view file;
  std::string_view holds;  // What the file has: a test's name, or a case's query.
};

constexpr Lesson kLessons[] = {
    {"equal sort keys repeat or drop entries", "e2e/paging_test.cc",
     "EqualSortKeysNeitherRepeatNorDropEntries"},
    {"writes between pages shift results", "e2e/paging_test.cc", "LaterWritesDoNotShiftPages"},
    {"next with an empty page", "e2e/paging_test.cc", "APageThatIsExactlyFullIsTheLast"},
    {"no next on history", "e2e/paging_test.cc", "TheHistoryIsPagedToo"},
    {"tampered page token", "e2e/paging_test.cc", "ChangedLinksAreRefused"},
    {"pages without self, first, previous", "e2e/paging_test.cc",
     "EveryPageHasItsLinksInTheBundleAndInTheHeader"},
    {"search shows an old result", "integration/server/search_test.cc", "FindsAndCounts"},
    {"sorting drops resources without the key", "e2e/search_semantics_test.cc",
     "ResourcesWithoutTheSortKeyComeLast"},
    {"includes cut silently", "integration/server/include_test.cc",
     "WhatIsTooMuchForAPageFollowsOnOthers"},
    {"iterate misses or runs unasked", "conformance/search/cases/results.json",
     "_revinclude:iterate=Task:encounter"},
    {"iterate in cycles", "integration/server/include_test.cc", "CyclesEndAndAMatchStaysAMatch"},
    {"no time or cost limit", "integration/storage/search_test.cc",
     "ADeadlineOrACancelledClientStopsTheWork"},
    {"count by a token", "conformance/search/cases/results.json", "_summary=count&gender=male"},
    {"answer depends on the server's time zone", "e2e/dates_test.cc",
     "TheZoneOfTheMachineDoesNotMatter"},
    {"values without a zone", "e2e/dates_test.cc", "ValuesWithoutAZoneAreReadInTheSettingsZone"},
    {"unusual years", "e2e/dates_test.cc", "UnusualYearsAreStoredAndFound"},
    {"non-dates", "e2e/dates_test.cc", "NonDatesAreRefusedAsBodyAndAsSearchValue"},
    {"6 -> 6.0, 1.2E+2 refused", "e2e/crud_test.cc", "NumbersKeepTheirDigits"},
    {"searchable as 120", "e2e/dates_test.cc", "ValuesOfEveryFormAreFoundByTheirNumber"},
    {"no implicit precision", "e2e/dates_test.cc", "AQuantityIsMeantAsExactlyAsItIsWritten"},
    {"no units", "conformance/search/cases/quantity.json", "5.40e-3|http://unitsofmeasure.org|g"},
    {"comma not unescaped", "e2e/search_semantics_test.cc", "EscapedCommasBelongToTheValue"},
    {"system| gives 500", "e2e/search_semantics_test.cc", "TokensAreAskedForWithOrWithoutASystem"},
    {"system| on tags and in chains", "conformance/search/cases/chain.json", "patient._tag=ts|"},
    {"raw | refused", "e2e/http_test.cc", "ARawPipeInTheUrlIsAccepted"},
    {":not leaves out resources without the element", "e2e/search_semantics_test.cc",
     "NotIncludesResourcesWithoutTheElement"},
    {":not-in ignored", "conformance/search/cases/token.json", "gender:not-in=http://x/vs/codes"},
    {"prefix collisions", "e2e/search_semantics_test.cc", "PrefixesOfIdsAndValuesAreNoHits"},
    {"hash collisions", "conformance/search/field_lessons_test.cc", "IdentifiersAreNotMixedUp"},
    {"accents and case", "e2e/search_semantics_test.cc", "AccentsAndCaseAreFoldedUnlessExact"},
    {"misspelt parameter returns everything", "e2e/search_semantics_test.cc",
     "UnknownParametersAreRefusedOrSaidToBeIgnored"},
    {"empty value", "e2e/search_semantics_test.cc", "EmptyValuesAreIgnored"},
};

TEST(FieldLessonsTest, EachKindHasItsTest) {
  for (const Lesson& lesson : kLessons) {
    std::ostringstream text;
    text << std::ifstream(std::string(KILN_SOURCE_DIR "/tests/").append(lesson.file)).rdbuf();
    EXPECT_NE(text.str().find(lesson.holds), std::string::npos)
        << lesson.fault << ": " << lesson.file << " has no " << lesson.holds;
  }
}

class CollisionTest : public server::InProcessServer {};

TEST_F(CollisionTest, IdentifiersAreNotMixedUp) {
  constexpr int kPatients = 200;
  constexpr int kIdentifiers = 500;  // Of each.
  std::mt19937_64 random(11);
  std::vector<std::string> sample;
  for (int batch = 0; batch < kPatients; batch += 20) {
    std::string bundle = R"({"resourceType":"Bundle","type":"transaction","entry":[)";
    for (int i = batch; i < batch + 20; ++i) {
      const std::string id = "p" + std::to_string(i);
      std::string identifiers;
      for (int k = 0; k < kIdentifiers; ++k) {
        const std::string value = std::to_string(random());
        const std::string system = "s" + std::to_string(k % 3);
        identifiers += (k == 0 ? R"({"system":")" : R"(,{"system":")") + system + R"(","value":")" +
                       value + "\"}";
        if (k % 100 == 0) sample.push_back(id + " " + system + "|" + value);
      }
      bundle += (i == batch ? R"({"resource":)" : R"(,{"resource":)") +
                (R"({"resourceType":"Patient","id":")" + id + R"(","identifier":[)") + identifiers +
                R"(]},"request":{"method":"PUT","url":"Patient/)" + id + "\"}}";
    }
    ASSERT_EQ(Post("", bundle + "]}").Status(), 200);
  }
  for (const std::string& one : sample) {
    const std::size_t space = one.find(' ');
    const std::string token = one.substr(space + 1);
    EXPECT_THAT(Get("Patient?identifier=" + token + "&_elements=id").Entries(),
                testing::ElementsAre("Patient/" + one.substr(0, space)));
    for (const std::string& other :
         {"s3" + token.substr(2), token.substr(2), token + "0", token.substr(0, token.size() - 1),
          token.substr(0, 3) + std::to_string(random())}) {
      EXPECT_EQ(Get("Patient?_summary=count&identifier=" + other).Text("total"), "0") << other;
    }
  }
}

}  // namespace
}  // namespace conformance
