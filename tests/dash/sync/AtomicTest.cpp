// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll

#include "dash/Atomic.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <sstream>
#include <thread>
#include <type_traits>
#include <vector>

#include "dash/Array.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Matrix.h"
#include "dash/algorithm/Copy.h"
#include "support/Catch.h"

using index_t = dash::default_index_t;

namespace {

template <class T>
using Atomics = dash::Array<dash::Atomic<T>>;

index_t units() {
  return static_cast<index_t>(dash::size());
}
/// Index in an array with one element per unit: the element of the unit after the caller.
index_t neighbour() {
  return (dash::myid() + 1) % units();
}

}  // namespace

TEST_CASE("Atomic: type properties: size and layout of its value, no operations") {
  STATIC_REQUIRE(sizeof(dash::Atomic<short>) == sizeof(short));
  STATIC_REQUIRE(std::is_standard_layout_v<dash::Atomic<double>>);
  STATIC_REQUIRE(std::is_trivially_copyable_v<dash::Atomic<double>>);
  STATIC_REQUIRE(dash::is_container_compatible<dash::Atomic<int>>::value);
  STATIC_REQUIRE(dash::is_atomic<dash::Atomic<int>>::value);
  STATIC_REQUIRE(dash::is_atomic<const dash::Atomic<int>>::value);
  STATIC_REQUIRE_FALSE(dash::is_atomic<int>::value);
  STATIC_REQUIRE(std::is_same_v<dash::remove_atomic<dash::Atomic<int>>::type, int>);
  STATIC_REQUIRE(std::is_same_v<dash::remove_atomic<const dash::Atomic<int>>::type, const int>);
  STATIC_REQUIRE(std::is_same_v<dash::remove_atomic<float>::type, float>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<dash::Atomic<int>&, int>);
  STATIC_REQUIRE_FALSE(std::is_convertible_v<dash::Atomic<int>, int>);
  STATIC_REQUIRE(std::is_convertible_v<int, dash::Atomic<int>>);
  STATIC_REQUIRE(std::is_convertible_v<dash::GlobPtr<int>, dash::GlobPtr<dash::Atomic<int>>>);
  STATIC_REQUIRE(std::is_convertible_v<dash::GlobPtr<dash::Atomic<int>>, dash::GlobPtr<const int>>);
  STATIC_REQUIRE_FALSE(
      std::is_constructible_v<dash::GlobPtr<dash::Atomic<int>>, dash::GlobPtr<const int>>);
  STATIC_REQUIRE(std::is_same_v<Atomics<int>::reference::value_type, int>);
  STATIC_REQUIRE_FALSE(std::is_assignable_v<Atomics<int>::const_reference, int>);
  STATIC_REQUIRE(std::random_access_iterator<Atomics<int>::iterator>);
  STATIC_REQUIRE(std::random_access_iterator<Atomics<bool>::const_iterator>);
  dash::Atomic<int> a(5);
  const dash::Atomic<int> b = a;
  CHECK(a == b);
  CHECK(a == 5);
  a = dash::Atomic<int>(6);
  CHECK_FALSE(a == b);
}

TEMPLATE_TEST_CASE(
    "GlobRef of an Atomic: operations: like on a value, with the documented old and new values", "",
    signed char, unsigned short, int, std::uint64_t, float, double, long double) {
  using T = TestType;
  Atomics<T> array(dash::size());
  array.barrier();
  const auto ref = array[neighbour()];
  CHECK(ref.load() == T{0});
  ref.store(T{7});
  CHECK(ref == T{7});
  CHECK(ref.get() == T{7});
  CHECK(ref.exchange(T{9}) == T{7});
  CHECK(ref.fetch_add(T{3}) == T{9});
  CHECK(ref.fetch_sub(T{2}) == T{12});
  CHECK(ref.fetch_multiply(T{4}) == T{10});
  CHECK(static_cast<T>(ref) == T{40});
  ref.add(T{2});
  ref.sub(T{12});
  ref.multiply(T{2});
  CHECK(ref.load() == T{60});
  CHECK((ref += T{5}) == T{65});
  CHECK((ref -= T{15}) == T{50});
  CHECK(++ref == T{51});
  CHECK(--ref == T{50});
  CHECK(ref++ == T{50});
  CHECK(ref-- == T{51});
  CHECK_FALSE(ref.compare_exchange(T{1}, T{2}));
  CHECK(ref.compare_exchange(T{50}, T{3}));
  CHECK(ref.fetch_op(dash::max<T>(), T{8}) == T{3});
  CHECK(ref.fetch_op(dash::min<T>(), T{5}) == T{8});
  CHECK(ref.fetch_op([](T a, T b) { return static_cast<T>(a * b + 1); }, T{3}) == T{5});
  ref.op([](T a, T b) { return static_cast<T>(a - b); }, T{6});
  CHECK(ref.load() == T{10});
  CHECK((ref = T{4}) == T{4});
  T seen{};
  ref.get(&seen);
  CHECK(seen == T{4});
  ref.get(seen);
  ref.set(T{11});
  CHECK(array[neighbour()].is_local() == (dash::size() == 1));
  array.barrier();
  const Atomics<T>& constant = array;
  CHECK(constant[dash::myid()] == T{11});
  CHECK(dash::GlobRef<const dash::Atomic<T>>(array[dash::myid()]).load() == T{11});
  array.barrier();
}

