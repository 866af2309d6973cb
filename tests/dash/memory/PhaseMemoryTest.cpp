// dash-test: parallel units=2,3,4 layouts=node,nolocal env=DART_HEAP_SIZE:64M

#include <cstddef>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Tasks.h"
#include "dash/memory/GlobLocalMemoryPool.h"
#include "support/Catch.h"

namespace tasks = dash::tasks;

namespace {

/// Allocates all memory that is available to the unit.
std::vector<dash::GlobMemAllocPtr<char>> all_memory() {
  std::vector<dash::GlobMemAllocPtr<char>> taken;
  for (std::size_t nbytes = std::size_t{1} << 30; nbytes != 0;) {
    const auto memory = dash::memalloc<char>(nbytes);
    if (memory) {
      taken.push_back(memory);
    } else {
      nbytes /= 2;
    }
  }
  return taken;
}

}  // namespace

TEST_CASE(
    "a unit has no memory at the end of a phase: an error on all units, the phase continues") {
  const bool is_first = dash::myid().id == 0;
  dash::Array<int> array(dash::size());
  array.local[0] = 0;
  dash::barrier();
  if (is_first) tasks::async([&array] { array[1] = 7; }, tasks::out(array[1]));
  std::vector<dash::GlobMemAllocPtr<char>> taken;
  if (is_first) taken = all_memory();
  const std::size_t phase = tasks::current_phase();
  CHECK_THROWS_AS(tasks::phase(), dash::exception::RuntimeError);
  CHECK(tasks::current_phase() == phase);
  for (const auto& memory : taken)
    dash::memfree(memory, 0);
  if (dash::myid().id == 1) tasks::async([&array] { ++array.local[0]; }, tasks::inout(array[1]));
  tasks::wait();
  CHECK(array[1] == 8);
  dash::barrier();
}
