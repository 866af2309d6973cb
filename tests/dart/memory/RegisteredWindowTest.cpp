// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll link=objects

#include <mpi.h>

#include <memory>
#include <numeric>
#include <vector>

#include "dart/support/Fixture.h"
#include "dart/support/TestedRuntime.h"
#include "dash/dart/Access.h"
#include "memory/RegisteredWindow.h"
#include "support/Catch.h"

namespace dart = dash::dart;
using dash::test::barrier;
using dash::test::Bytes;
using dash::test::my_id;
using dash::test::num_units;

namespace {

/// Memory of the application as a segment, registered without the agreement on an id.
class Registered {
 public:
  Registered(void* memory, std::size_t nbytes) : _slots(static_cast<std::size_t>(num_units()), -1) {
    dart::Runtime& runtime = dash::test::tested_runtime();
    barrier();
    _window = std::make_unique<dart::RegisteredWindow>(runtime.driver(), runtime.session().world(),
                                                       memory, nbytes, runtime.all().units());
    _slots[static_cast<std::size_t>(my_id())] = 0;  // memory of other units is not mapped
    dart::Segment& segment = dart::segment_table[id];
    segment.base = static_cast<char*>(memory);
    segment.slots = _slots.data();
    segment.units = runtime.all().units();
    segment.nbytes = nbytes;
    segment.nunits = num_units();
    segment.teamid = DART_TEAM_ALL;
    segment.window = _window.get();
    barrier();
  }
  ~Registered() {
    barrier();
    dart::segment_table[id] = dart::Segment{};
  }
  Registered(const Registered&) = delete;
  Registered& operator=(const Registered&) = delete;

  static dart_gptr_t at(int unit, std::uint64_t offset = 0) {
    dart_gptr_t gptr = DART_GPTR_NULL;
    gptr.unitid = unit;
    gptr.segid = id;
    gptr.teamid = DART_TEAM_ALL;
    gptr.addr_or_offs.offset = offset;
    return gptr;
  }

 private:
  static constexpr std::int16_t id = 30'000;
  std::vector<std::int32_t> _slots;
  std::unique_ptr<dart::RegisteredWindow> _window;
};

void use(long* memory, std::size_t count) {
  const int neighbour = (my_id() + 1) % num_units();
  const int from = (my_id() + num_units() - 1) % num_units();
  std::fill(memory, memory + count, -1);
  const Registered segment(memory, count * sizeof(long));
  const auto at = [&](std::size_t i) { return Registered::at(neighbour, i * sizeof(long)); };

  std::vector<long> values(count);
  std::iota(values.begin(), values.end(), 1000L * my_id());
  const std::size_t half = count / 2;
  REQUIRE(dart_put_blocking(at(0), values.data(), 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  REQUIRE(dart_put(at(1), &values[1], half - 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  dart_handle_t handle;
  REQUIRE(dart_put_handle(at(half), &values[half], count - half, DART_TYPE_LONG, DART_TYPE_LONG,
                          &handle) == DART_OK);
  REQUIRE(dart_flush(at(0)) == DART_OK);
  REQUIRE(dart_wait(&handle) == DART_OK);
  barrier();
  for (std::size_t i = 0; i < count; ++i)
    REQUIRE(memory[i] == 1000L * from + static_cast<long>(i));
  std::vector<long> back(count);
  REQUIRE(dart_get_blocking(back.data(), at(0), count, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
  REQUIRE(back == values);

  // Every second element, to contiguous elements.
  dart_datatype_t strided;
  REQUIRE(dart_type_create_strided(DART_TYPE_LONG, 2, 1, &strided) == DART_OK);
  REQUIRE(dart_get_blocking(back.data(), at(0), half, strided, DART_TYPE_LONG) == DART_OK);
  for (std::size_t i = 0; i < half; ++i)
    REQUIRE(back[i] == values[2 * i]);
  barrier();
  REQUIRE(dart_put_blocking(at(0), std::vector<long>(half, -7).data(), half, DART_TYPE_LONG,
                            strided) == DART_OK);
  REQUIRE(dart_type_destroy(&strided) == DART_OK);
  barrier();
  for (std::size_t i = 0; i < 2 * half; ++i)
    REQUIRE(memory[i] == (i % 2 == 0 ? -7 : 1000L * from + static_cast<long>(i)));
  barrier();

  // All units, including the owner, access one word.
  if (my_id() == 0) memory[0] = 0;
  barrier();
  const long one = 1;
  long old = 0;
  for (int i = 0; i < 50; ++i) {
    REQUIRE(dart_fetch_and_op(Registered::at(0), &one, &old, DART_TYPE_LONG, DART_OP_SUM) ==
            DART_OK);
    REQUIRE(dart_accumulate(Registered::at(0), &one, 1, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  }
  REQUIRE(dart_flush(Registered::at(0)) == DART_OK);
  barrier();
  if (my_id() == 0) REQUIRE(memory[0] == 100L * num_units());
  REQUIRE(dart_put_blocking(at(count), &one, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_ERR_INVAL);
  barrier();
}

}  // namespace

TEST_CASE("Registered memory supports puts, gets, derived types and atomics",
          "[RegisteredWindow]") {
  for (const std::size_t count : {std::size_t{4}, std::size_t{5000}, std::size_t{200'000}}) {
    std::vector<long> memory(count);
    use(memory.data(), count);
  }
}

TEST_CASE("Memory within the memory of an active window is registered at its correct base",
          "[RegisteredWindow]") {
  // UCX uses the beginning of the surrounding window.
  const Bytes heap(100'000);
  use(reinterpret_cast<long*>(heap.mine() + 4096), 5000);
}
