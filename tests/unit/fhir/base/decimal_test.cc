#include "fhir/base/decimal.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace fhir {
namespace {

std::string Encoded(std::string_view text) {
  std::optional<std::string> bytes = EncodeDecimal(text);
  EXPECT_TRUE(bytes.has_value()) << text;
  return bytes.value_or("");
}

// A decimal written out in full around a fixed point: an order by another way than the code's.
struct Plain {
  bool negative = false;
  std::string digits;  // kPlaces before and kPlaces after the point.
};
constexpr std::size_t kPlaces = 60;

Plain WriteOut(bool negative, const std::string& digits, int exponent) {
  Plain plain{negative, std::string(2 * kPlaces, '0')};
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int power = exponent + static_cast<int>(digits.size() - 1 - i);
    plain.digits[static_cast<std::size_t>(static_cast<int>(kPlaces) - 1 - power)] = digits[i];
  }
  if (plain.digits.find_first_not_of('0') == std::string::npos) plain.negative = false;
  return plain;
}

int Compare(const Plain& a, const Plain& b) {
  if (a.negative != b.negative) return a.negative ? -1 : 1;
  int magnitudes = a.digits.compare(b.digits);
  return a.negative ? -magnitudes : magnitudes;
}

int Sign(int value) {
  return (value > 0) - (value < 0);
}

struct Sample {
  std::string text;
  Plain plain;
};

Sample RandomDecimal(std::mt19937* random) {
  auto pick = [random](int low, int high) {
    return std::uniform_int_distribution<int>(low, high)(*random);
  };
  bool negative = pick(0, 1) == 1;
  int whole = pick(1, 4);
  int fraction = pick(0, 4);
  std::string digits;
  for (int i = 0; i < whole + fraction; ++i) digits += static_cast<char>('0' + pick(0, 9));
  // Few different digits, so that equal values and long common starts are met.
  if (pick(0, 1) == 1) {
    for (char& c : digits) c = c < '5' ? '0' : '9';
  }
  if (whole > 1 && digits[0] == '0') digits[0] = '1';
  int exponent = pick(-20, 20);
  std::string text = negative ? "-" : "";
  text += digits.substr(0, static_cast<std::size_t>(whole));
  if (fraction > 0) text += "." + digits.substr(static_cast<std::size_t>(whole));
  if (exponent != 0 || pick(0, 1) == 1) text += "e" + std::to_string(exponent);
  return {text, WriteOut(negative, digits, exponent - fraction)};
}

TEST(DecimalTest, OrderOfBytesIsOrderOfNumbers) {
  std::mt19937 random(1);
  for (int i = 0; i < 100'000; ++i) {
    Sample a = RandomDecimal(&random);
    Sample b = RandomDecimal(&random);
    ASSERT_EQ(Sign(Encoded(a.text).compare(Encoded(b.text))), Sign(Compare(a.plain, b.plain)))
        << a.text << " and " << b.text;
  }
}

TEST(DecimalTest, EncodingsDelimitThemselves) {
  std::mt19937 random(2);
  for (int i = 0; i < 10'000; ++i) {
    Sample a = RandomDecimal(&random);
    std::string bytes = Encoded(a.text);
    ASSERT_EQ(EncodedDecimalSize(bytes + '\0' + '\xFF'), bytes.size()) << a.text;
    Sample b = RandomDecimal(&random);
    std::string other = Encoded(b.text);
    ASSERT_TRUE(bytes == other || !other.starts_with(bytes)) << a.text << " and " << b.text;
  }
}

TEST(DecimalTest, BoundsKeepTheOrder) {
  const std::vector<std::string> ascending = {
      "-" + std::string(999, '9'),   "-9.9e9999", "-1", "-1e-9999", "0", "1e-9999", "1",
      "1.0000000000000000000000001", "9.9e9999"};
  for (std::size_t i = 2; i < ascending.size(); ++i) {
    EXPECT_LT(Encoded(ascending[i - 1]), Encoded(ascending[i])) << ascending[i];
  }
  EXPECT_LT(Encoded("9e9999"), Encoded("99999e9999"));
}

TEST(DecimalTest, WrittenFormsOfOneNumberAreEqual) {
  for (const char* text : {"1.1", "1.10", "110e-2", "1.1E0", "0.11e+1", "0.0110E2"}) {
    EXPECT_EQ(Encoded(text), Encoded("1.1")) << text;
  }
  for (const char* text : {"0", "-0", "0.00", "0e5", "-0.0E-3"}) {
    EXPECT_EQ(Encoded(text), "\x80") << text;
  }
}

TEST(DecimalTest, BytesOnDiskAreTheseBytes) {
  EXPECT_EQ(Encoded("12.345"), std::string("\xC0\x80\x02\x0D\x23\x33\x00", 7));
  EXPECT_EQ(Encoded("-12.345"), "\x3F\x7F\xFD\xF2\xDC\xCC\xFF");
}

TEST(DecimalTest, RefusesWhatIsNotADecimal) {
  for (const char* text : {"",    "-",    "+1",  "01",       "-01",     "00",       ".5",
                           "5.",  "1.e3", "1e",  "1e+",      "1e1.5",   "1 ",       " 1",
                           "1,5", "0x1",  "NaN", "Infinity", "1e10000", "1e-10000", "1e99999999999",
                           "--1"}) {
    EXPECT_FALSE(IsDecimal(text)) << text;
    EXPECT_FALSE(EncodeDecimal(text)) << text;
    EXPECT_FALSE(ParseDecimal(text)) << text;
  }
  EXPECT_TRUE(IsDecimal(std::string(1000, '1')));
  EXPECT_FALSE(IsDecimal(std::string(1001, '1')));
}

TEST(DecimalTest, ImplicitBoundsAreHalfAUnitOfTheLastDigit) {
  const char* cases[][3] = {
      {"5.4", "5.35", "5.45"},    {"5.40", "5.395", "5.405"},    {"100", "99.5", "100.5"},
      {"1e2", "50", "150"},       {"0", "-0.5", "0.5"},          {"0.00", "-0.005", "0.005"},
      {"-5.4", "-5.45", "-5.35"}, {"-0", "-0.5", "0.5"},         {"1", "0.5", "1.5"},
      {"10", "9.5", "10.5"},      {"1000e-1", "99.95", "100.05"}};
  for (const auto& c : cases) {
    const DecimalBounds bounds = ImplicitBounds(*ParseDecimal(c[0]));
    EXPECT_EQ(EncodeDecimal(bounds.low), Encoded(c[1])) << c[0];
    EXPECT_EQ(EncodeDecimal(bounds.high), Encoded(c[2])) << c[0];
  }
}

TEST(DecimalTest, ApproximateBoundsAreATenthToBothSides) {
  const char* cases[][3] = {{"100", "90", "110"}, {"5.4", "4.86", "5.94"}, {"-100", "-110", "-90"},
                            {"0", "0", "0"},      {"1e2", "90", "110"},    {"99", "89.1", "108.9"}};
  for (const auto& c : cases) {
    const DecimalBounds bounds = ApproximateBounds(*ParseDecimal(c[0]));
    EXPECT_EQ(EncodeDecimal(bounds.low), Encoded(c[1])) << c[0];
    EXPECT_EQ(EncodeDecimal(bounds.high), Encoded(c[2])) << c[0];
  }
}

}  // namespace
}  // namespace fhir
