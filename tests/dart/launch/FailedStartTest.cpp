// dash-test: parallel units=3 layouts=node,nolocal modes=auto,poll link=objects env=DART_MEMORY_MBPS:1000
//
// Memory that runs out while transfers are started, or between two steps that are collective.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "teams/Agreement.h"
#include "dart/support/Fixture.h"
#include "api/Runtime.h"
#include "dash/core/Clock.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_locality.h"
#include "support/FailAllocations.h"
#include "support/Runner.h"

namespace dart = dash::dart;
namespace exec = dash::exec;
using dash::test::barrier;
using dash::test::Bytes;
using dash::test::FailAllocation;
using dash::test::my_id;
using dash::test::num_units;

namespace {

constexpr std::size_t long_run = 8192;
constexpr std::size_t short_run = 48;
constexpr std::size_t num_short = 700;
constexpr std::size_t segment_bytes = 4 * long_run + 2 * short_run * num_short;

unsigned char expected(int unit, std::uint64_t offset) {
  return static_cast<unsigned char>(1 + (offset * 7 + static_cast<std::uint64_t>(unit)) % 251);
}

/// Two long runs, and many short ones as far apart as they are long.
std::vector<dart::TransferRun> runs_of(std::vector<unsigned char>& memory) {
  std::vector<dart::TransferRun> runs;
  for (const std::size_t offset : {std::size_t{0}, 2 * long_run})
    runs.push_back({offset, memory.data() + offset, long_run});
  for (std::size_t i = 0; i < num_short; ++i) {
    const std::size_t offset = 4 * long_run + 2 * i * short_run;
    runs.push_back({offset, memory.data() + offset, short_run});
  }
  return runs;
}

/// The progress thread may have completed an operation and not yet have taken it from the lists.
bool nothing_stays_outstanding() {
  const std::uint64_t deadline_ns = dash::core::now_ns() + 10'000'000'000;
  while (dart::Runtime::get().pending_operations().size() != 0) {
    if (dash::core::now_ns() > deadline_ns) return false;
    exec::Engine::instance().progress();
    std::this_thread::yield();
  }
  return true;
}

/// Starts and ends something again and again, the n-th allocation of its start failing, until none of
/// them did.
/// \param ended  called after each, when nothing may be in flight any more
void for_each_failure(const std::function<exec::Operation()>& start,
                      const std::function<void(bool succeeded)>& ended) {
  start().wait();  // what grows to the size of what is in flight has it
  bool has_failed = true;
  for (std::size_t n = 1; has_failed; ++n) {
    CAPTURE(n);
    bool succeeded = true;
    exec::Operation operation;
    try {
      const FailAllocation fails(n);
      operation = start();
      has_failed = fails.has_failed();
    } catch (const std::bad_alloc&) {
      succeeded = false;
    }
    try {
      operation.wait();
    } catch (const std::exception&) {
      succeeded = false;
    }
    CHECK(nothing_stays_outstanding());
    ended(succeeded);
    REQUIRE(n < 2000);
  }
}

}  // namespace

TEST_CASE("Runs that cannot all be fetched leave nothing in flight", "[FailedStart]") {
  const Bytes memory(segment_bytes);
  for (std::size_t i = 0; i < segment_bytes; ++i)
    memory.mine()[i] = expected(my_id(), i);
  barrier();
  const int next = (my_id() + 1) % num_units();
  std::vector<unsigned char> into(segment_bytes);
  const auto runs = runs_of(into);
  for_each_failure(
      [&] {
        std::fill(into.begin(), into.end(), 0);
        return dart::get_runs_async(memory.at(next), runs);
      },
      [&](bool succeeded) {
        bool is_right = true;
        for (const dart::TransferRun& run : runs) {
          for (std::uint64_t i = run.offset; i < run.offset + run.nbytes; ++i)
            is_right = is_right && into[i] == expected(next, i);
        }
        CHECK((is_right || !succeeded));
        const std::vector<unsigned char> before = into;
        for (int i = 0; i < 100; ++i)
          exec::Engine::instance().progress();
        CHECK(into == before);
      });
}

