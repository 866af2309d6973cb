// An algorithm on top of the library: the cosine of the angle between two vectors, (a, b) / (|a| |b|), in one pass
// over the elements and with one collective. It has a blocking form and a form that returns a future.
// dash-example: units=1,3,4 layouts=node,nolocal
#include <libdash.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace {

// --8<-- [start:sums]
using Vector = dash::Array<double>;

struct Sums {
  double ab = 0;   // of the products of the elements
  double aa = 0;   // of the squares of the first vector
  double bb = 0;   // of the squares of the second vector
  int failed = 0;  // number of units that have failed
};
static_assert(std::is_trivially_copyable_v<Sums>);  // so that units can exchange it

Sums add(const Sums& x, const Sums& y) {
  return {x.ab + y.ab, x.aa + y.aa, x.bb + y.bb, x.failed + y.failed};
}
// --8<-- [end:sums]

// --8<-- [start:local]
constexpr std::size_t chunk_length = 4096;  // elements

/// The sums of the caller's elements, computed by all threads of the unit.
Sums local_sums(const Vector& a, const Vector& b) {
  if (!(a.pattern() == b.pattern()))
    throw std::invalid_argument("the vectors have different distributions");
  const auto x = dash::local_range(a.begin(), a.end());
  const auto y = dash::local_range(b.begin(), b.end());
  const auto n = static_cast<std::size_t>(x.end - x.begin);  // may be 0

  std::vector<Sums> of_chunk((n + chunk_length - 1) / chunk_length);
  dash::parallel_for(of_chunk.size(), [&](std::size_t chunk) {
    const std::size_t end = std::min(n, (chunk + 1) * chunk_length);
    Sums sums;
    for (std::size_t i = chunk * chunk_length; i < end; ++i) {
      sums.ab += x.begin[i] * y.begin[i];
      sums.aa += x.begin[i] * x.begin[i];
      sums.bb += y.begin[i] * y.begin[i];
    }
    of_chunk[chunk] = sums;
  });
  return std::accumulate(of_chunk.begin(), of_chunk.end(), Sums(), add);
}
// --8<-- [end:local]

// --8<-- [start:async]
/// Starts the algorithm. All units of the team call it; `team` has the units of the team of the vectors.
dash::Future<double> cosine_async(const Vector& a, const Vector& b, const dash::Team& team) {
  Sums own;
  try {
    own = local_sums(a, b);
  } catch (const std::exception&) {
    own.failed = 1;
  }
  return dash::allreduce_async(own, add, team).then([](const Sums& sums) {
    if (sums.failed > 0)
      throw std::runtime_error("cosine: " + std::to_string(sums.failed) + " units have failed");
    return sums.ab / std::sqrt(sums.aa * sums.bb);
  });
}
// --8<-- [end:async]

// --8<-- [start:blocking]
double cosine(const Vector& a, const Vector& b) {
  return cosine_async(a, b, a.team()).get();
}
// --8<-- [end:blocking]

// --8<-- [start:task]
/// The vectors and the team must exist until the future is ready. Until then, the program starts no other collective
/// of `team`.
dash::Future<double> cosine_task(const Vector& a, const Vector& b, const dash::Team& team) {
  return dash::async([&a, &b, &team] { return cosine_async(a, b, team); });
}
// --8<-- [end:task]

// --8<-- [start:ranges]
/// The number of the caller's elements of a range of `matrix` that exceed a limit.
template <class Range>
long count_above(const dash::NArray<double, 2>& matrix, const Range& range, double limit) {
  long count = 0;
  for (const auto& [begin, end] : dash::local_index_ranges(range).ranges)
    count += std::count_if(matrix.lbegin() + begin, matrix.lbegin() + end,
                           [limit](double x) { return x > limit; });
  return count;
}
// --8<-- [end:ranges]

// --8<-- [start:model]
double a_at(std::size_t i) {
  return static_cast<double>(i % 7);
}
double b_at(std::size_t i) {
  return static_cast<double>(i % 5) - 1;
}

/// What a single process computes, with a plain loop.
double expected_cosine(std::size_t n) {
  double ab = 0;
  double aa = 0;
  double bb = 0;
  for (std::size_t i = 0; i < n; ++i) {
    ab += a_at(i) * b_at(i);
    aa += a_at(i) * a_at(i);
    bb += b_at(i) * b_at(i);
  }
  return ab / std::sqrt(aa * bb);
}

bool is_right(std::size_t n) {
  Vector a(n);
  Vector b(n);
  dash::generate_with_index(a, [](long i) { return a_at(static_cast<std::size_t>(i)); });
  dash::generate_with_index(b, [](long i) { return b_at(static_cast<std::size_t>(i)); });
  // All sums are integers, so they do not depend on the order of the additions.
  return cosine(a, b) == expected_cosine(n);
}
// --8<-- [end:model]

int check_background() {
  constexpr std::size_t n = 20'000;
  Vector a(n);
  Vector b(n);
  dash::generate_with_index(a, [](long i) { return a_at(static_cast<std::size_t>(i)); });
  dash::generate_with_index(b, [](long i) { return b_at(static_cast<std::size_t>(i)); });
  int updates = 0;
  const auto update_other_data = [&updates] { ++updates; };
  // --8<-- [start:overlap]
  dash::Future<double> angle = cosine_async(a, b, a.team());
  update_other_data();  // while the units exchange their sums
  double result = angle.get();
  // --8<-- [end:overlap]
  int wrong = result == expected_cosine(n) ? 0 : 1;

  // --8<-- [start:team]
  dash::Team& all = dash::Team::All();
  dash::Team& team = all.size() > 1 ? all.split(1) : all;  // separate, the same units
  dash::Future<double> task = cosine_task(a, b, team);
  dash::barrier();  // of the team of all units
  update_other_data();
  result = task.get();
  // --8<-- [end:team]
  wrong += result == expected_cosine(n) && updates == 2 ? 0 : 1;
  dash::barrier();
  return wrong;
}

/// All units throw if one of them fails.
int check_errors() {
  const Vector a(100);
  const Vector b(101);
  try {
    cosine(a, b);
  } catch (const std::runtime_error&) {
    return 0;
  }
  return 1;
}

int check_box() {
  dash::NArray<double, 2> matrix(20, 30);
  dash::generate_with_index(matrix, [](long i) { return static_cast<double>(i % 10); });
  const auto box = matrix.sub<0>(3, 10).sub<1>(5, 10);
  const long own = count_above(matrix, box, 6.5);
  return dash::allreduce_async(own, dash::plus<long>()).get() == 30 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  // Fewer elements than units, and one or several chunks on each unit.
  for (const std::size_t n : {2, 3, 1000, 50'000})
    wrong += is_right(n) ? 0 : 1;
  wrong += check_background();
  wrong += check_errors();
  wrong += check_box();
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
