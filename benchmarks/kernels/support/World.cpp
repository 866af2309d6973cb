#include "support/World.h"

#include <dash/core/Memory.h>
#include <fmt/core.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>

#include "support/UserError.h"

namespace kernels {

std::uint64_t host_number() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  return std::hash<std::string_view>{}(name.data());
}

std::vector<std::uint64_t> World::gather(std::uint64_t value) {
  std::vector<std::uint64_t> all(static_cast<std::size_t>(units()));
  all[static_cast<std::size_t>(unit())] = value;
  reduce(all, Reduction::sum);
  return all;
}

void require_memory(World& world, double nbytes, const std::string& what) {
  const auto hosts = world.gather(host_number());
  const auto neighbours =
      static_cast<double>(std::count(hosts.begin(), hosts.end(), host_number()));
  const auto share = static_cast<double>(dash::core::available_memory()) / neighbours;
  // What lacks most decides, so that all units say the same.
  const double lack = world.max(nbytes - share);
  if (lack <= 0) return;
  throw UserError(fmt::format("{} needs {:.3g} GB on each unit, {:.3g} GB more than there is", what,
                              world.max(nbytes) / 1e9, lack / 1e9));
}

void require_shared_memory(World& world, double nbytes, const std::string& what) {
  struct statvfs room {};
  if (::statvfs("/dev/shm", &room) != 0) return;
  const double lack =
      world.sum(nbytes) - static_cast<double>(room.f_bavail) * static_cast<double>(room.f_frsize);
  if (world.max(lack) <= 0) return;
  throw UserError(
      fmt::format("{} needs {:.3g} GB of shared memory, {:.3g} GB more than /dev/shm has", what,
                  world.sum(nbytes) / 1e9, world.max(lack) / 1e9));
}

}  // namespace kernels
