// dash-test: serial

#include "dash/core/NumaDomain.h"

#include <vector>

#include "dash/core/Topology.h"
#include "support/Catch.h"

using dash::core::CpuSet;
using dash::core::NumaDomain;
using dash::core::Topology;

TEST_CASE("The domains of a share are those of its processors", "[NumaDomain]") {
  const Topology topology = Topology::from_synthetic("package:2 numa:2 core:4 pu:1");
  const auto all = numa_domains(topology, topology.all_processors());
  REQUIRE(all.size() == 4);
  CpuSet together;
  for (const NumaDomain& domain : all) {
    CHECK(domain.processors.count() == 4);
    together = together | domain.processors;
  }
  CHECK(together == topology.all_processors());

  const auto middle = numa_domains(topology, CpuSet::range(6, 10));
  REQUIRE(middle.size() == 2);
  CHECK(middle[0].processors == CpuSet::range(6, 8));
  CHECK(middle[1].processors == CpuSet::range(8, 10));
  CHECK(middle[0].os_index == topology.numa_os_index(1));
  CHECK(middle[1].os_index == topology.numa_os_index(2));
  CHECK(middle[0].os_index != middle[1].os_index);
}

TEST_CASE("Processors that the topology does not contain belong to the first domain",
          "[NumaDomain]") {
  const Topology topology = Topology::from_synthetic("numa:2 core:2 pu:1");
  CpuSet share = CpuSet::range(0, 4);
  share.set(77);
  const auto domains = numa_domains(topology, share);
  REQUIRE(domains.size() == 2);
  CHECK(domains[0].processors.test(77));
  CpuSet unknown;
  unknown.set(99);
  const auto one = numa_domains(topology, unknown);
  REQUIRE(one.size() == 1);
  CHECK(one[0].processors == unknown);
  CHECK(one[0].os_index == NumaDomain::unknown);
}

TEST_CASE("An unknown domain has no number", "[NumaDomain]") {
  const Topology topology = Topology::from_synthetic("numa:2 core:2 pu:1");
  CHECK(topology.numa_os_index(-1) == -1);
  CHECK(topology.numa_os_index(2) == -1);
}

TEST_CASE("A touched page is in a domain of the machine, unless the system does not report it",
          "[NumaDomain]") {
  const Topology topology = Topology::load();
  const std::vector<char> touched(100'000, 1);
  const int domain = dash::core::numa_domain_of(touched.data() + 50'000);
  bool known = domain == NumaDomain::unknown;
  for (int numa = 0; numa < topology.num_numa(); ++numa)
    known = known || topology.numa_os_index(numa) == domain;
  CHECK(known);
  CHECK(dash::core::numa_domain_of(nullptr) == NumaDomain::unknown);
}

TEST_CASE("The caller runs on one of its processors", "[NumaDomain]") {
  CpuSet one;
  const CpuSet before = dash::core::this_thread_affinity();
  one.set(*before.begin());
  dash::core::bind_this_thread(one);
  const int processor = dash::core::this_processor();
  dash::core::bind_this_thread(before);
  CHECK((processor == *one.begin() || processor == -1));
}
