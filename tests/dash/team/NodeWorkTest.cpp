// dash-test: parallel units=2,4 layouts=node modes=auto,poll

#include "dash/internal/team/NodeWork.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <thread>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/core/Spin.h"
#include "support/Catch.h"

using dash::internal::NodeWork;
using dash::internal::NodeWorkTable;

TEST_CASE("NodeWork::run: units without chunks run those of a unit that opens at the same time") {
  constexpr int rounds = 4000;
  constexpr std::size_t chunks = 64;
  const bool is_owner = dash::myid() == 0;
  NodeWorkTable table(dash::Team::All());
  dash::Array<int> helped(dash::size());
  const std::atomic_ref<int> owner_is_helped(
      *dash::GlobPtr<int>(helped.begin().dart_gptr()).on_node_address());
  const auto wait_for_help = [&] {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (owner_is_helped == 0 && std::chrono::steady_clock::now() < deadline)
      std::this_thread::yield();
  };
  for (int round = 0; round < rounds; ++round) {
    if (is_owner) owner_is_helped = 0;
    NodeWork work(table, dash::Team::All().myid());
    dash::barrier();
    // The owner opens at different times relative to the search for chunks of the other units.
    for (int i = 0; is_owner && i < 2 * (round % 200); ++i)
      dash::core::cpu_relax();
    std::once_flag waited;
    work.run(is_owner ? chunks : 0, [&](dash::team_unit_t, std::size_t, std::size_t) {
      if (is_owner) {
        std::call_once(waited, wait_for_help);
      } else {
        owner_is_helped = 1;
      }
    });
    CHECK(work.wait_for_chunks());
    dash::barrier();
    REQUIRE(owner_is_helped == 1);
    dash::barrier();
  }
}
