// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal

#include <cstdint>
#include <limits>
#include <memory_resource>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include "dash/Allocator.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Shared.h"
#include "dash/internal/team/Collective.h"
#include "dash/memory/GlobLocalMemoryPool.h"
#include "dash/memory/GlobStaticMem.h"
#include "dash/memory/HBWSpace.h"
#include "dash/memory/MemorySpaceRegistry.h"
#include "dash/memory/SimpleMemoryPoolResource.h"
#include "support/Catch.h"
#include "support/Units.h"

using dash::test::me;

namespace {

using dash::GlobLocalMemoryPool;
using dash::GlobStaticMem;
using dash::HostSpace;

int units() {
  return static_cast<int>(dash::size());
}

/// A memory space that is empty on the last unit.
class Scarce final : public HostSpace {
 public:
  int in_use = 0;

 private:
  void* do_allocate(std::size_t nbytes, std::size_t alignment) override {
    if (me() == units() - 1) throw std::bad_alloc();
    ++in_use;
    return std::pmr::new_delete_resource()->allocate(nbytes, alignment);
  }
  void do_deallocate(void* p, std::size_t nbytes, std::size_t alignment) override {
    --in_use;
    std::pmr::new_delete_resource()->deallocate(p, nbytes, alignment);
  }
};

/// The pointers passed by all units.
std::vector<dart_gptr_t> gather_pointers(const dart_gptr_t& gptr) {
  std::vector<dart_gptr_t> all(dash::size());
  dash::internal::allgather_bytes(&gptr, all.data(), sizeof(gptr), dash::Team::All());
  return all;
}

}  // namespace

TEST_CASE("HostSpace, HBWSpace: resources for std::pmr") {
  auto* host =
      dash::get_default_memory_space<dash::memory_domain_local, dash::memory_space_host_tag>();
  auto* hbw =
      dash::get_default_memory_space<dash::memory_domain_local, dash::memory_space_hbw_tag>();
  static_assert(std::is_same_v<decltype(host), HostSpace*>);
  static_assert(std::is_same_v<decltype(hbw), dash::HBWSpace*>);
  CHECK_FALSE(dash::HBWSpace::check_hbw_available());
  const HostSpace other;
  CHECK(host->is_equal(other));
  CHECK_FALSE(host->is_equal(*hbw));
  for (std::pmr::memory_resource* space : {static_cast<std::pmr::memory_resource*>(host),
                                           static_cast<std::pmr::memory_resource*>(hbw)}) {
    std::pmr::vector<int> values({1, 2, 3}, space);
    values.resize(1000, 4);
    CHECK(values[999] == 4);
    void* aligned = space->allocate(100, 256);
    CHECK(reinterpret_cast<std::uintptr_t>(aligned) % 256 == 0);
    space->deallocate(aligned, 100, 256);
  }
  using Local = dash::memory_space_traits<HostSpace>;
  static_assert(Local::is_local::value && !Local::is_global::value);
  static_assert(std::is_same_v<Local::void_pointer, void*>);
  using Global = dash::memory_space_traits<GlobStaticMem<HostSpace>>;
  static_assert(Global::is_global::value && !Global::is_local::value);
  static_assert(std::is_same_v<Global::memory_space_layout_tag, dash::memory_space_contiguous>);
}

TEST_CASE("SimpleMemoryPoolResource: returns all memory, of any size") {
  // Sanitizers detect leaks and invalid deallocations.
  dash::SimpleMemoryPoolResource<HostSpace> pool;
  CHECK(pool.upstream_resource() ==
        dash::get_default_memory_space<dash::memory_domain_local, dash::memory_space_host_tag>());
  pool.reserve(10);
  {
    std::pmr::vector<std::pmr::vector<int>> values(&pool);
    for (int i = 0; i < 100; ++i)
      values.emplace_back(static_cast<std::size_t>(i), i);
    for (int i = 1; i < 100; ++i)
      CHECK(values[static_cast<std::size_t>(i)].back() == i);
  }
  auto* first = static_cast<int*>(pool.allocate(sizeof(int), alignof(int)));
  auto* second = static_cast<int*>(pool.allocate(sizeof(int), alignof(int)));
  CHECK(first != second);
  *first = 1;
  *second = 2;
  CHECK(*first == 1);
  pool.deallocate(first, sizeof(int), alignof(int));
  CHECK(pool.allocate(sizeof(int), alignof(int)) == first);
  static_cast<void>(pool.allocate(1000, 128));
  pool.release();
}

