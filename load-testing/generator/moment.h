// load-testing/generator/moment.h
//
// Points in time as the data writes them: to the second, in Central European
// time, by months rather than by the day on which summer time begins.
//
// Thread-safety: free functions on values.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace load_testing {

using UnixSeconds = std::int64_t;

inline constexpr UnixSeconds kSecondsPerMinute = 60;
inline constexpr UnixSeconds kSecondsPerDay = 86400;

// When the data ends: 2021-07-10.
inline constexpr UnixSeconds kDataEnd = 18818 * kSecondsPerDay;

// "2010-09-16T12:21:06+02:00"; also its day, and its instant with milliseconds.
class Moment {
 public:
  explicit Moment(UnixSeconds at);

  UnixSeconds At() const { return at_; }
  std::string_view Text() const { return {text_.data(), text_.size()}; }
  std::string_view Day() const { return Text().substr(0, 10); }
  std::string_view ToTheSecond() const { return Text().substr(0, 19); }
  std::string_view Zone() const { return Text().substr(19); }

 private:
  UnixSeconds at_;
  std::array<char, 25> text_;
};

}  // namespace load_testing
