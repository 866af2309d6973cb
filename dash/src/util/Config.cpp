#include "dash/util/Config.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <utility>

#include "dash/internal/Logging.h"
#include "dash/util/StaticConfig.h"

extern char** environ;

namespace dash::util {

namespace {

Config::map_type& values() {
  // Never destroyed: destructors of the application may read it.
  static auto& map = *new Config::map_type;
  return map;
}

bool is_one_of(std::string value, std::initializer_list<std::string_view> words) {
  std::transform(value.begin(), value.end(), value.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::find(words.begin(), words.end(), value) != words.end();
}

/// The number of bytes that a text such as "64K" denotes; no value if it is not a size.
std::optional<std::int64_t> bytes(const std::string& value) {
  char* end = nullptr;
  const double number = std::strtod(value.c_str(), &end);
  if (end == value.c_str()) return std::nullopt;
  std::string_view unit(end);
  if (unit.empty()) return std::llround(number);
  constexpr std::string_view prefixes = "KMG";
  const auto power =
      prefixes.find(static_cast<char>(std::toupper(static_cast<unsigned char>(unit.front()))));
  unit.remove_prefix(1);
  if (power == std::string_view::npos || (!unit.empty() && unit != "B" && unit != "b"))
    return std::nullopt;
  return std::llround(std::ldexp(number, 10 * (static_cast<int>(power) + 1)));
}

void set_build_flags() {
  const std::array<std::pair<const char*, bool>, 10> flags{{
      {"DASH_ENABLE_MPI_SHWIN", true},
      {"DASH_ENABLE_OPENMP", DashConfig.avail_openmp},
      {"DASH_ENABLE_PAPI", DashConfig.avail_papi},
      {"DASH_ENABLE_HWLOC", DashConfig.avail_hwloc},
      {"DASH_ENABLE_NUMA", DashConfig.avail_numa},
      {"DASH_ENABLE_MKL", DashConfig.avail_mkl},
      {"DASH_ENABLE_BLAS", DashConfig.avail_blas},
      {"DASH_ENABLE_LAPACK", DashConfig.avail_lapack},
      {"DASH_ENABLE_SCALAPACK", DashConfig.avail_scalapack},
      {"DASH_ENABLE_HDF5", DashConfig.avail_hdf5},
  }};
  for (const auto& [name, available] : flags)
    Config::set(name, available);
  Config::set("DART_MPI_IMPL", "mpich");
}

}  // namespace

void Config::init() {
  set_build_flags();
  constexpr std::array<std::pair<std::string_view, const char*>, 3> renamed{{
      {"MP_RDMA_MTU", "DASH_RDMA_MTU_SIZE"},
      {"MP_FIFO_MTU", "DASH_FIFO_MTU_SIZE"},
      {"MP_BULK_MIN_MSG_SIZE", "DASH_BULK_MIN_MSG_SIZE"},
  }};
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const auto assign = text.find('=');
    if (assign == std::string_view::npos) continue;
    const auto name = text.substr(0, assign);
    const std::string value(text.substr(assign + 1));
    if (name.substr(0, 5) == "DASH_") set(std::string(name), value);
    for (const auto& [old_name, new_name] : renamed) {
      if (name == old_name) set(new_name, value);
    }
  }
}

void Config::set(const std::string& key, const std::string& value) {
  values()[key] = value;
  // The interpretations of the previous value are no longer valid.
  values().erase(key + "_BOOL");
  values().erase(key + "_BYTES");
  if (is_one_of(value, {"true", "yes", "t", "y", "on"})) values()[key + "_BOOL"] = "1";
  if (is_one_of(value, {"false", "no", "f", "n", "off"})) values()[key + "_BOOL"] = "0";
  if (key.size() > 5 && key.compare(key.size() - 5, 5, "_SIZE") == 0) {
    if (const auto nbytes = bytes(value)) values()[key + "_BYTES"] = std::to_string(*nbytes);
  }
  if (key == "DASH_ENABLE_LOGGING" || key == "DASH_ENABLE_LOGGING_BOOL") {
    if (is_true(key)) {
      dash::internal::logging::enable_log();
    } else {
      dash::internal::logging::disable_log();
    }
  }
}

bool Config::is_set(const std::string& key) {
  return values().count(key) != 0;
}

Config::iterator Config::begin() {
  return values().begin();
}

Config::iterator Config::end() {
  return values().end();
}

bool Config::is_true(const std::string& key) {
  return text(key) == "1" || text(key + "_BOOL") == "1";
}

std::int64_t Config::integer(const std::string& key) {
  return std::strtoll(text(key).c_str(), nullptr, 10);
}

double Config::number(const std::string& key) {
  return std::stod(text(key));
}

std::string Config::text(const std::string& key) {
  const auto found = values().find(key);
  return found == values().end() ? std::string() : found->second;
}

}  // namespace dash::util
