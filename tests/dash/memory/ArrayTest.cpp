// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal modes=auto,thread,poll smoke=yes

#include "dash/Array.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "support/Catch.h"
#include "support/OwnerCheck.h"

using index_t = dash::default_index_t;

namespace {

/// Constructed before init, destroyed after finalize.
dash::Array<int> at_namespace_scope;

const std::vector<dash::Distribution> distributions = {
    dash::BLOCKED, dash::CYCLIC, dash::BLOCKCYCLIC(3), dash::BLOCKCYCLIC(64), dash::TILE(5)};

int value_at(index_t index) {
  return static_cast<int>(3 * index + 1);
}

struct Particle {
  double position[3];
  int charge;
  bool alive;

  friend bool operator==(const Particle& a, const Particle& b) {
    return std::equal(a.position, a.position + 3, b.position) && a.charge == b.charge &&
           a.alive == b.alive;
  }
};

struct NotDefault {
  explicit NotDefault(int number) : value(number) {}
  int value;
};

}  // namespace

TEST_CASE("Array: allocated: zero on all units") {
  const dash::Array<double> array(1000);
  CHECK(array.size() == 1000);
  CHECK(std::all_of(array.lbegin(), array.lend(), [](double value) { return value == 0.0; }));
  std::size_t sum = 0;
  for (const int unit : dash::Team::All())
    sum += array.pattern().local_size(dash::team_unit_t(unit));
  CHECK(sum == 1000);
  CHECK(array.lsize() == array.pattern().local_size());
  CHECK(array.lsize() <= array.lcapacity());
}

TEST_CASE("Array: written by its owners: read by all units, for all distributions") {
  for (const auto& distribution : distributions) {
    for (const index_t size : {1, 7, 130}) {
      dash::Array<int> array(static_cast<std::size_t>(size), distribution);
      const auto& pattern = array.pattern();
      for (std::size_t local = 0; local < array.lsize(); ++local) {
        array.local[local] = value_at(pattern.global(static_cast<index_t>(local)));
      }
      array.barrier();
      index_t wrong = 0;
      index_t expected = 0;
      for (const int value : array)
        wrong += value == value_at(expected++) ? 0 : 1;
      CHECK(expected == size);
      for (index_t index = 0; index < size; ++index) {
        wrong += array[index] == value_at(index) ? 0 : 1;
        wrong += array.is_local(index) == (pattern.unit_at(index) == dash::myid().id) ? 0 : 1;
      }
      CHECK(wrong == 0);
      array.barrier();
    }
  }
}

TEST_CASE("Array: written from one unit: the values are in the owners' memory") {
  for (const auto& distribution : distributions) {
    dash::Array<long> array(257, distribution);
    const auto writer = static_cast<int>(dash::size()) - 1;
    if (dash::myid() == writer) {
      for (index_t index = 0; index < 257; ++index)
        array[index] = 1000L + index;
    }
    array.barrier();
    CHECK(count_wrong_local(array, [](index_t index) { return 1000L + index; }) == 0);
  }
}

TEST_CASE("Array: async elements: visible after flush and barrier") {
  dash::Array<int> array(64 * dash::size(), dash::CYCLIC);
  if (dash::myid() == 0) {
    for (index_t index = 0; index < static_cast<index_t>(array.size()); ++index) {
      array.async[index] = value_at(index);
    }
  }
  array.async.flush();
  array.barrier();
  std::vector<int> seen(array.size());
  for (index_t index = 0; index < static_cast<index_t>(array.size()); ++index) {
    array.async[index].get(&seen[static_cast<std::size_t>(index)]);
  }
  array.async.flush();
  for (std::size_t index = 0; index < seen.size(); ++index) {
    CHECK(seen[index] == value_at(static_cast<index_t>(index)));
  }
  array.barrier();
  int source = 4711;
  if (dash::myid() == 0) array.async[array.size() - 1].set(&source);
  array.barrier();
  CHECK(array[array.size() - 1] == 4711);
  CHECK(array.async[array.size() - 1].get() == 4711);
}

TEST_CASE("Array: initializer list: fills the caller's elements") {
  dash::Array<int> array(3 * dash::size(), {10, 20, 30 + dash::myid()});
  for (index_t unit = 0; unit < static_cast<index_t>(dash::size()); ++unit) {
    CHECK(array[3 * unit] == 10);
    CHECK(array[3 * unit + 2] == 30 + unit);
  }
  array.barrier();
}

TEST_CASE("Array: initializer list of a wrong length on one unit: an error on all") {
  using Catch::Matchers::ContainsSubstring;
  dash::Array<int> array;
  const bool bad = dash::myid() == static_cast<int>(dash::size()) - 1;
  const auto allocate = [&] {
    if (bad) {
      array.allocate(2 * dash::size(), {1, 2, 3}, dash::BLOCKED);
    } else {
      array.allocate(2 * dash::size(), {1, 2}, dash::BLOCKED);
    }
  };
  CHECK_THROWS_WITH(allocate(), ContainsSubstring("unit " + std::to_string(dash::size() - 1)) &&
                                    ContainsSubstring("3 initial values"));
  CHECK(array.empty());
  CHECK_THROWS_AS(array.allocate(0, {1}, dash::BLOCKED), dash::exception::InvalidArgument);
}

