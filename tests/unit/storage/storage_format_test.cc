// docs/storage-format.md: the worked keys are those that the code makes, and no column family is left
// out.
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "storage/key_layout.h"

namespace storage {
namespace {

const std::string& Documentation() {
  static const std::string text = [] {
    std::ostringstream out;
    out << std::ifstream(KILN_SOURCE_DIR "/docs/storage-format.md").rdbuf();
    return out.str();
  }();
  return text;
}

std::string Hex(const std::string& key) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : key) {
    const auto byte = static_cast<unsigned char>(c);
    if (!out.empty()) out += ' ';
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return "`" + out + "`";
}

TEST(StorageFormatTest, WorkedKeysAreWhatTheCodeMakes) {
  constexpr TypeNumber kPatient = 7;
  const std::uint64_t document = DocumentOf(1, 2);
  std::string posting = PostingPrefix(kPatient, 300) + std::string("\x01muller\0", 8);
  posting += LiveKey(kPatient, 1).substr(2);
  for (const std::string& key :
       {ResourceKey({5, 0}), DocumentKey(kPatient, document), VersionKey(kPatient, "p1", 2),
        posting, LiveKey(kPatient, 1), EndedKey(kPatient, 9, document), TransactionKey(5)}) {
    EXPECT_NE(Documentation().find(Hex(key)), std::string::npos) << Hex(key);
  }
}

TEST(StorageFormatTest, EveryColumnFamilyHasASection) {
  for (const Family family : kFamilies) {
    const std::string heading = "\n## `" + std::string(NameOf(family)) + "`";
    EXPECT_NE(Documentation().find(heading), std::string::npos) << heading;
  }
}

}  // namespace
}  // namespace storage
