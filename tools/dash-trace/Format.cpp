#include "Format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace dash::trace {

namespace {

/// Three digits, of a value below 1000.
std::string three_digits(double value) {
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", value, decimals);
}

}  // namespace

std::string format_time(Time time) {
  const auto ns = static_cast<double>(time);
  const double size = std::abs(ns);
  const char* const sign = ns < 0 ? "-" : "";
  if (size < 999.5) return fmt::format("{} ns", time);
  if (size < 999.5e3) return fmt::format("{}{} us", sign, three_digits(size / 1e3));
  if (size < 999.5e6) return fmt::format("{}{} ms", sign, three_digits(size / 1e6));
  return fmt::format("{}{} s", sign, three_digits(size / 1e9));
}

std::string format_timestamp(Time time) {
  return fmt::format("{:.3f} ms", static_cast<double>(time) / 1e6);
}

std::string format_bytes(std::uint64_t nbytes) {
  if (nbytes == 0) return "-";
  if (nbytes < 1024) return fmt::format("{} B", nbytes);
  constexpr std::array<const char*, 6> units{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double value = static_cast<double>(nbytes) / 1024;
  std::size_t unit = 0;
  while (value >= 999.5 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{} {}", three_digits(value), units[unit]);
}

std::string format_share(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", 100 * *share) : "-";
}

std::string format_count(std::uint64_t count) {
  std::string text = std::to_string(count);
  for (std::size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, 1, ',');
  return text;
}

std::string format_count(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", format_count(count), noun, count == 1 ? "" : "s");
}

}  // namespace dash::trace
