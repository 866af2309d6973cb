// Prints what the library sees of this machine, and every setting with its value.

#include <cstdio>
#include <exception>

#include "dash/core/Memory.h"
#include "dash/core/Settings.h"
#include "dash/core/Topology.h"

namespace {

constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;

void print_machine() {
  const auto topology = dash::core::Topology::load();
  std::printf("dash %s\n\n", DASH_VERSION_TEXT);
  std::printf("host        %s\n", topology.hostname().c_str());
  std::printf("packages    %d\n", topology.num_packages());
  std::printf("NUMA        %d\n", topology.num_numa());
  std::printf("cores       %d\n", topology.num_cores());
  std::printf("processors  %d, this process may use %s\n", topology.num_pus(),
              topology.allowed().to_string().c_str());
  for (int level = 1; topology.cache_size(level) != 0; ++level) {
    std::printf("cache L%d    %zu KiB\n", level, topology.cache_size(level) / 1024);
  }
  std::printf("cache line  %zu B\n", topology.cache_line_bytes());
  std::printf("memory      %.1f GiB, %.1f GiB of it available\n",
              static_cast<double>(topology.memory_bytes()) / bytes_per_gib,
              static_cast<double>(dash::core::available_memory()) / bytes_per_gib);
}

}  // namespace

int main() {
  try {
    dash::core::load_settings();
    print_machine();
    std::printf("\nSettings (environment variables)\n\n%s", dash::core::settings_table().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-info: %s\n", error.what());
    return 1;
  }
}