TEST_CASE("Runs that cannot all be put leave nothing in flight", "[FailedStart]") {
  const Bytes memory(segment_bytes);
  barrier();
  const int next = (my_id() + 1) % num_units();
  std::vector<unsigned char> from(segment_bytes);
  for (std::size_t i = 0; i < segment_bytes; ++i)
    from[i] = expected(my_id(), i);
  const auto runs = runs_of(from);
  for_each_failure([&] { return dart::put_runs_async(memory.at(next), runs); }, [](bool) {});
  barrier();
  bool is_right = true;
  for (const dart::TransferRun& run : runs) {
    for (std::uint64_t i = run.offset; i < run.offset + run.nbytes; ++i)
      is_right = is_right && memory.mine()[i] == expected((my_id() + 2) % num_units(), i);
  }
  CHECK(is_right);
}

TEST_CASE("A copy between other nodes that cannot be started whole ends as a whole",
          "[FailedStart]") {
  class Pieces final : public dart::CopyPieces {
   public:
    Pieces(const Bytes& memory, int from, int to) : _memory(memory), _from(from), _to(to) {}
    bool next(dart::CopyPiece& piece) override {
      if (_done == 64) return false;
      const std::uint64_t offset = 64 * static_cast<std::uint64_t>(_done++);
      piece = {_memory.at(_to, segment_bytes / 2 + offset), _memory.at(_from, offset), 40};
      return true;
    }

   private:
    const Bytes& _memory;
    const int _from;
    const int _to;
    int _done = 0;
  };
  const Bytes memory(segment_bytes);
  for (std::size_t i = 0; i < segment_bytes / 2; ++i)
    memory.mine()[i] = expected(my_id(), i);
  barrier();
  const int from = (my_id() + 1) % num_units();
  const int to = (my_id() + 2) % num_units();
  for_each_failure(
      [&] {
        return dart::copy_global_async(std::make_unique<Pieces>(memory, from, to), memory.at(to),
                                       memory.at(from));
      },
      [](bool) {});
  barrier();
  const int writer = (my_id() + 1) % num_units();  // to whom this unit is two further
  const int source = (writer + 1) % num_units();
  bool is_right = true;
  for (std::uint64_t piece = 0; piece < 64; ++piece) {
    for (std::uint64_t i = 64 * piece; i < 64 * piece + 40; ++i)
      is_right = is_right && memory.mine()[segment_bytes / 2 + i] == expected(source, i);
  }
  CHECK(is_right);
}

TEST_CASE("What fails on one unit between collective steps is an error on all", "[FailedStart]") {
  dart::Team& team = dart::Runtime::get().team(DART_TEAM_ALL);
  bool is_memory = false;
  std::string error;
  try {
    dart::on_all_or_none(team, "a step", [] {
      if (my_id() == num_units() - 1) throw std::bad_alloc();
    });
  } catch (const std::bad_alloc&) {
    is_memory = true;
  } catch (const dart::Error& wrong) {
    error = wrong.what();
  }
  CHECK(is_memory == (my_id() == num_units() - 1));
  CHECK(error == (is_memory ? "" : "a step: it has failed on another unit of team 0"));
  dart::on_all_or_none(team, "a step", [] {});
}

TEST_CASE("Memory that runs out on one unit while all are measured is an error on all",
          "[FailedStart]") {
  // Between nodes the exchange takes memory itself.
  if (dart::placement().nodes != 1) DASH_SKIP("on one node only");
  std::int64_t failed = 1;
  for (std::size_t n = 1; failed != 0; ++n) {
    CAPTURE(n);
    dart_ret_t code = DART_OK;
    {
      const FailAllocation fails(my_id() == num_units() - 1 ? n : 0);
      code = dart_team_locality_measure(DART_TEAM_ALL);
    }
    failed = code == DART_OK ? 0 : 1;
    std::int64_t on_all = 0;
    REQUIRE(dart_allreduce(&failed, &on_all, 1, DART_TYPE_LONGLONG, DART_OP_SUM, DART_TEAM_ALL) ==
            DART_OK);
    CHECK(on_all == failed * num_units());
    REQUIRE(n < 100);
  }
}
