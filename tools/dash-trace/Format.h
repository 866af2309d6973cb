#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "Intervals.h"

namespace dash::trace {

/// A duration with three digits: "812 ns", "3.14 us", "27.2 ms", "1.23 s".
std::string format_time(Time time);
/// A point in time, in milliseconds: "12.345 ms".
std::string format_timestamp(Time time);
/// "8 B", "64.0 KiB", "16.0 MiB"; "-" for 0.
std::string format_bytes(std::uint64_t nbytes);
/// A fraction of 1 as "83.2 %"; "-" if there is none.
std::string format_share(const std::optional<double>& share);
/// "1,234,567"
std::string format_count(std::uint64_t count);
/// A count and a noun: "1 unit", "2 units".
std::string format_count(std::uint64_t count, const char* noun);

}  // namespace dash::trace