TEST_CASE(
    "GlobStaticMem: allocated with different sizes: has the right sizes, all parts are "
    "accessible") {
  GlobStaticMem<HostSpace> memory;
  CHECK(memory.get_allocator() != nullptr);
  const auto nbytes = static_cast<std::size_t>(me() + 1) * sizeof(int);
  auto begin = memory.allocate(nbytes, alignof(int));
  CHECK(begin == memory.begin());
  CHECK(memory.capacity() == sizeof(int) * dash::size() * (dash::size() + 1) / 2);
  for (int unit = 0; unit < units(); ++unit)
    CHECK(memory.capacity(dash::team_unit_t(unit)) ==
          static_cast<std::size_t>(unit + 1) * sizeof(int));
  dash::GlobPtr<int, GlobStaticMem<HostSpace>> values(begin);
  CHECK(memory.end() - memory.begin() == static_cast<std::ptrdiff_t>(memory.capacity()));
  auto own = dash::local_begin(values, dash::Team::All().myid());
  for (int i = 0; i <= me(); ++i)
    own[i] = 10 * me() + i;
  memory.barrier();
  int position = 0;
  for (int unit = 0; unit < units(); ++unit) {
    for (int i = 0; i <= unit; ++i, ++position)
      CHECK(values[position] == 10 * unit + i);
  }
  memory.barrier();
  memory.flush(begin);
  memory.flush_local(begin, dash::team_unit_t(0));
  memory.deallocate(begin, nbytes, alignof(int));
  CHECK(memory.capacity() == 0);
}

TEST_CASE("GlobLocalMemoryPool: memory allocated by each unit: accessible by the others") {
  GlobLocalMemoryPool<HostSpace> pool(64 * 1024);
  CHECK(pool.capacity() == 64 * 1024);
  CHECK(pool.size() == 0);
  auto small = pool.allocate(10 * sizeof(int), alignof(int));
  auto aligned = pool.allocate(1000, 1024);
  CHECK(pool.size() == 10 * sizeof(int) + 1000);
  CHECK(reinterpret_cast<std::uintptr_t>(aligned.local()) % 1024 == 0);
  dash::GlobPtr<int, GlobLocalMemoryPool<HostSpace>> values(small);
  CHECK(values.is_local());
  for (int i = 0; i < 10; ++i)
    values[i] = 100 * me() + i;
  pool.barrier();
  const auto all = gather_pointers(values.dart_gptr());
  for (int unit = 0; unit < units(); ++unit) {
    const dash::GlobPtr<int> theirs(all[static_cast<std::size_t>(unit)]);
    for (int i = 0; i < 10; ++i)
      CHECK(theirs[i] == 100 * unit + i);
  }
  pool.flush(small);
  pool.flush(small, dash::team_unit_t(units() - 1));
  pool.flush_local(small);
  pool.barrier();
  CHECK_THROWS_AS(pool.allocate(64 * 1024, 1), std::bad_alloc);
  pool.deallocate(small, 10 * sizeof(int));
  CHECK_THROWS_AS(pool.deallocate(small, 10 * sizeof(int)), dash::exception::InvalidArgument);
  CHECK(pool.size() == 1000);
  pool.release();
  CHECK(pool.size() == 0);
  auto whole = pool.allocate(64 * 1024, 1);
  GlobLocalMemoryPool<HostSpace> moved(std::move(pool));
  moved.deallocate(whole, 64 * 1024);

  GlobLocalMemoryPool<HostSpace> nothing;
  CHECK_THROWS_AS(nothing.allocate(1, 1), std::bad_alloc);
  GlobLocalMemoryPool<HostSpace> some(me() == 0 ? 0 : 1024);
  if (me() == 0) {
    CHECK_THROWS_AS(some.allocate(1, 1), std::bad_alloc);
  } else {
    CHECK(some.allocate(1024, 1));
  }
}

TEST_CASE("memalloc: pointers passed to other units: accessible by them") {
  auto values = dash::memalloc<double>(7);
  static_assert(std::is_same_v<decltype(values), dash::GlobMemAllocPtr<double>>);
  REQUIRE(values);
  for (int i = 0; i < 7; ++i)
    values[i] = me() + 0.5 * i;
  dash::barrier();
  const auto all = gather_pointers(values.dart_gptr());
  for (int unit = 0; unit < units(); ++unit) {
    const dash::GlobMemAllocPtr<double> theirs(all[static_cast<std::size_t>(unit)]);
    CHECK(theirs[6] == unit + 3.0);
  }
  dash::barrier();
  dash::memfree(values, 7);
  CHECK_THROWS_AS(dash::memfree(values, 7), dash::exception::InvalidArgument);

  auto* global =
      dash::get_default_memory_space<dash::memory_domain_global, dash::memory_space_host_tag>();
  auto bytes = global->allocate(100, 128);
  CHECK(reinterpret_cast<std::uintptr_t>(bytes.local()) % 128 == 0);
  global->deallocate(bytes, 100, 128);
}

