// dash-test: serial
#include "dash/core/Topology.h"

#include <unistd.h>

#include <array>
#include <set>
#include <thread>
#include <utility>

#include "dash/Exception.h"
#include "support/Catch.h"

using namespace dash::core;

TEST_CASE("A synthetic machine has the parts of its description") {
  const Topology machine = Topology::from_synthetic("package:2 numa:4 core:8 pu:2");
  CHECK(machine.num_packages() == 2);
  CHECK(machine.num_numa() == 8);
  CHECK(machine.num_cores() == 64);
  CHECK(machine.num_pus() == 128);
  CHECK(machine.allowed() == CpuSet::range(0, 128));
  REQUIRE(machine.processors().size() == 128);
  for (int i = 0; i < 128; ++i) {
    const Processor& processor = machine.processors()[static_cast<std::size_t>(i)];
    REQUIRE(processor.os_index == i);
    REQUIRE(processor.core == i / 2);
    REQUIRE(processor.numa == i / 16);
    REQUIRE(processor.package == i / 64);
  }
}

TEST_CASE("A synthetic machine has the caches of its description") {
  const Topology machine =
      Topology::from_synthetic("package:1 l3:2(size=33554432) l2:4(size=1048576) core:1 pu:1");
  CHECK(machine.cache_size(3) == 33554432);
  CHECK(machine.cache_size(2) == 1048576);
  CHECK(machine.cache_size(1) == 0);
  CHECK(machine.cache_size(0) == 0);
  CHECK(machine.cache_size(-1) == 0);
  CHECK(machine.cache_size(9) == 0);
}

TEST_CASE("Each processor of a synthetic machine has its caches") {
  const Topology machine = Topology::from_synthetic(
      "package:2 l3:1(size=8388608) l2:2(size=1048576) core:2 l1d:1(size=32768) pu:2");
  for (int i = 0; i < machine.num_pus(); ++i) {
    const Processor& processor = machine.processors()[static_cast<std::size_t>(i)];
    REQUIRE(processor.caches == std::array{i / 2, i / 4, i / 8, -1, -1});
  }
  CHECK(machine.cache(1, 7).nbytes == 32768);
  CHECK(machine.cache(2, 3).nbytes == 1048576);
  CHECK(machine.cache(3, 1).nbytes == 8388608);
  for (const auto& [level, index] : {std::pair{3, 2}, {4, 0}, {0, 0}, {-1, 0}, {6, 0}, {1, -1}})
    CHECK(machine.cache(level, index).nbytes == 0);
}

TEST_CASE("A synthetic machine has the memory of its description, and is not this one") {
  const Topology machine = Topology::from_synthetic("numa:3(memory=1073741824) core:2 pu:1");
  CHECK(machine.numa_memory_bytes(0) == 1073741824);
  CHECK(machine.numa_memory_bytes(2) == 1073741824);
  CHECK(machine.numa_memory_bytes(3) == 0);
  CHECK(machine.numa_memory_bytes(-1) == 0);
  CHECK(machine.memory_bytes() == 3 * std::size_t{1073741824});
  CHECK_FALSE(machine.is_this_machine());
  CHECK(machine.all_processors() == CpuSet::range(0, 6));
}

TEST_CASE("Processors have the system's numbers and are in topology order") {
  const Topology machine = Topology::from_synthetic("numa:2 core:2 pu:2(indexes=0,4,1,5,2,6,3,7)");
  CHECK(machine.all_processors() == CpuSet::range(0, 8));
  CHECK(machine.processors()[1].os_index == 4);
  CHECK(machine.processors()[1].core == 0);
  CHECK(machine.processors()[7].os_index == 7);
  CHECK(machine.processors()[7].numa == 1);
}

TEST_CASE("A machine without cores, packages or NUMA domains has one of each") {
  const Topology machine = Topology::from_synthetic("pu:3");
  CHECK(machine.num_pus() == 3);
  CHECK(machine.num_cores() == 3);
  CHECK(machine.num_numa() == 1);
  CHECK(machine.num_packages() == 1);
  for (int i = 0; i < 3; ++i) {
    CHECK(machine.processors()[static_cast<std::size_t>(i)].core == i);
    CHECK(machine.processors()[static_cast<std::size_t>(i)].numa == 0);
    CHECK(machine.processors()[static_cast<std::size_t>(i)].package == 0);
  }
}

TEST_CASE("An invalid description is rejected") {
  dash::internal::logging::disable_log();
  CHECK_THROWS_AS(Topology::from_synthetic("ten cores"), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(Topology::from_synthetic(""), dash::exception::InvalidArgument);
  dash::internal::logging::enable_log();
}

TEST_CASE("The topology of this machine can be loaded") {
  const Topology machine = Topology::load();
  CHECK(machine.num_pus() >= 1);
  CHECK(machine.num_cores() >= 1);
  CHECK(machine.num_cores() <= machine.num_pus());
  CHECK(machine.num_numa() >= 1);
  CHECK(machine.num_packages() >= 1);
  CHECK(machine.memory_bytes() > 1'000'000);
  CHECK(machine.cache_line_bytes() >= 16);
  CHECK_FALSE(machine.hostname().empty());
  CHECK_FALSE(machine.machine_id().empty());
  CHECK(machine.machine_id() == Topology::load().machine_id());
  CHECK(machine.allowed() == this_thread_affinity());
  CHECK(machine.is_this_machine());
  CHECK((machine.allowed() & machine.all_processors()) == machine.allowed());
  std::set<int> distinct;
  for (const Processor& processor : machine.processors()) {
    distinct.insert(processor.os_index);
  }
  CHECK(distinct.size() == machine.processors().size());
}

TEST_CASE("A loaded topology reflects the binding of the thread") {
  const CpuSet all = this_thread_affinity();
  REQUIRE_FALSE(all.empty());
  std::thread bound([&] {
    for (const int cpu : all) {
      CpuSet one;
      one.set(cpu);
      bind_this_thread(one);
      CHECK(this_thread_affinity() == one);
      CHECK(Topology::load().allowed() == one);
      CHECK(Topology::load().num_pus() >= all.count());
    }
    bind_this_thread(all);
    CHECK(this_thread_affinity() == all);
  });
  bound.join();
  CHECK(this_thread_affinity() == all);
}

TEST_CASE("Binding to no processor or to processors that do not exist is rejected") {
  dash::internal::logging::disable_log();
  const CpuSet before = this_thread_affinity();
  CHECK_THROWS_AS(bind_this_thread(CpuSet{}), dash::exception::InvalidArgument);
  if (sysconf(_SC_NPROCESSORS_CONF) < CpuSet::capacity) {
    CpuSet missing;
    missing.set(CpuSet::capacity - 1);
    CHECK_THROWS_AS(bind_this_thread(missing), dash::exception::RuntimeError);
  }
  CHECK(this_thread_affinity() == before);
  dash::internal::logging::enable_log();
}
