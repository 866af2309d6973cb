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
  text.resize(17, ' ');
  return text + value + "\n";
}

std::string mebibytes(unsigned long long nbytes) {
  return std::to_string(nbytes >> 20) + " MiB";
}

std::string limit(int resource) {
  rlimit value{};
  if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &value) != 0) return "unknown";
  if (value.rlim_cur == RLIM_INFINITY) return "unlimited";
  const char* const hint = value.rlim_max == RLIM_INFINITY ? ", may be increased" : "";
  return mebibytes(value.rlim_cur) + hint;
}

std::string free_shared_memory() {
  struct statvfs status {};
  if (::statvfs("/dev/shm", &status) != 0) return "missing";
  return mebibytes(static_cast<unsigned long long>(status.f_bavail) * status.f_frsize) + " free";
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
    for (const std::string_view name :
         {"UCX_TLS=", "UCX_NET_DEVICES=", "FI_PROVIDER=", "OMPI_MCA_pml=", "OMPI_MCA_btl=",
          "MPIR_CVAR_NOLOCAL=", "MPIR_CVAR_ODD_EVEN_CLIQUES=", "MPIR_CVAR_NUM_CLIQUES="}) {
      if (std::string_view(*entry).starts_with(name))
        text += (text.empty() ? "" : " ") + std::string(*entry);
    }
  }
  return text.empty() ? "no variable is set" : text;
}

}  // namespace

std::string system_limits() {
  const std::string folder = "/sys/kernel/mm/transparent_hugepage/";
  return line("locked memory", limit(RLIMIT_MEMLOCK)) + line("address space", limit(RLIMIT_AS)) +
         line("/dev/shm", free_shared_memory()) +
         line("huge pages", choice_in((folder + "enabled").c_str()) + "; shared memory: " +
                                choice_in((folder + "shmem_enabled").c_str())) +
         line("network", network_variables());
}

}  // namespace dash::tools
