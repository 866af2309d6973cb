// dash-test: parallel units=1,3 full-units=2,4,7 layouts=node,nolocal modes=auto,poll link=objects
//
// Transfers without a wait that fail while collective calls complete them: no unit hangs.

#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "dart/support/TestedRuntime.h"
#include "dash/Array.h"
#include "dash/Coarray.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/algorithm/ForEach.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "transfer/PendingOperations.h"

namespace dart = dash::dart;
namespace exec = dash::exec;
using Catch::Matchers::ContainsSubstring;

namespace {

class Pending final : public exec::State {};

/// Operations of the last unit, to itself, that complete after a short time: the first one of a
/// segment fails.
class FailingTransfers {
 public:
  explicit FailingTransfers(const dart_gptr_t& gptr) {
    if (!is_mine()) return;
    for (int i = 0; i < 3; ++i) {
      dart::PendingOperations::Registration registration(
          dash::test::tested_runtime().pending_operations());
      _states.push_back(exec::StatePtr<Pending>::adopt(new Pending));
      registration.add(exec::Operation(_states.back()), gptr.segid, gptr.unitid);
    }
    _thread = std::thread([this] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const auto error = std::make_exception_ptr(std::runtime_error("the link is down"));
      // The lists start with the latest operation.
      _states[2]->fail(error);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      _states[1]->fail(error);
      _states[0]->complete();
    });
  }
  FailingTransfers(const FailingTransfers&) = delete;
  FailingTransfers& operator=(const FailingTransfers&) = delete;
  ~FailingTransfers() {
    if (_thread.joinable()) _thread.join();
  }

  static bool is_mine() { return dash::myid() == static_cast<int>(dash::size()) - 1; }
  bool all_done() const {
    for (const auto& state : _states) {
      if (!state->done()) return false;
    }
    return true;
  }

 private:
  std::vector<exec::StatePtr<Pending>> _states;
  std::thread _thread;
};

/// Checks that f() fails on the last unit, after all of its transfers are complete.
template <class F>
void require_failure_of_last(const dart_gptr_t& gptr, F f) {
  const FailingTransfers transfers(gptr);
  if (FailingTransfers::is_mine()) {
    CHECK_THROWS_WITH(f(), ContainsSubstring("the link is down"));
  } else {
    CHECK_NOTHROW(f());
  }
  CHECK(transfers.all_done());
}

}  // namespace

TEST_CASE("a transfer that fails in a flush: all others are complete when it throws") {
  dash::Array<int> array(dash::size());
  require_failure_of_last(array.begin().dart_gptr(), [&] { dart::complete_all(); });
  require_failure_of_last(array.begin().dart_gptr(), [&] { array.flush(); });
  array.barrier();
}

TEST_CASE("a transfer that fails in a collective algorithm: its error on all units") {
  dash::Array<int> array(10 * dash::size());
  const auto run = [&] { dash::for_each(array.begin(), array.end(), [](int& x) { ++x; }); };
  {
    const FailingTransfers transfers(array.begin().dart_gptr());
    CHECK_THROWS_WITH(run(), ContainsSubstring("dash::for_each") &&
                                 ContainsSubstring("the link is down") &&
                                 ContainsSubstring("unit " + std::to_string(dash::size() - 1)));
    CHECK(transfers.all_done());
  }
  CHECK_NOTHROW(run());
}

TEST_CASE("a transfer that fails in a barrier: an error on its unit, and no unit hangs") {
  dash::Array<int> array(dash::size());
  require_failure_of_last(array.begin().dart_gptr(), [] { dash::barrier(); });
  std::vector<int> all;
  for (int unit = 0; unit < static_cast<int>(dash::size()); ++unit)
    all.push_back(unit);
  require_failure_of_last(array.begin().dart_gptr(), [&] { dash::coarray::sync_images(all); });
  dash::barrier();
}

TEST_CASE("a transfer that fails while its memory is freed: the memory is freed on all units") {
  dart_gptr_t gptr = DART_GPTR_NULL;
  REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 64, DART_TYPE_BYTE, &gptr) == DART_OK);
  {
    const FailingTransfers transfers(gptr);
    const dart_ret_t code = dart_team_memfree(gptr);
    CHECK((code == DART_OK) == !FailingTransfers::is_mine());
    CHECK(transfers.all_done());
  }
  CHECK(dart_team_memfree(gptr) != DART_OK);
  dash::barrier();
}
