// dash-test: parallel units=2,3 full-units=7 layouts=node,cliques,nolocal modes=auto,poll timeout=300
//
// Collective calls in which one unit passes wrong arguments, or is in a different state.

#include <array>
#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

#include "Teams.h"

using namespace dash::test;

namespace {

constexpr dart_datatype_t byte = DART_TYPE_BYTE;

/// All units get the result, and the team works afterwards.
void check_on_all_units(dart_ret_t got, dart_ret_t expected) {
  REQUIRE(got == expected);
  int one = 1;
  int sum = 0;
  REQUIRE(dart_allreduce(&one, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL) == DART_OK);
  REQUIRE(sum == num_units());
}

}  // namespace

TEST_CASE("Wrong arguments of one unit are an error on all units", "[Disagreement]") {
  const bool wrong = my_id() == num_units() - 1;
  dart_gptr_t gptr = DART_GPTR_NULL;
  char memory[8] = {};
  check_on_all_units(dart_team_memregister(DART_TEAM_ALL, 8, byte, wrong ? nullptr : memory, &gptr),
                     DART_ERR_INVAL);
  REQUIRE(last_error_has(wrong ? "addr is NULL" : "another unit of team 0"));
  REQUIRE(DART_GPTR_ISNULL(gptr));
  check_on_all_units(
      dart_team_memregister(DART_TEAM_ALL, wrong ? SIZE_MAX : 1, DART_TYPE_LONG, memory, &gptr),
      DART_ERR_INVAL);
  check_on_all_units(
      dart_team_memalloc_aligned(DART_TEAM_ALL, wrong ? SIZE_MAX : 1, DART_TYPE_LONG, &gptr),
      DART_ERR_INVAL);
  check_on_all_units(
      dart_team_memalloc_aligned(DART_TEAM_ALL, 1, DART_TYPE_LONG, wrong ? nullptr : &gptr),
      DART_ERR_INVAL);
  dart_allocator_t allocator = nullptr;
  check_on_all_units(dart_allocator_new(wrong ? SIZE_MAX : 64, DART_TEAM_ALL, &allocator),
                     DART_ERR_INVAL);
  REQUIRE(allocator == nullptr);
}

TEST_CASE("Members of a new team that pass different groups get an error", "[Disagreement]") {
  // Unit 0 passes a group of units 0 and 1, every other unit a group of itself.
  std::vector<int> units{my_id()};
  if (my_id() == 0) units.push_back(1);
  dart_group_t group = make_group(units);
  dart_team_t team = DART_TEAM_NULL;
  check_on_all_units(dart_team_create(DART_TEAM_ALL, group, &team), DART_ERR_INVAL);
  REQUIRE(team == DART_TEAM_NULL);
  REQUIRE(dart_group_destroy(&group) == DART_OK);
}

TEST_CASE("Ids that are free on some units only cannot be used", "[Disagreement]") {
  dart_group_t alone = make_group({my_id()});
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_create(DART_TEAM_ALL, alone, &team) == DART_OK);
  std::vector<dart_gptr_t> segments;
  dart_gptr_t gptr = DART_GPTR_NULL;
  while (dart_team_memalloc_aligned(team, 1, byte, &gptr) == DART_OK)
    segments.push_back(gptr);
  REQUIRE(segments.size() > 30'000);
  // Unit 0 frees the segments of even ids, the others those of odd ids.
  for (dart_gptr_t& segment : segments) {
    if ((segment.segid % 2 == 0) != (my_id() == 0)) continue;
    REQUIRE(dart_team_memfree(segment) == DART_OK);
    segment = DART_GPTR_NULL;
  }
  check_on_all_units(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, byte, &gptr), DART_ERR_NOMEM);
  REQUIRE(last_error_has("no id of"));
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  barrier();
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 1, byte, &gptr) == DART_OK);
  REQUIRE(dart_team_memfree(gptr) == DART_OK);
  REQUIRE(dart_group_destroy(&alone) == DART_OK);
}

TEST_CASE("A second thread in a collective gets an error, and the collective completes",
          "[Disagreement]") {
  const auto add_up = [](int value, int& sum) {
    return dart_allreduce(&value, &sum, 1, DART_TYPE_INT, DART_OP_SUM, DART_TEAM_ALL);
  };
  constexpr std::array<int, 2> values{7, 9};
  int counted = 0;  // the value of the thread that was first
  int sum = 0;
  if (my_id() == 0) {
    // The first thread is in the collective until the other units arrive, which they do after the second
    // thread has got its error.
    std::array<dart_ret_t, 2> results{};
    std::array<int, 2> sums{};
    std::atomic<int> returned{-1};
    const auto enter = [&](int i) {
      const auto at = static_cast<std::size_t>(i);
      results[at] = add_up(values[at], sums[at]);
      int none = -1;
      returned.compare_exchange_strong(none, i);
    };
    std::thread one(enter, 0);
    std::thread other(enter, 1);
    while (returned < 0)
      dart_progress();
    const auto refused = static_cast<std::size_t>(returned.load());
    counted = values[1 - refused];
    for (int unit = 1; unit < num_units(); ++unit)
      REQUIRE(dart_send(&counted, 1, DART_TYPE_INT, 0, unit) == DART_OK);
    one.join();
    other.join();
    REQUIRE(results[refused] == DART_ERR_INVAL);
    REQUIRE(results[1 - refused] == DART_OK);
    sum = sums[1 - refused];
  } else {
    REQUIRE(dart_recv(&counted, 1, DART_TYPE_INT, 0, 0) == DART_OK);
    REQUIRE(add_up(1, sum) == DART_OK);
  }
  REQUIRE(sum == counted + num_units() - 1);
}

TEST_CASE("A reduction of elements without bytes does nothing", "[Disagreement]") {
  dart_datatype_t empty = DART_TYPE_UNDEFINED;
  REQUIRE(dart_type_create_custom(0, &empty) == DART_OK);
  dart_operation_t op = DART_OP_UNDEFINED;
  const auto nothing = [](const void*, void*, std::size_t, void*) {};
  REQUIRE(dart_op_create(nothing, nullptr, true, empty, false, &op) == DART_OK);
  char in = 1;
  char out = 2;
  check_on_all_units(dart_allreduce(&in, &out, 3, empty, op, DART_TEAM_ALL), DART_OK);
  REQUIRE(out == 2);
  REQUIRE(dart_op_destroy(&op) == DART_OK);
  REQUIRE(dart_type_destroy(&empty) == DART_OK);
}

TEST_CASE("Destroying a team destroys its allocators", "[Disagreement]") {
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  dart_allocator_t allocator = nullptr;
  REQUIRE(dart_allocator_new(1024, team, &allocator) == DART_OK);
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  dart_gptr_t gptr = DART_GPTR_NULL;
  REQUIRE(dart_allocator_alloc(8, byte, &gptr, allocator) == DART_ERR_INVAL);
  REQUIRE(last_error_has("not a live allocator"));
  check_on_all_units(dart_allocator_destroy(&allocator), DART_ERR_INVAL);
}
