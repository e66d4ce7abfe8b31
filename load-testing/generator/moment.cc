#include "load-testing/generator/moment.h"

#include <chrono>

namespace load_testing {
namespace {

void Write(char* to, int digits, unsigned value) {
  for (int i = digits - 1; i >= 0; --i, value /= 10) to[i] = static_cast<char>('0' + value % 10);
}

std::chrono::year_month_day DayOf(UnixSeconds at) {
  const std::chrono::sys_seconds time{std::chrono::seconds(at)};
  return std::chrono::floor<std::chrono::days>(time);
}

}  // namespace

Moment::Moment(UnixSeconds at) : at_(at) {
  const auto utc_month = static_cast<unsigned>(DayOf(at).month());
  const unsigned hours_ahead = utc_month >= 4 && utc_month <= 10 ? 2 : 1;
  const UnixSeconds local = at + UnixSeconds{hours_ahead} * 3600;
  const std::chrono::year_month_day day = DayOf(local);
  const auto second_of_day =
      static_cast<unsigned>((local % kSecondsPerDay + kSecondsPerDay) % kSecondsPerDay);
  text_ = {'0', '0', '0', '0', '-', '0', '0', '-', '0', '0', 'T', '0', '0',
           ':', '0', '0', ':', '0', '0', '+', '0', '0', ':', '0', '0'};
  char* to = text_.data();
  Write(to, 4, static_cast<unsigned>(static_cast<int>(day.year())));
  Write(to + 5, 2, static_cast<unsigned>(day.month()));
  Write(to + 8, 2, static_cast<unsigned>(day.day()));
  Write(to + 11, 2, second_of_day / 3600);
  Write(to + 14, 2, second_of_day / 60 % 60);
  Write(to + 17, 2, second_of_day % 60);
  Write(to + 20, 2, hours_ahead);
}

}  // namespace load_testing