TEST_CASE("Array: at out of range: an error that names index and size") {
  dash::Array<int> array(10);
  if (dash::myid() == 0) array.at(9) = 3;
  array.barrier();
  CHECK(array.at(9) == 3);
  CHECK_THROWS_AS(array.at(10), dash::exception::OutOfRange);
  CHECK_THROWS_AS(array.at(-1), dash::exception::OutOfRange);
  CHECK_THROWS_WITH(array.at(10), Catch::Matchers::ContainsSubstring("index 10") &&
                                      Catch::Matchers::ContainsSubstring("10"));
  array.barrier();
}

TEST_CASE("Array: allocated late: usable, deallocated, allocated again") {
  dash::Array<int> array;
  CHECK(array.size() == 0);
  CHECK(array.lsize() == 0);
  CHECK(array.lbegin() == nullptr);
  CHECK(array.begin() == array.end());
  const dash::Array<int>::const_iterator reads_only = array.begin();
  CHECK(reads_only == array.end());
  CHECK(array.allocate(20, dash::CYCLIC));
  CHECK(array.size() == 20);
  array.deallocate();
  array.deallocate();
  CHECK(array.empty());
  CHECK(array.local.size() == 0);
  array.allocate(dash::BlockPattern<1>(30, dash::BLOCKCYCLIC(4)));
  CHECK(array.size() == 30);
  array.allocate(5);
  CHECK(array.size() == 5);
  // With the array's own pattern, which is released together with the memory.
  array.allocate(array.pattern());
  CHECK(array.size() == 5);
  dash::Array<int> none(0);
  CHECK(none.empty());
  CHECK(none.begin() == none.end());
}

TEST_CASE("Array: fewer elements than units: some units have none") {
  dash::Array<int> array(1);
  if (dash::myid() == 0) {
    CHECK(array.lsize() == 1);
    array.local[0] = 42;
  } else {
    CHECK(array.lsize() == 0);
    CHECK(array.lbegin() == array.lend());
  }
  array.barrier();
  CHECK(array[0] == 42);
  array.barrier();
}

TEST_CASE("Array: moved: elements, local part and iterators stay valid") {
  dash::Array<int> source(50);
  std::iota(source.lbegin(), source.lend(), 100 * dash::myid());
  const auto begin = source.begin();
  dash::Array<int> target(std::move(source));
  CHECK(source.size() == 0);  // NOLINT(bugprone-use-after-move): empty is promised
  CHECK(source.local.size() == 0);
  CHECK(target.size() == 50);
  CHECK(target.begin() == begin);
  CHECK(static_cast<int>(*begin) == static_cast<int>(target[0]));
  target.barrier();
  if (target.lsize() > 0) {
    target.local[0] = -1;
    CHECK(*target.lbegin() == -1);
  }
  target.barrier();
  if (dash::myid() == 0) target.async[49] = 7;
  target.barrier();
  CHECK(target[49] == 7);
  dash::Array<int> other(3);
  other = std::move(target);
  CHECK(other.size() == 50);
  std::vector<dash::Array<int>> several;
  for (int i = 0; i < 3; ++i)
    several.emplace_back(static_cast<std::size_t>(10 + i));
  CHECK(several[2].size() == 12);
  swap(several[0], several[2]);
  CHECK(several[0].size() == 12);
  CHECK(several[0].local.size() == several[0].lsize());
}

TEST_CASE("Array: elements of many types: bytes are transferred unchanged") {
  dash::Array<Particle> particles(10);
  dash::Array<bool> flags(10, dash::CYCLIC);
  dash::Array<std::array<char, 1000>> large(dash::size());
  dash::Array<NotDefault> numbers(dash::size());
  const Particle particle{{1.5, 2.5, 3.5}, -2, true};
  std::array<char, 1000> text{};
  text.fill('x');
  if (dash::myid() == 0) {
    particles[9] = particle;
    flags[9] = true;
    large[static_cast<index_t>(dash::size()) - 1] = text;
    numbers[static_cast<index_t>(dash::size()) - 1] = NotDefault(5);
  }
  dash::barrier();
  CHECK((particles[9] == particle));
  CHECK(flags[9] == true);
  CHECK(flags[8] == false);
  CHECK((large[static_cast<index_t>(dash::size()) - 1] == text));
  CHECK(numbers[static_cast<index_t>(dash::size()) - 1].get().value == 5);
  CHECK(particles[9].member(&Particle::charge) == -2);
  dash::barrier();
  if (dash::myid() == 0) particles[9].member(&Particle::charge) = 8;
  dash::barrier();
  CHECK(particles[9].member<int>(offsetof(Particle, charge)) == 8);
  CHECK(particles[9].get().position[2] == 3.5);
  dash::barrier();
}

