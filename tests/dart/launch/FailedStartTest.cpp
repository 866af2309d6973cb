// dash-test: parallel units=3 layouts=node,nolocal modes=auto,poll link=objects env=DART_MEMORY_MBPS:1000
//
// Allocation failures while transfers are started, and between two collective steps.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dart/support/TestedRuntime.h"
#include "dash/core/Clock.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart_locality.h"
#include "support/FailAllocations.h"
#include "support/Runner.h"
#include "teams/Agreement.h"

namespace dart = dash::dart;
namespace exec = dash::exec;
using dash::test::barrier;
using dash::test::Bytes;
using dash::test::FailAllocation;
using dash::test::my_id;
using dash::test::num_units;

namespace {

constexpr std::size_t long_block = 8192;
constexpr std::size_t short_block = 48;
constexpr std::size_t num_short = 700;
constexpr std::size_t segment_bytes = 4 * long_block + 2 * short_block * num_short;

unsigned char expected(int unit, std::uint64_t offset) {
  return static_cast<unsigned char>(1 + (offset * 7 + static_cast<std::uint64_t>(unit)) % 251);
}

/// Two long blocks, and many short blocks separated by gaps of their length.
std::vector<dart::TransferBlock> make_blocks(std::vector<unsigned char>& memory) {
  std::vector<dart::TransferBlock> blocks;
  for (const std::size_t offset : {std::size_t{0}, 2 * long_block})
    blocks.push_back({offset, memory.data() + offset, long_block});
  for (std::size_t i = 0; i < num_short; ++i) {
    const std::size_t offset = 4 * long_block + 2 * i * short_block;
    blocks.push_back({offset, memory.data() + offset, short_block});
  }
  return blocks;
}

/// Waits until no operation is pending: the progress thread may have completed an operation without having
/// removed it from the lists yet.
bool has_no_pending_operations() {
  const std::uint64_t deadline_ns = dash::core::now_ns() + 10'000'000'000;
  while (dash::test::tested_runtime().pending_operations().size() != 0) {
    if (dash::core::now_ns() > deadline_ns) return false;
    exec::Engine::instance().progress();
    std::this_thread::yield();
  }
  return true;
}

/// Starts and completes an operation repeatedly; in the n-th run the n-th allocation of the start fails. Ends
/// with the first run in which no allocation failed.
/// \param ended  called after each run, when no operation may be in flight
void for_each_failure(const std::function<exec::Operation()>& start,
                      const std::function<void(bool succeeded)>& ended) {
  start().wait();  // lets tables grow to the size that this number of operations needs
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
    CHECK(has_no_pending_operations());
    ended(succeeded);
    REQUIRE(n < 2000);
  }
}

}  // namespace

TEST_CASE("A get of several blocks that fails to start leaves nothing in flight", "[FailedStart]") {
  const Bytes memory(segment_bytes);
  for (std::size_t i = 0; i < segment_bytes; ++i)
    memory.mine()[i] = expected(my_id(), i);
  barrier();
  const int next = (my_id() + 1) % num_units();
  std::vector<unsigned char> into(segment_bytes);
  const auto blocks = make_blocks(into);
  for_each_failure(
      [&] {
        std::fill(into.begin(), into.end(), 0);
        return dart::get_blocks_async(memory.at(next), blocks);
      },
      [&](bool succeeded) {
        bool is_right = true;
        for (const dart::TransferBlock& block : blocks) {
          for (std::uint64_t i = block.offset; i < block.offset + block.nbytes; ++i)
            is_right = is_right && into[i] == expected(next, i);
        }
        CHECK((is_right || !succeeded));
        const std::vector<unsigned char> before = into;
        for (int i = 0; i < 100; ++i)
          exec::Engine::instance().progress();
        CHECK(into == before);
      });
}

TEST_CASE("A put of several blocks that fails to start leaves nothing in flight", "[FailedStart]") {
  const Bytes memory(segment_bytes);
  barrier();
  const int next = (my_id() + 1) % num_units();
  std::vector<unsigned char> from(segment_bytes);
  for (std::size_t i = 0; i < segment_bytes; ++i)
    from[i] = expected(my_id(), i);
  const auto blocks = make_blocks(from);
  for_each_failure([&] { return dart::put_blocks_async(memory.at(next), blocks); }, [](bool) {});
  barrier();
  bool is_right = true;
  for (const dart::TransferBlock& block : blocks) {
    for (std::uint64_t i = block.offset; i < block.offset + block.nbytes; ++i)
      is_right = is_right && memory.mine()[i] == expected((my_id() + 2) % num_units(), i);
  }
  CHECK(is_right);
}

TEST_CASE("A copy between two other nodes that fails to start in part completes as a whole",
          "[FailedStart]") {
  class Blocks final : public dart::CopyBlocks {
   public:
    Blocks(const Bytes& memory, int from, int to) : _memory(memory), _from(from), _to(to) {}
    bool next(dart::CopyBlock& block) override {
      if (_done == 64) return false;
      const std::uint64_t offset = 64 * static_cast<std::uint64_t>(_done++);
      block = {_memory.at(_to, segment_bytes / 2 + offset), _memory.at(_from, offset), 40};
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
        return dart::copy_global_async(std::make_unique<Blocks>(memory, from, to), memory.at(to),
                                       memory.at(from));
      },
      [](bool) {});
  barrier();
  const int writer = (my_id() + 1) % num_units();  // the unit for which this one is `to`
  const int source = (writer + 1) % num_units();
  bool is_right = true;
  for (std::uint64_t block = 0; block < 64; ++block) {
    for (std::uint64_t i = 64 * block; i < 64 * block + 40; ++i)
      is_right = is_right && memory.mine()[segment_bytes / 2 + i] == expected(source, i);
  }
  CHECK(is_right);
}

TEST_CASE("A failure of one unit between collective steps is an error on all units",
          "[FailedStart]") {
  dart::Team& team = dash::test::tested_runtime().team(DART_TEAM_ALL);
  bool is_memory = false;
  std::string error;
  try {
    dart::run_on_all_or_throw(team, "a step", [] {
      if (my_id() == num_units() - 1) throw std::bad_alloc();
    });
  } catch (const std::bad_alloc&) {
    is_memory = true;
  } catch (const dart::Error& wrong) {
    error = wrong.what();
  }
  CHECK(is_memory == (my_id() == num_units() - 1));
  CHECK(error == (is_memory ? "" : "a step: failed on another unit of team 0"));
  dart::run_on_all_or_throw(team, "a step", [] {});
}

TEST_CASE("An allocation failure of one unit during the measurement is an error on all units",
          "[FailedStart]") {
  // Between nodes the exchange itself allocates memory.
  if (dart::placement().nodes != 1) DASH_SKIP("needs all units on one node");
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
