#include "dash/core/NumaDomain.h"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "dash/core/Topology.h"

namespace dash::core {

std::vector<NumaDomain> numa_domains(const Topology& topology, const CpuSet& share) {
  std::vector<NumaDomain> domains;
  CpuSet known;
  for (const Processor& processor : topology.processors()) {
    if (!share.test(processor.os_index)) continue;
    known.set(processor.os_index);
    const int os_index = topology.numa_os_index(processor.numa);
    auto domain = std::find_if(domains.begin(), domains.end(), [os_index](const NumaDomain& each) {
      return each.os_index == os_index;
    });
    if (domain == domains.end()) domain = domains.insert(domain, NumaDomain{{}, os_index});
    domain->processors.set(processor.os_index);
  }
  if (domains.empty()) domains.emplace_back();
  for (const int cpu : share) {
    if (!known.test(cpu)) domains.front().processors.set(cpu);
  }
  return domains;
}

int numa_domain_of(const void* address) noexcept {
  // Without target nodes, move_pages(2) only reports the location. The C library has no wrapper.
  auto* page = const_cast<void*>(address);
  int status = -1;
  const long code = ::syscall(SYS_move_pages, 0, 1UL, &page, nullptr, &status, 0);
  return code == 0 && status >= 0 ? status : NumaDomain::unknown;
}

int this_processor() noexcept {
  return ::sched_getcpu();
}

}  // namespace dash::core