TEST_CASE("GlobRef of an Atomic: minimum and maximum: by the order of the type") {
  Atomics<signed char> narrow(dash::size());
  Atomics<unsigned short> wide(dash::size());
  Atomics<unsigned> bits(dash::size());
  const auto other = neighbour();
  narrow[other] = -3;
  CHECK(narrow[other].fetch_op(dash::max<signed char>(), 2) == -3);
  CHECK(narrow[other] == 2);
  narrow[other].op(dash::min<signed char>(), -100);
  CHECK(narrow[other] == -100);
  wide[other] = 5;
  wide[other].op(dash::max<unsigned short>(), 40'000);
  CHECK(wide[other] == 40'000);
  bits[other] = 0b1100U;
  bits[other].op(dash::bit_and<unsigned>(), 0b0110U);
  bits[other].op(dash::bit_or<unsigned>(), 0b0011U);
  bits[other].op(dash::bit_xor<unsigned>(), 0b0001U);
  CHECK(bits[other] == 0b0110U);
  CHECK(bits[other].fetch_op(dash::second<unsigned>(), 9U) == 0b0110U);
  CHECK(bits[other].fetch_op(dash::first<unsigned>(), 1U) == 9U);
  // At the limits of the type, without undefined behaviour.
  Atomics<int> integers(dash::size());
  integers[other] = std::numeric_limits<int>::max();
  CHECK((integers[other] += 1) == std::numeric_limits<int>::min());
  CHECK((integers[other] -= 1) == std::numeric_limits<int>::max());
  integers.barrier();
}

TEST_CASE("GlobRef of an Atomic: updated by all units concurrently: no update is lost") {
  constexpr int rounds = 200;
  Atomics<int> counters(3);
  Atomics<double> sums(1, dash::CYCLIC);
  counters.barrier();
  std::vector<int> fetched;
  for (int i = 0; i < rounds; ++i) {
    fetched.push_back(counters[0].fetch_add(1));
    counters[1].op([](int a, int b) { return a + 2 * b; }, 1);
    counters[2] += 3;
    sums[0].add(0.5);
  }
  counters.barrier();
  const int total = rounds * static_cast<int>(dash::size());
  CHECK(counters[0] == total);
  CHECK(counters[1] == 2 * total);
  CHECK(counters[2] == 3 * total);
  CHECK(sums[0] == 0.5 * total);
  CHECK(std::is_sorted(fetched.begin(), fetched.end()));
  CHECK(std::adjacent_find(fetched.begin(), fetched.end()) == fetched.end());
  counters.barrier();
}

TEST_CASE("GlobRef of an Atomic bool: used as a lock: mutual exclusion") {
  Atomics<bool> lock(1);
  dash::Array<int> counter(1);
  counter.barrier();
  for (int i = 0; i < 20; ++i) {
    // The owner polls only its own memory: without progress() and a progress thread it would not
    // serve the unit that holds the lock.
    while (!lock[0].compare_exchange(false, true))
      dash::progress();
    ++counter[0];
    CHECK(lock[0].exchange(false));
  }
  counter.barrier();
  CHECK(counter[0] == 20 * static_cast<int>(dash::size()));
  counter.barrier();
}

TEST_CASE("GlobAsyncRef of an Atomic: operations: complete after the flush") {
  Atomics<long> array(4 * dash::size());
  array.barrier();
  const index_t mine = 4 * neighbour();
  array.async[mine].set(5);
  array.async[mine + 1] = 6;
  const long value = 7;
  array.async[mine + 2].store(&value);
  array.async.flush();
  std::vector<long> old(8, -1);
  array.async[mine].fetch_add(2, &old[0]);
  array.async[mine + 1].exchange(60, &old[1]);
  array.async[mine + 2].compare_exchange(7, 70, &old[2]);
  array.async[mine + 3].get(&old[3]);
  array.async.flush();
  CHECK(old == std::vector<long>{5, 6, 7, 0, -1, -1, -1, -1});
  array.async[mine].fetch_multiply(3, &old[4]);
  array.async[mine + 1].fetch_sub(10, &old[5]);
  array.async[mine + 2].compare_exchange(7, 71, &old[6]);
  array.async[mine + 3].fetch_op([](long a, long b) { return a - b; }, 4, &old[7]);
  array.async[mine].flush();
  CHECK(old == std::vector<long>{5, 6, 7, 0, 7, 60, 70, 0});
  array.async[mine].add(1);
  array.async[mine].add(&value);
  array.async[mine + 1].sub(1);
  array.async[mine + 2].multiply(2);
  array.async[mine + 3].op(dash::bit_xor<long>(), 1);
  array.async.flush();
  CHECK(array.async[mine].get() == 29);
  CHECK(array.async[mine + 1].load() == 49);
  CHECK(array[mine + 2] == 140);
  CHECK(array[mine + 3] == -3);
  const auto& read_only = array;
  read_only.async[mine].get(&old[0]);
  read_only.async[mine + 1].get(old[1]);
  read_only.async.flush();
  CHECK(old[0] == 29);
  CHECK(old[1] == 49);
  CHECK(read_only.async[mine + 2].load() == 140);
  CHECK((*(read_only.async.begin() + mine)).get() == 29);
  array.barrier();
}

TEST_CASE("Atomic: free functions: equivalent to the members") {
  Atomics<int> array(dash::size());
  const auto other = neighbour();
  dash::atomic::store(array[other], 3);
  CHECK(dash::atomic::load(array[other]) == 3);
  CHECK(dash::atomic::exchange(array[other], 4) == 3);
  CHECK(dash::atomic::compare_exchange(array[other], 4, 5));
  dash::atomic::add(array[other], 10);
  dash::atomic::sub(array[other], 1);
  dash::atomic::multiply(array[other], 2);
  CHECK(dash::atomic::fetch_add(array[other], 1) == 28);
  CHECK(dash::atomic::fetch_sub(array[other], 2) == 29);
  CHECK(dash::atomic::fetch_multiply(array[other], 3) == 27);
  dash::atomic::op(array[other], dash::max<int>(), 100);
  CHECK(dash::atomic::fetch_op(array[other], dash::plus<int>(), 1) == 100);
  CHECK(array[other] == 101);
  array.barrier();
}

TEST_CASE("Atomic elements: of containers: accessed through pointers, iterators and algorithms") {
  Atomics<int> array(10 * dash::size(), dash::CYCLIC);
  array.barrier();
  if (dash::myid() == 0) {
    int value = 0;
    for (auto it = array.begin(); it != array.end(); ++it)
      *it = value++;
    for (auto&& element : array)
      element.add(1);
  }
  array.barrier();
  const int size = 10 * static_cast<int>(dash::size());
  CHECK(std::accumulate(array.begin(), array.end(), 0) == size * (size + 1) / 2);
  CHECK(std::find(array.begin(), array.end(), 4).pos() == 3);
  CHECK(std::count_if(array.begin(), array.end(), [](int value) { return value % 2 == 0; }) ==
        size / 2);
  dash::GlobPtr<dash::Atomic<int>> pointer(array.begin());
  CHECK(*pointer == 1);
  CHECK(dash::GlobRef<dash::Atomic<int>>(pointer).load() == 1);
  array.barrier();

  // Atomic access to ordinary elements.
  dash::Array<int> plain(1);
  dash::GlobPtr<dash::Atomic<int>> atomic{dash::GlobPtr<int>(plain.begin())};
  (*atomic).add(2);
  plain.barrier();
  CHECK(plain[0] == 2 * static_cast<int>(dash::size()));
  plain.barrier();

  dash::NArray<dash::Atomic<long>, 2> matrix(dash::size(), 3);
  matrix.barrier();
  matrix(neighbour(), 1) += 5;
  matrix[0][2].add(1);
  matrix.async(0, 0).add(2);
  matrix.async.flush();
  matrix.barrier();
  CHECK(matrix(dash::myid(), 1) == 5);
  CHECK(matrix(0, 2) == units());
  CHECK(matrix[0][0] == 2 * units());
  matrix.barrier();
  std::ostringstream text;
  text << array[0] << array.async[0];
  CHECK(text.str().find("Atomic>(unit 0") != std::string::npos);
}

TEST_CASE("Atomic elements: misaligned: an error") {
  dash::Array<char> array(64 * dash::size());
  auto gptr = array.begin().dart_gptr();
  gptr.addr_or_offs.offset += 1;
  CHECK_THROWS_AS(dash::GlobRef<dash::Atomic<int>>(gptr).load(), dash::exception::InvalidArgument);
  CHECK_THROWS_AS(dash::GlobRef<dash::Atomic<int>>(gptr).add(1), dash::exception::InvalidArgument);
  array.barrier();
}

TEST_CASE("RandomAccess: with atomic updates: leaves the table of the specification") {
  constexpr index_t size = 1024;
  dash::Array<dash::Atomic<std::uint64_t>> table(size);
  for (index_t i = 0; i < static_cast<index_t>(table.lsize()); ++i) {
    table[table.pattern().global(i)] = static_cast<std::uint64_t>(table.pattern().global(i));
  }
  table.barrier();
  std::uint64_t x = 1;
  for (index_t k = 0; k < 4 * size; ++k) {
    x = (x << 1) ^ ((x >> 63) != 0 ? 7U : 0U);
    if (k % units() == dash::myid()) {
      table[static_cast<index_t>(x % size)].op(dash::bit_xor<std::uint64_t>(), x);
    }
  }
  table.barrier();
  std::uint64_t all = 0;
  std::uint64_t sum = 0;
  int same = 0;
  for (index_t i = 0; i < size; ++i) {
    const std::uint64_t value = table[i];
    all ^= value;
    sum += value;
    same += value == static_cast<std::uint64_t>(i) ? 1 : 0;
  }
  CHECK(all == 0xffffffffffffffe1U);
  CHECK(sum == 0xac384cb84247d355U);
  CHECK(table[1] == 0x763060edd63e0800U);
  CHECK(table[1023] == 0x3ffU);
  CHECK(same == 661);
  table.barrier();
}

TEST_CASE("Units that repeat an operation on their own elements serve units of other nodes") {
  dash::Array<dash::Atomic<int>> counters(dash::size());
  const int units = static_cast<int>(dash::size());
  for (int round = 1; round <= 20; ++round) {
    for (int unit = 0; unit < units; ++unit)
      counters.async[unit].add(1);
    counters.flush();
    const auto mine = counters[dash::myid()];
    if (round % 3 == 0) {
      while (!mine.compare_exchange(units, 0)) {
      }
    } else if (round % 3 == 1) {
      while (mine.load() != units) {
      }
      mine.store(0);
    } else {
      while (mine.fetch_add(0) != units) {
      }
      mine.store(0);
    }
    dash::barrier();
  }
}

TEST_CASE("A repeated atomic operation runs no continuations, and any thread may execute it") {
  dash::Array<dash::Atomic<int>> counters(dash::size());
  dash::Array<int> values(dash::size());
  const auto mine = counters[dash::myid()];
  const auto next = (dash::myid() + 1) % static_cast<int>(dash::size());
  const auto this_thread = std::this_thread::get_id();
  bool in_loop = false;
  bool has_run_in_loop = false;
  int value = -1;
  const auto from = values.begin() + next;
  auto copied = dash::copy_async(from, from + 1, &value).then([&](int*) {
    if (std::this_thread::get_id() == this_thread && in_loop) has_run_in_loop = true;
  });
  in_loop = true;
  int sum = 0;
  for (int i = 0; i < 10'000; ++i)
    sum += mine.load();
  in_loop = false;
  CHECK(sum == 0);
  copied.get();
  CHECK_FALSE(has_run_in_loop);
  CHECK(value == 0);
  // The MPI of the tests of thread levels ends the program if another thread than the main thread calls it.
  std::thread([&mine] {
    for (int i = 0; i < 10'000; ++i)
      mine.load();
  }).join();
  counters.barrier();
}
