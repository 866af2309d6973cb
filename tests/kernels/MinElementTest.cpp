#include <vector>

#include "Problem.h"
#include "support/Catch.h"

using namespace min_element;

TEST_CASE("the minimum is at the index that the problem specifies") {
  for (int log = 4; log <= 16; ++log) {
    const Problem problem{log};
    std::vector<Value> elements(problem.elements());
    fill(problem, 0, elements);
    CHECK(minimum_of(elements, 0) == Minimum{problem.minimum(), problem.minimum_index()});
    CHECK(elements.back() == problem.minimum());
  }
}

TEST_CASE("the first of equal minima is found, even in different chunks") {
  std::vector<Value> elements(10000, 7);
  CHECK(minimum_of(elements, 100) == Minimum{7, 100});
  elements[9000] = elements[5000] = elements[4097] = -3;
  CHECK(minimum_of(elements, 100) == Minimum{-3, 4197});
  elements[4095] = -3;
  CHECK(minimum_of(elements, 0) == Minimum{-3, 4095});
}

TEST_CASE(
    "ranges have the elements of the whole array, and the first of their minima is its minimum") {
  const Problem problem{10};
  std::vector<Value> all(problem.elements());
  fill(problem, 0, all);
  Minimum smallest = none;
  for (std::size_t begin = 0; begin < all.size(); begin += 100) {
    std::vector<Value> part(std::min<std::size_t>(100, all.size() - begin));
    fill(problem, begin, part);
    CHECK(part.front() == all[begin]);
    const Minimum minimum = minimum_of(part, begin);
    if (is_before(minimum, smallest)) smallest = minimum;
  }
  CHECK(smallest == Minimum{problem.minimum(), problem.minimum_index()});
}

TEST_CASE("an empty range has no minimum") {
  CHECK(minimum_of({}, 5) == none);
  CHECK_FALSE(is_before(none, Minimum{INT32_MAX, 3}));
}

TEST_CASE("every element counts in the sum") {
  std::vector<Value> elements(9001, 1);
  CHECK(sum_of(elements) == 9001);
  elements[9000] = 5;
  CHECK(sum_of(elements) == 9005);
}
