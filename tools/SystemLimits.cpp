#include "SystemLimits.h"

#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string_view>

namespace dash::tools {

namespace {

std::string line(const char* name, const std::string& value) {
  std::string text = name;
  text.resize(19, ' ');
  return text + value + "\n";
}

std::string format_size(std::uint64_t nbytes) {
  if (nbytes >> 20 == 0) return std::to_string(nbytes >> 10) + " KiB";
  return std::to_string(nbytes >> 20) + " MiB";
}

rlimit limit_of(int resource) {
  rlimit value{};
  ::getrlimit(static_cast<__rlimit_resource_t>(resource),
              &value);  // fails for wrong arguments only
  return value;
}

std::string format_limit(std::uint64_t soft, std::uint64_t hard) {
  if (soft == ProcessLimits::unlimited) return "unlimited";
  return format_size(soft) + (hard == ProcessLimits::unlimited ? ", may be increased" : "");
}

std::uint64_t free_shared_memory() {
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0) return 0;
  return std::uint64_t{status.f_bavail} * status.f_frsize;
}

/// The choice in brackets of a file such as "always [madvise] never".
std::string choice_in(const char* file) {
  std::ifstream stream(file);
  std::string text;
  std::getline(stream, text);
  const std::size_t begin = text.find('[');
  const std::size_t end = text.find(']');
  if (begin == std::string::npos || end == std::string::npos) return "unknown";
  return text.substr(begin + 1, end - begin - 1);
}

std::string network_variables() {
  std::string text;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    for (const std::string_view prefix :
         {"UCX_", "FI_", "OMPI_MCA_pml", "OMPI_MCA_btl", "OMPI_MCA_osc", "OMPI_MCA_mtl",
          "MPIR_CVAR_CH4_",
          "MPIR_CVAR_NOLOCAL=", "MPIR_CVAR_ODD_EVEN_CLIQUES=", "MPIR_CVAR_NUM_CLIQUES="}) {
      if (std::string_view(*entry).starts_with(prefix))
        text += (text.empty() ? "" : " ") + std::string(*entry);
    }
  }
  return text.empty() ? "no variable is set" : text;
}

}  // namespace

ProcessLimits process_limits() {
  static_assert(RLIM_INFINITY == ProcessLimits::unlimited);
  const rlimit locked = limit_of(RLIMIT_MEMLOCK);
  return {locked.rlim_cur, locked.rlim_max, free_shared_memory()};
}

std::string system_limits(const ProcessLimits& limits) {
  const std::string folder = "/sys/kernel/mm/transparent_hugepage/";
  const rlimit addresses = limit_of(RLIMIT_AS);
  const std::string shared = limits.free_shared_memory == 0
                                 ? "missing or full"
                                 : format_size(limits.free_shared_memory) + " free";
  return line("locked memory", format_limit(limits.locked_memory, limits.locked_memory_hard)) +
         line("address space", format_limit(addresses.rlim_cur, addresses.rlim_max)) +
         line("/dev/shm", shared) +
         line("huge pages", choice_in((folder + "enabled").c_str()) + "; shared memory: " +
                                choice_in((folder + "shmem_enabled").c_str())) +
         line("network variables", network_variables());
}

}  // namespace dash::tools
