#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "Intervals.h"

namespace dash::trace {

/// "812 ns", "3.14 us", "27.2 ms", "1.23 s": three digits.
std::string time_in_words(Time time);
/// "12.345 ms": a point in time, which may be far from 0.
std::string moment_in_words(Time time);
/// "8 B", "64.0 KiB", "16.0 MiB"; a dash for none.
std::string bytes_in_words(std::uint64_t nbytes);
/// "83.2 %"; a dash if there is none.
std::string share_in_words(const std::optional<double>& share);
/// "1,234,567"
std::string count_in_words(std::uint64_t count);
/// "1 unit", "2 units"
std::string plural(std::uint64_t count, const char* noun);

}  // namespace dash::trace
