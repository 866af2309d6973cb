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

std::uint64_t host_id() {
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

void require_memory(World& world, double nbytes, const std::string& purpose) {
  const auto hosts = world.gather(host_id());
  const auto neighbours = static_cast<double>(std::count(hosts.begin(), hosts.end(), host_id()));
  const auto share = static_cast<double>(dash::core::available_memory()) / neighbours;
  // The largest shortfall of all units, so that all units throw the same error.
  const double shortfall = world.max(nbytes - share);
  if (shortfall <= 0) return;
  throw UserError(fmt::format("{} needs {:.3g} GB on each unit, {:.3g} GB more than is available",
                              purpose, world.max(nbytes) / 1e9, shortfall / 1e9));
}

void require_shared_memory(World& world, double nbytes, const std::string& purpose) {
  struct statvfs filesystem {};
  if (::statvfs("/dev/shm", &filesystem) != 0) return;
  const double shortfall = world.sum(nbytes) - static_cast<double>(filesystem.f_bavail) *
                                                   static_cast<double>(filesystem.f_frsize);
  if (world.max(shortfall) <= 0) return;
  throw UserError(
      fmt::format("{} needs {:.3g} GB of shared memory, {:.3g} GB more than /dev/shm has", purpose,
                  world.sum(nbytes) / 1e9, world.max(shortfall) / 1e9));
}

}  // namespace kernels
