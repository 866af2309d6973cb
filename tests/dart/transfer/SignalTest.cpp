// dash-test: parallel ranks=quick units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include <algorithm>
#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/Exception.h"
#include "dash/async/State.h"
#include "dash/dart/Access.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Runner.h"

namespace dart = dash::dart;

namespace {

/// Data and a signal on every unit; each unit sends to its right neighbour.
struct Ring {
  explicit Ring(std::size_t nbytes) {
    dart_global_unit_t unit;
    size_t n = 0;
    REQUIRE(dart_myid(&unit) == DART_OK);
    REQUIRE(dart_size(&n) == DART_OK);
    me = unit.id;
    units = static_cast<int>(n);
    left = (me + units - 1) % units;
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, 64 + 2 * nbytes, DART_TYPE_BYTE, &base) ==
            DART_OK);
    void* address = nullptr;
    dart_gptr_t own = base;
    own.unitid = me;
    REQUIRE(dart_gptr_getaddr(own, &address) == DART_OK);
    signal = static_cast<dart::Signal*>(address);
    data = static_cast<char*>(address) + 64;
  }
  ~Ring() {
    dart_barrier(DART_TEAM_ALL);
    dart_team_memfree(base);
  }
  dart_gptr_t right(std::uint64_t offset) const {
    dart_gptr_t gptr = base;
    gptr.unitid = (me + 1) % units;
    gptr.addr_or_offs.offset = offset;
    return gptr;
  }

  int me = 0;
  int units = 1;
  int left = 0;
  dart_gptr_t base;
  dart::Signal* signal = nullptr;
  char* data = nullptr;
};

char pattern(int unit, std::uint32_t step, std::size_t i) {
  return static_cast<char>(static_cast<std::size_t>(unit) * 31 + step * 7 + i);
}

}  // namespace

