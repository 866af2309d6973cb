#include "Conditions.h"

#include <dlfcn.h>
#include <fmt/core.h>
#include <mpi.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <array>
#include <ctime>
#include <sstream>
#include <string>
#include <string_view>

#include "dash/core/Settings.h"
#include "dash/core/Topology.h"
#include "dash/core/Tuning.h"
#include "dash/dart/MpiLibrary.h"
#include "support/Machine.h"
#include "support/Process.h"

extern char** environ;

namespace dash::bench {

namespace {

using Json = nlohmann::ordered_json;

/// The version and the device of the MPI library, as "MPICH Version: 4.0.2, MPICH Device: ch4:ucx".
std::string mpi_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> text{};
  int length = 0;
  MPI_Get_library_version(text.data(), &length);
  std::istringstream lines(text.data());  // the length of Open MPI counts the terminating null
  std::string result;
  for (std::string line; std::getline(lines, line);) {
    if (!result.empty() && line.find("Device") == std::string::npos) continue;
    std::istringstream words(line);
    result += result.empty() ? "" : ",";
    for (std::string word; words >> word;)
      result += (result.empty() ? "" : " ") + word;
  }
  return result;
}

/// The version of UCX, if the MPI library uses it.
std::string ucx_version() {
  using VersionText = const char* (*)();
  const auto version_text =
      reinterpret_cast<VersionText>(::dlsym(RTLD_DEFAULT, "ucp_get_version_string"));
  return version_text == nullptr ? "none" : version_text();
}

std::string first_line(std::string text) {
  return text.substr(0, text.find('\n'));
}

/// The commit of the sources; null if they are not a git repository.
Json commit() {
  const auto git = [](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", DASH_BENCH_SOURCES});
    return run({words});
  };
  const ProcessResult commit = git({"rev-parse", "HEAD"});
  if (commit.code != 0) return nullptr;
  const ProcessResult changes = git({"status", "--porcelain"});
  return {{"id", first_line(commit.output)}, {"modified", !changes.output.empty()}};
}

Json machine() {
  utsname system{};
  ::uname(&system);
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return {{"processor", processor_name()},
          {"processors", core::this_thread_affinity().count()},
          {"memory_gib", memory / (1 << 30)},
          {"system", fmt::format("{} {}", system.sysname, system.release)},
          {"load", load_average()}};
}

Json settings_in_environment() {
  Json settings = Json::object();
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view text = *each;
    for (const std::string_view prefix :
         {"DART_", "DASH_", "MPIR_CVAR_", "UCX_", "HYDRA_", "OMP_"}) {
      if (!text.starts_with(prefix)) continue;
      const std::size_t equals = text.find('=');
      settings[std::string(text.substr(0, equals))] = text.substr(equals + 1);
    }
  }
  return settings;
}

/// The settings that programs of the library read from the same environment and tuning file. A program may
/// choose its progress mode if neither sets it.
Json settings_of_library() {
  core::load_settings(core::tuned_machine(dart::mpi_library()));
  Json settings = Json::object();
  for (const core::CurrentSetting& each : core::current_settings())
    settings[each.name] = {{"value", each.value}, {"source", each.source}};
  return settings;
}

}  // namespace

Json conditions() {
  return {{"machine", machine()},
          {"versions",
           {{"dash", DASH_BENCH_VERSION},
            {"commit", commit()},
            {"build", DASH_BENCH_BUILD},
            {"flags", DASH_BENCH_FLAGS},
            {"compiler", DASH_BENCH_COMPILER},
            {"mpi", mpi_version()},
            {"ucx", ucx_version()}}},
          {"settings", settings_in_environment()},
          {"library_settings", settings_of_library()}};
}

std::string now_as_text() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

}  // namespace dash::bench
