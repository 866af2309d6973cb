#pragma once

/// \file
/// A file by which units synchronize without calling the library.

#include <unistd.h>

#include <filesystem>
#include <string>

#include "dash/dart/if/dart.h"
#include "support/Catch.h"

namespace dash::test {

/// The path of a file that does not exist yet; equal on all units.
/// \collective over all units
inline std::filesystem::path agreed_file(const std::string& name) {
  const auto path_of = [&name](int pid) {
    return std::filesystem::temp_directory_path() / ("dash-" + name + "-" + std::to_string(pid));
  };
  int pid = ::getpid();
  std::filesystem::remove(path_of(pid));  // left by a killed process with the same id
  REQUIRE(dart_bcast(&pid, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL) == DART_OK);
  return path_of(pid);
}

}  // namespace dash::test