TEST_CASE("Data of any size is visible when its signal is raised, in every step", "[Signal]") {
  const std::size_t nbytes = GENERATE(std::size_t{0}, std::size_t{8}, std::size_t{4096},
                                      std::size_t{4097}, std::size_t{200'000});
  const Ring ring(nbytes);
  const std::uint32_t steps = 40;
  std::vector<char> source(nbytes);
  for (std::uint32_t step = 1; step <= steps; ++step) {
    for (std::size_t i = 0; i < nbytes; ++i)
      source[i] = pattern(ring.me, step, i);
    // Even and odd steps use different halves: a neighbour may be one step ahead, but not two.
    const std::size_t half = (step % 2) * nbytes;
    dash::exec::Operation sent =
        dart::put_signal(ring.right(64 + half), source.data(), nbytes, ring.right(0), step);
    dart::wait_signal(*ring.signal, step);
    bool same = true;
    for (std::size_t i = 0; i < nbytes; ++i) {
      same = same && ring.data[half + i] == pattern(ring.left, step, i);
    }
    REQUIRE(same);
    sent.wait();
    // The right neighbour must have read the data before it is overwritten two steps later.
    if (ring.units > 2) REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("A put of strided blocks stores them contiguously at the target", "[Signal]") {
  const std::size_t nblocks = GENERATE(std::size_t{1}, std::size_t{50}, std::size_t{5000});
  constexpr std::size_t blocklen = 8;
  constexpr std::size_t stride = 40;
  const Ring ring(blocklen * nblocks);
  std::vector<char> source(stride * nblocks);
  for (std::size_t i = 0; i < source.size(); ++i)
    source[i] = pattern(ring.me, 1, i);
  dart::put_strided_signal(ring.right(64), source.data(), blocklen, stride, nblocks, ring.right(0),
                           1);
  // The source has been read.
  std::fill(source.begin(), source.end(), 'x');
  while (!dart::test_signal(*ring.signal, 1)) {
  }
  bool same = true;
  for (std::size_t block = 0; block < nblocks; ++block) {
    for (std::size_t i = 0; i < blocklen; ++i) {
      same = same && ring.data[block * blocklen + i] == pattern(ring.left, 1, block * stride + i);
    }
  }
  REQUIRE(same);
}

TEST_CASE("Signal values are serial numbers and may wrap around", "[Signal]") {
  const Ring ring(8);
  ring.signal->value.store(0xFFFFFFFEU);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  REQUIRE_FALSE(dart::test_signal(*ring.signal, 1));
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  dart::put_signal(ring.right(64), nullptr, 0, ring.right(0), 2);
  dart::wait_signal(*ring.signal, 1);
  REQUIRE(dart::test_signal(*ring.signal, 2));
}

TEST_CASE("Puts of different sizes set one signal in the order of the calls", "[Signal]") {
  const std::size_t large = GENERATE(std::size_t{5'000}, std::size_t{200'000});
  const Ring ring(large);
  const std::vector<char> source(large, 'd');
  const bool is_on_node = dart::on_node_address(ring.right(0), 1) != nullptr;
  std::uint32_t value = 0;
  for (int round = 0; round < 30; ++round) {
    std::vector<dash::exec::Operation> sent;
    for (const std::size_t nbytes : {large, large, std::size_t{0}, large, std::size_t{8}}) {
      sent.push_back(dart::put_signal(ring.right(64), source.data(), nbytes, ring.right(0), ++value,
                                      dart::SignalOp::set, dart::SignalFlush::covers));
      // Messages are in order even before the first put is complete.
      if (is_on_node) sent.back().wait();
    }
    // Then a unit without a progress thread finds several messages in one poll.
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    for (dash::exec::Operation& each : sent)
      each.wait();
    REQUIRE(dart_flush(ring.right(0)) == DART_OK);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    CHECK(ring.signal->value.load() == value);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("Puts to registered memory and to others set one signal in the order of the calls",
          "[Signal]") {
  const Ring ring(8);
  std::vector<char> own(64);
  dart_gptr_t registered = DART_GPTR_NULL;
  REQUIRE(dart_team_memregister(DART_TEAM_ALL, own.size(), DART_TYPE_BYTE, own.data(),
                                &registered) == DART_OK);
  registered.unitid = (ring.me + 1) % ring.units;
  const std::vector<char> source(8, 'd');
  for (std::uint32_t value = 0; value < 10; value += 2) {
    dart::put_signal(registered, source.data(), source.size(), ring.right(0), value + 1,
                     dart::SignalOp::set, dart::SignalFlush::covers)
        .wait();
    dart::put_signal(ring.right(64), source.data(), source.size(), ring.right(0), value + 2,
                     dart::SignalOp::set, dart::SignalFlush::covers)
        .wait();
    REQUIRE(dart_flush(ring.right(0)) == DART_OK);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    CHECK(ring.signal->value.load() == value + 2);
    CHECK(std::string_view(own.data(), source.size()) == "dddddddd");
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
  registered.unitid = 0;
  REQUIRE(dart_team_memderegister(registered) == DART_OK);
}

TEST_CASE("A failed put does not raise its signal; a later successful put does", "[Signal]") {
  const Ring ring(8);
  using State = dash::exec::ValueState<int>;
  auto failing = dash::exec::StatePtr<State>::adopt(new State());
  auto succeeding = dash::exec::StatePtr<State>::adopt(new State());
  dart::raise_after(dash::exec::Operation(failing), ring.right(0), 1);
  dart::raise_after(dash::exec::Operation(succeeding), ring.right(0), 2);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  REQUIRE(ring.signal->value.load() == 0);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  failing->fail(std::make_exception_ptr(std::runtime_error("failed by the test")));
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  REQUIRE(ring.signal->value.load() == 0);
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  succeeding->set_value(0);
  dart::wait_signal(*ring.signal, 2);
  dart::complete_all();
}

TEST_CASE("One flush completes many signals, with and without data", "[Signal]") {
  const Ring ring(10'000);
  const std::vector<char> source(10'000, 'd');
  constexpr std::uint32_t signals = 400;
  const auto flush = [&](std::uint32_t round) {
    if (round % 3 == 0) return dart_flush(ring.right(0));
    if (round % 3 == 1) return dart_flush_all(ring.right(0));
    dart::complete_all();
    return DART_OK;
  };
  for (std::uint32_t round = 0; round < 6; ++round) {
    for (std::uint32_t i = 0; i < signals; ++i) {
      const std::size_t nbytes = i % 50 == 0 ? source.size() : i % 2 * 8;
      dart::put_signal(ring.right(64), source.data(), nbytes, ring.right(0), 1, dart::SignalOp::add,
                       dart::SignalFlush::covers);
    }
    REQUIRE(flush(round) == DART_OK);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    REQUIRE(ring.signal->value.load() == (round + 1) * signals);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("After a local flush the source of a put with a signal may be changed", "[Signal]") {
  const std::size_t nbytes = GENERATE(std::size_t{8}, std::size_t{30'000}, std::size_t{3'000'000});
  const auto flush = GENERATE(dart::SignalFlush::covers, dart::SignalFlush::ignores);
  const Ring ring(nbytes);
  std::vector<char> source(nbytes);
  for (std::uint32_t step = 1; step <= 5; ++step) {
    std::fill(source.begin(), source.end(), pattern(ring.me, step, 0));
    dart::put_signal(ring.right(64), source.data(), nbytes, ring.right(0), step,
                     dart::SignalOp::set, flush);
    REQUIRE(dart_flush_local(ring.right(64)) == DART_OK);
    std::fill(source.begin(), source.end(), 'x');
    dart::wait_signal(*ring.signal, step);
    const std::vector<char> expected(nbytes, pattern(ring.left, step, 0));
    REQUIRE(std::equal(expected.begin(), expected.end(), ring.data));
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("A flush by one thread completes signals that another thread sent before", "[Signal]") {
  if (!dash::test::is_multithreaded()) DASH_SKIP("needs MPI_THREAD_MULTIPLE");
  const Ring ring(8);
  for (std::uint32_t round = 1; round <= 20; ++round) {
    std::thread([&] {
      for (int i = 0; i < 10; ++i)
        dart::put_signal(ring.right(64), nullptr, 0, ring.right(0), 1, dart::SignalOp::add,
                         dart::SignalFlush::covers);
    }).join();
    REQUIRE(dart_flush(ring.right(0)) == DART_OK);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    REQUIRE(ring.signal->value.load() == round * 10);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("A signal has been raised when a flush that completes it returns", "[Signal]") {
  const std::size_t nbytes =
      GENERATE(std::size_t{8}, std::size_t{4088}, std::size_t{4096}, std::size_t{300'000});
  const Ring ring(nbytes);
  const std::vector<char> source(nbytes, 'd');
  for (std::uint32_t step = 1; step <= 20; ++step) {
    dart::put_signal(ring.right(64), source.data(), nbytes, ring.right(0), 1, dart::SignalOp::add,
                     dart::SignalFlush::covers);
    REQUIRE(dart_flush(ring.right(0)) == DART_OK);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
    REQUIRE(ring.signal->value.load() == step);
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("A flush completes a signal that is raised after that of an earlier large put",
          "[Signal]") {
  constexpr std::size_t large = 16'000'000;
  const Ring ring(8);
  const Ring data(large);  // another segment: the flush does not wait for the data
  const std::vector<char> source(large, 'd');
  // A put within a node is complete before the next one starts.
  const bool is_remote = dart::on_node_address(ring.right(0), 1) == nullptr;
  for (std::uint32_t value = 0; value < 10; value += 2) {
    if (is_remote) {
      dash::exec::Operation sent =
          dart::put_signal(data.right(64), source.data(), large, ring.right(0), value + 1,
                           dart::SignalOp::set, dart::SignalFlush::ignores);
      dart::put_signal(ring.right(64), nullptr, 0, ring.right(0), value + 2, dart::SignalOp::set,
                       dart::SignalFlush::covers);
      REQUIRE(dart_flush(ring.right(0)) == DART_OK);
      std::uint32_t read = 0;
      REQUIRE(dart_get_blocking(&read, ring.right(0), sizeof read, DART_TYPE_BYTE,
                                DART_TYPE_BYTE) == DART_OK);
      CHECK(read == value + 2);
      sent.wait();
    }
    REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  }
}

TEST_CASE("A signal starts work of the library although no thread of its unit calls the library",
          "[Signal]") {
  struct Follower final : dash::exec::Continuation {
    Follower() noexcept : Continuation(Where::inline_) {}
    void run() noexcept override { ran = true; }
    std::atomic<bool> ran{false};
  };
  if (dart::placement().progress != std::string_view("thread"))
    DASH_SKIP("no progress thread may poll MPI");
  const Ring ring(8);
  if (ring.units < 2) DASH_SKIP("the only unit calls the library to raise its signal");
  Follower follower;
  const auto state = dart::when_signal(*ring.signal, 1);
  REQUIRE(state->attach(follower));
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
  // Unit 0 raises the signal of unit 1, which makes no calls from before until it has seen the effect.
  bool ran_without_call = true;
  if (ring.me == 1) {
    const auto begin = std::chrono::steady_clock::now();
    while (!follower.ran && std::chrono::steady_clock::now() - begin < std::chrono::seconds(20))
      std::this_thread::yield();
    ran_without_call = follower.ran;
  } else if (ring.me == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const std::vector<char> source(8, 'l');
  dart::put_signal(ring.right(64), source.data(), 8, ring.right(0), 1, dart::SignalOp::add,
                   dart::SignalFlush::covers);
  REQUIRE(dart_flush(ring.right(0)) == DART_OK);
  state->wait();  // runs the follower in any case: it must not be destroyed while it is attached
  CHECK(ran_without_call);
}

TEST_CASE("A put that does not fit its segment is refused", "[Signal]") {
  const Ring ring(8);
  const char byte = 0;
  REQUIRE_THROWS_AS(dart::put_signal(ring.right(64 + 16), &byte, 1, ring.right(0), 1),
                    dash::exception::InvalidArgument);
  REQUIRE_THROWS_AS(dart::put_signal(ring.right(64), &byte, 1, DART_GPTR_NULL, 1),
                    dash::exception::InvalidArgument);
  REQUIRE_THROWS_AS(dart::get_async(nullptr, DART_GPTR_NULL, 1), dash::exception::InvalidArgument);
}
