#pragma once

/// \file
/// How units tell each other something without calling the library.

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>

#include "dash/dart/if/dart.h"

namespace dash::test {

/// A file that does not exist yet, whose name all units agree on.
/// \collective over all units
inline std::filesystem::path agreed_file(const std::string& what) {
  const auto path_of = [&what](int pid) {
    return std::filesystem::temp_directory_path() / ("dash-" + what + "-" + std::to_string(pid));
  };
  int pid = ::getpid();
  std::filesystem::remove(path_of(pid));  // of a process of the same id that was killed
  REQUIRE(dart_bcast(&pid, 1, DART_TYPE_INT, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL) == DART_OK);
  return path_of(pid);
}

}  // namespace dash::test
