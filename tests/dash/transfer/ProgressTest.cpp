// dash-test: parallel units=1,2,3,4 full-units=7 layouts=node,cliques,nolocal
// dash-test: modes=auto,thread,poll

// Functions that make progress, in each mode. In mode `poll`, the condition of a unit's own waiting
// loop becomes true only because the loop calls progress().

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include "dash/Array.h"
#include "dash/Async.h"
#include "dash/Future.h"
#include "dash/Init.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"
#include "support/Units.h"

using dash::test::me;

namespace {

bool in_poll_mode() {
  const char* const mode = std::getenv("DART_PROGRESS");
  return mode != nullptr && std::strcmp(mode, "poll") == 0;
}

/// A word of the calling unit.
std::atomic_ref<long> own_word(dash::Array<long>& words, std::size_t i) {
  return std::atomic_ref<long>(words.lbegin()[i]);
}

/// Simulates a computation until the word has a value; `progress` serves the other units.
template <class Progress>
void compute_until(const std::atomic_ref<long>& word, long value, Progress progress) {
  while (word.load(std::memory_order_acquire) != value)
    progress();
}

constexpr long rounds = 100;

/// Unit 0 puts to, gets from and increments the memory of another unit, then notifies it.
void visit(dash::Array<long>& words, int unit) {
  const dart_gptr_t counter = (words.begin() + 4 * unit).dart_gptr();
  const dart_gptr_t slot = (words.begin() + (4 * unit + 1)).dart_gptr();
  const dart_gptr_t over = (words.begin() + (4 * unit + 2)).dart_gptr();
  for (long i = 0; i < rounds; ++i) {
    const long one = 1;
    long old = -1;
    REQUIRE(dart_fetch_and_op(counter, &one, &old, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
    REQUIRE(dart_flush(counter) == DART_OK);
    REQUIRE(old == i);
    REQUIRE(dart_put_blocking(slot, &i, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(dart_get_blocking(&old, slot, 1, DART_TYPE_LONG, DART_TYPE_LONG) == DART_OK);
    REQUIRE(old == i);
  }
  const long one = 1;
  REQUIRE(dart_accumulate(over, &one, 1, DART_TYPE_LONG, DART_OP_SUM) == DART_OK);
  REQUIRE(dart_flush(over) == DART_OK);
}

template <class Progress>
void check_service(Progress progress) {
  dash::Array<long> words(4 * dash::size());
  words.barrier();
  if (me() == 0) {
    for (int unit = 1; unit < static_cast<int>(dash::size()); ++unit)
      visit(words, unit);
  } else {
    compute_until(own_word(words, 2), 1, progress);
    REQUIRE(own_word(words, 0).load() == rounds);
    REQUIRE(own_word(words, 1).load() == rounds - 1);
  }
  words.barrier();
}

}  // namespace

TEST_CASE("A unit that computes and calls progress() serves other units", "[Progress]") {
  check_service([] { dash::progress(); });
  check_service([] { REQUIRE(dart_progress() == DART_OK); });
  check_service([] {
    std::int32_t advanced = -1;
    REQUIRE(dart_progress_test(&advanced) == DART_OK);
    REQUIRE((advanced == 0 || advanced == 1));
  });
}

TEST_CASE("progress() returns whether anything advanced", "[Progress]") {
  // Operations of other units may still concern this unit for some time, but not forever.
  dash::barrier();
  while (dash::progress()) {
  }
  std::int32_t advanced = 1;
  while (advanced != 0)
    REQUIRE(dart_progress_test(&advanced) == DART_OK);

  constexpr std::size_t nbytes = 300'000;
  dash::Array<char> memory(nbytes * dash::size());
  memory.barrier();
  const int right = (me() + 1) % static_cast<int>(dash::size());
  const std::vector<char> source(nbytes, static_cast<char>(me() + 1));
  const dart_gptr_t remote = (memory.begin() + right * static_cast<long>(nbytes)).dart_gptr();
  dash::exec::Operation put = dash::dart::put_async(remote, source.data(), nbytes);
  bool any = false;
  while (!put.done())
    any |= dash::progress();
  // With a progress thread, that thread usually finds the work first.
  if (in_poll_mode()) REQUIRE(any);
  memory.barrier();
  const int left = (me() + static_cast<int>(dash::size()) - 1) % static_cast<int>(dash::size());
  for (std::size_t i = 0; i < nbytes; i += 997)
    REQUIRE(memory.lbegin()[i] == static_cast<char>(left + 1));
  memory.barrier();
  REQUIRE(dart_progress_test(nullptr) == DART_ERR_INVAL);
}

TEST_CASE("progress() runs continuations on the calling thread", "[Progress]") {
  std::thread::id where;
  // A worker of the unit may run a continuation first, so this is repeated until progress() ran one.
  while (where != std::this_thread::get_id()) {
    dash::Promise<int> promise;
    std::atomic<bool> ran{false};
    auto chained = promise.get_future().then([&](int value) {
      where = std::this_thread::get_id();
      ran.store(true);
      return value + 1;
    });
    std::thread owner([&] { promise.set_value(6); });
    const std::thread::id owner_id = owner.get_id();
    while (!ran.load())
      dash::progress();
    owner.join();
    REQUIRE(where != owner_id);
    REQUIRE(chained.get() == 7);
  }
}

TEST_CASE("Continuations and tasks may call progress()", "[Progress]") {
  dash::Promise<int> first;
  dash::Promise<int> second;
  int order = 0;
  auto outer = first.get_future().then([&](int value) {
    second.set_value(value);
    dash::progress();
    return ++order;
  });
  auto inner = second.get_future().then([&](int) { return ++order; });
  std::thread owner([&] { first.set_value(1); });
  REQUIRE(outer.get() + inner.get() == 3);
  owner.join();
  dash::Future<int> task = dash::async([] {
    int found = 0;
    for (int i = 0; i < 100; ++i)
      found += dash::progress() ? 1 : 0;
    return found;
  });
  dash::Future<int> other = dash::async([] { return 5; });
  while (!task.test() || !other.test())
    dash::progress();
  REQUIRE(other.get() == 5);
  dash::barrier();
}