TEST_CASE(
    "GlobalAllocator: one unit requests more elements than are addressable: an error on all "
    "units") {
  GlobStaticMem<HostSpace> memory;
  dash::GlobalAllocator<double, GlobStaticMem<HostSpace>> allocator(&memory);
  // The number of bytes would overflow to 8.
  constexpr std::size_t too_many = (std::numeric_limits<std::size_t>::max() / sizeof(double)) + 2;
  const bool last = me() + 1 == units();
  CHECK_THROWS_AS(allocator.allocate(last ? too_many : 1), dash::exception::RuntimeError);
  CHECK(memory.capacity() == 0);
  auto first = allocator.allocate(1);
  CHECK(memory.capacity() == sizeof(double) * dash::size());
  allocator.deallocate(first, 1);
}

TEST_CASE("allocate_unique: any allocator: returns the memory") {
  GlobStaticMem<HostSpace> memory;
  {
    using Allocator = dash::GlobalAllocator<int, GlobStaticMem<HostSpace>>;
    Allocator allocator(&memory);
    static_assert(std::is_same_v<dash::allocator_traits<Allocator>::pointer,
                                 dash::GlobPtr<int, GlobStaticMem<HostSpace>>>);
    auto values = dash::allocate_unique<int>(allocator, 5);
    REQUIRE(values.get());
    CHECK(memory.capacity() == 5 * sizeof(int) * dash::size());
    auto next = values.get() + 5 * ((me() + 1) % units());
    dash::GlobPtr<int, GlobStaticMem<HostSpace>> first(next);
    *first = me();
    memory.barrier();
    CHECK(*dash::local_begin(values.get(), dash::Team::All().myid()) ==
          (me() + units() - 1) % units());
    memory.barrier();
  }
  CHECK(memory.capacity() == 0);
  {
    using Allocator = dash::EpochSynchronizedAllocator<int>;
    auto values = dash::allocate_unique<int>(Allocator(), static_cast<std::size_t>(me() + 2));
    auto* own = dash::local_begin(values.get(), dash::Team::All().myid());
    REQUIRE(own != nullptr);
    own[me() + 1] = 100 + me();
    dash::barrier();
    const int other = (me() + 1) % units();
    auto theirs = values.get();
    theirs.set_unit(dash::team_unit_t(other));
    auto gptr = theirs.dart_gptr();
    gptr.addr_or_offs.offset += static_cast<std::uint64_t>(other + 1) * sizeof(int);
    CHECK(*dash::GlobPtr<int>(gptr) == 100 + other);
    dash::barrier();
  }
  auto native = dash::allocate_unique<int>(dash::allocator::DefaultAllocator<int>(), 3);
  native.get()[2] = 5;
  CHECK(native.get()[2] == 5);
}

TEST_CASE("EpochSynchronizedAllocator: attached and detached: keeps the native memory") {
  dash::EpochSynchronizedAllocator<int, HostSpace> allocator(dash::Team::All());
  int* own = allocator.allocate_local(4);
  own[3] = me();
  auto segment = allocator.attach(own, 4);
  dash::barrier();
  auto theirs = segment;
  theirs.set_unit(dash::team_unit_t((me() + 1) % units()));
  CHECK(theirs[3] == (me() + 1) % units());
  dash::barrier();
  allocator.detach(segment, 4);
  CHECK(own[3] == me());
  allocator.deallocate_local(own, 4);
}

TEST_CASE("EpochSynchronizedAllocator: one unit has not enough memory: an error on all units") {
  Scarce scarce;
  dash::EpochSynchronizedAllocator<int, Scarce> allocator(&scarce);
  CHECK_THROWS_AS(allocator.allocate(4), dash::exception::RuntimeError);
  CHECK(scarce.in_use == 0);
  dash::barrier();
}

TEST_CASE("MemorySpaceRegistry: finds what was entered for a segment") {
  auto& registry = dash::internal::MemorySpaceRegistry::GetInstance();
  GlobStaticMem<HostSpace> memory;
  const auto begin = memory.allocate(8);
  CHECK(registry.lookup(begin.dart_gptr()) == nullptr);
  CHECK(registry.add(begin.dart_gptr(), &memory));
  CHECK_FALSE(registry.add(begin.dart_gptr(), &registry));
  CHECK(registry.lookup((begin + 3).dart_gptr()) == &memory);
  registry.erase(begin.dart_gptr());
  CHECK(registry.lookup(begin.dart_gptr()) == nullptr);
  memory.deallocate();
}