TEST_CASE("Array: local view: blocks are those of the pattern") {
  dash::Array<int> array(100, dash::BLOCKCYCLIC(7));
  std::size_t sum = 0;
  const auto blocks = static_cast<index_t>(array.pattern().local_blockspec().size());
  for (index_t block = 0; block < blocks; ++block) {
    auto elements = array.local.block(block);
    for (int& element : elements)
      element = static_cast<int>(block);
    sum += elements.size();
  }
  CHECK(sum == array.lsize());
  for (std::size_t i = 0; i < array.lsize(); ++i) {
    CHECK(array.local[i] == static_cast<int>(i / 7));
  }
  array.barrier();
}

TEST_CASE("Array at namespace scope: allocated by a test: freed by finalize") {
  at_namespace_scope.allocate(static_cast<std::size_t>(10));
  CHECK(at_namespace_scope.size() == 10);
}

TEST_CASE("Array: of a team without units: an error that states the reason") {
  CHECK_THROWS_WITH(dash::Array<int>(10, dash::BLOCKED, dash::Team::Null()),
                    Catch::Matchers::ContainsSubstring("Team::Null()"));
}

TEST_CASE("Array: larger than memory: an error on all units") {
  CHECK_THROWS_AS(dash::Array<double>(std::size_t{1} << 55), dash::exception::RuntimeError);
  using Large = dash::Array<std::array<char, 1 << 20>>;
  CHECK_THROWS_AS(Large(std::size_t{1} << 62, dash::CYCLIC), dash::exception::InvalidArgument);
  dash::Array<int> after(10);
  CHECK(after.size() == 10);
}

TEST_CASE("Array: blocks: views of the elements of the pattern's blocks") {
  dash::Array<int> array(41, dash::BLOCKCYCLIC(6));
  const auto& constant = array;
  if (dash::myid() == 0) {
    for (index_t index = 0; index < 41; ++index)
      array[index] = value_at(index);
  }
  array.barrier();
  const auto nblocks = static_cast<index_t>(array.pattern().blockspec().size());
  CHECK(nblocks == 7);
  index_t index = 0;
  std::size_t local = 0;
  for (index_t b = 0; b < nblocks; ++b) {
    dash::Array<int>::view_type block = array.block(b);
    CHECK(block.size() == (b < 6 ? 6 : 5));
    CHECK(block.extent(0) == block.size());
    CHECK(block.offset(0) == index);
    CHECK(block[1] == value_at(index + 1));
    CHECK(block.at(1) == value_at(index + 1));
    CHECK(block.sub_local().size() == block.local_size());
    local += block.local_size();
    for (const int value : constant.block(b))
      CHECK(value == value_at(index++));
  }
  CHECK(index == 41);
  CHECK(local == array.lsize());
  for (index_t b = 0; b < static_cast<index_t>(array.pattern().local_blockspec().size()); ++b) {
    auto block = array.local.block(b);
    CHECK(block.size() == array.pattern().local_block(b).size());
    CHECK(std::all_of(block.begin(), block.end(), [](int value) { return value % 3 == 1; }));
  }
  array.barrier();
}

TEST_CASE("Array: async range: written by its iterators, visible after the flush") {
  dash::Array<int> array(33, dash::CYCLIC);
  array.barrier();
  if (dash::myid() == 0) {
    int value = 0;
    for (auto&& element : array.async)
      element = value++;
    array.async.flush();
    CHECK((array.async.end() - array.async.begin()) == 33);
  }
  array.barrier();
  index_t expected = 0;
  for (const int value : array)
    CHECK(value == expected++);
  array.barrier();
}

TEST_CASE("Array: moved and swapped: local and async elements are those of the new owner") {
  dash::Array<int> a(2 * dash::size());
  dash::Array<int> b(3 * dash::size(), dash::CYCLIC);
  const auto mine = static_cast<index_t>(dash::myid());
  swap(a, b);
  CHECK(a.local.size() == 3);
  CHECK(b.async.size() == 2 * dash::size());
  dash::Array<int> moved(std::move(a));
  CHECK(a.local.size() == 0);
  CHECK(a.async.size() == 0);
  CHECK(a.lbegin() == nullptr);
  moved.async[mine] = 5 + dash::myid();
  moved.async.flush();
  CHECK(moved.local[0] == 5 + dash::myid());
  b = std::move(moved);
  CHECK(b.local[0] == 5 + dash::myid());
  CHECK(b.async[mine].get() == 5 + dash::myid());
  b.barrier();
}

TEST_CASE("Array: local part: a span") {
  dash::Array<double> array(10 * dash::size());
  const std::span<double> span(array.local);
  CHECK(span.data() == array.lbegin());
  CHECK(span.size() == array.lsize());
  span[3] = 1.5;
  const auto& constant = array;
  const std::span<const double> read(constant.local);
  CHECK(read[3] == 1.5);
  STATIC_REQUIRE(std::ranges::contiguous_range<decltype(array.local)>);
  array.barrier();
}
