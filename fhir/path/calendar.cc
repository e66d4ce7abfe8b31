#include "fhir/path/calendar.h"

#include <chrono>

namespace fhir::path {

int DaysInMonth(int year, int month) {
  const std::chrono::month_day_last end(std::chrono::month(static_cast<unsigned>(month)));
  const std::chrono::year_month_day_last date(std::chrono::year(year), end);
  return static_cast<int>(static_cast<unsigned>(date.day()));
}

std::int64_t DayNumber(const Temporal& value) {
  const std::chrono::year_month_day date(
      std::chrono::year(value.year), std::chrono::month(value.month), std::chrono::day(value.day));
  return std::chrono::sys_days(date).time_since_epoch().count();
}

bool SetDay(Temporal* value, std::int64_t day_number) {
  // 0001-01-01 and 9999-12-31.
  if (day_number < -719'162 || day_number > 2'932'896) return false;
  const std::chrono::year_month_day date{
      std::chrono::sys_days(std::chrono::days(static_cast<int>(day_number)))};
  value->year = static_cast<std::int16_t>(static_cast<int>(date.year()));
  value->month = static_cast<std::uint8_t>(static_cast<unsigned>(date.month()));
  value->day = static_cast<std::uint8_t>(static_cast<unsigned>(date.day()));
  return true;
}

std::int64_t LocalSeconds(const Temporal& value) {
  return DayNumber(value) * kDaySeconds + (value.hour * 60LL + value.minute) * 60 + value.second;
}

bool SetLocalSeconds(Temporal* value, std::int64_t seconds) {
  std::int64_t day = seconds / kDaySeconds;
  std::int64_t second = seconds % kDaySeconds;
  if (second < 0) {
    second += kDaySeconds;
    --day;
  }
  value->hour = static_cast<std::uint8_t>(second / 3600);
  value->minute = static_cast<std::uint8_t>(second / 60 % 60);
  value->second = static_cast<std::uint8_t>(second % 60);
  return value->kind == TemporalKind::kTime || SetDay(value, day);
}

}  // namespace fhir::path
