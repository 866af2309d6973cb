// The code of docs/reference/algorithms.md and docs/reference/sort.md.
// dash-example: units=1,3,4
#include <libdash.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

namespace {

int wrong = 0;
void expect(bool condition) {
  if (!condition) ++wrong;
}

void call_forms() {
  const std::size_t n = 1000;
  // --8<-- [start:forms]
  dash::Array<double> a(n);
  dash::fill(a.begin(), a.end(), 1.0);                 // as in DASH 0.4
  const double sum = dash::reduce(dash::par, a, 0.0);  // with an execution policy and a range
  auto largest = dash::max_element_async(a);           // as a task
  const double own = std::accumulate(a.lbegin(), a.lend(), 0.0);
  const dash::GlobIter it = largest.get();
  // --8<-- [end:forms]
  expect(sum == 1000 && own == static_cast<double>(a.lsize()) && it == a.begin());
}

void copies() {
  // --8<-- [start:copy]
  dash::NArray<double, 2> matrix(200, 300);
  dash::fill(matrix.begin(), matrix.end(), 1.0);
  dash::barrier();                                    // all units have filled their part
  auto box = matrix.sub<0>(100, 64).sub<1>(200, 64);  // rows 100 to 163, columns 200 to 263
  std::vector<double> tile(64 * 64);
  auto copied = dash::copy_async(box, tile.data());  // the whole box, from all its owners
  const double own = std::accumulate(matrix.lbegin(), matrix.lend(), 0.0);
  copied.wait();
  dash::copy(tile.data(), tile.data() + tile.size(), box.begin());
  // --8<-- [end:copy]
  expect(std::ranges::all_of(tile, [](double value) { return value == 1; }));
  expect(own == static_cast<double>(matrix.local_size()));

  dash::Array<int> a(100);
  dash::Array<int> b(100);
  dash::generate_with_index(a.begin(), a.end(), [](long i) { return static_cast<int>(i) - 50; });
  // --8<-- [start:copy_if]
  const auto end = dash::copy_if(a, b.begin(), [](int x) { return x > 0; });  // all units
  // --8<-- [end:copy_if]
  expect(end == b.begin() + 49);
  dash::barrier();
}

void products() {
  // --8<-- [start:summa]
  const std::size_t n =
      24 * dash::size();  // equal tiles: the extents are multiples of the grid of units
  const auto pattern =
      dash::make_pattern<dash::summa_pattern_partitioning_constraints,
                         dash::summa_pattern_mapping_constraints,
                         dash::summa_pattern_layout_constraints>(dash::SizeSpec<2>(n, n));
  using Matrix = dash::Matrix<double, 2, long, std::remove_const_t<decltype(pattern)>>;
  Matrix a(pattern);
  Matrix b(pattern);
  Matrix c(pattern);
  dash::fill(a.begin(), a.end(), 1.0);
  dash::fill(b.begin(), b.end(), 2.0);
  dash::barrier();
  dash::summa(a, b, c);  // c = a * b; dash::mmult is another name
  dash::Future<void> done = dash::summa_async(a, b, c);
  done.wait();
  // --8<-- [end:summa]
  expect(std::all_of(c.lbegin(), c.lend(),
                     [](double x) { return x == 48 * static_cast<double>(dash::size()); }));
  dash::barrier();
}

void accumulating_products() {
  const std::size_t m = 30;
  dash::NArray<double, 2> a(m, 20);
  dash::NArray<double, 2> b(20, 10);
  dash::NArray<double, 2> c(m, 10);
  dash::fill(a.begin(), a.end(), 1.0);
  dash::fill(b.begin(), b.end(), 2.0);
  dash::fill(c.begin(), c.end(), 100.0);
  dash::barrier();
  // --8<-- [start:gemm]
  dash::summa(0.5, a, b, -1.0, c);  // c = 0.5 * a * b - c
  // --8<-- [end:gemm]
  expect(std::all_of(c.lbegin(), c.lend(), [](double x) { return x == 0.5 * 40 - 100; }));
  dash::barrier();
}

void transpositions() {
  const std::size_t m = 30;
  const std::size_t n = 50;
  // --8<-- [start:transpose]
  dash::NArray<double, 2> a(m, n, dash::BLOCKED, dash::NONE);
  dash::NArray<double, 2> b(n, m, dash::BLOCKED, dash::NONE);
  dash::fill(a.begin(), a.end(), 1.0);
  dash::fill(b.begin(), b.end(), 3.0);
  dash::transpose(a, b, std::plus<>());  // b += transposed a
  // --8<-- [end:transpose]
  expect(std::all_of(b.lbegin(), b.lend(), [](double x) { return x == 4; }));
  dash::transpose(a, b);
  expect(std::all_of(b.lbegin(), b.lend(), [](double x) { return x == 1; }));
  dash::barrier();
}

void several_ranges() {
  const std::size_t n = 100;
  // --8<-- [start:zip]
  const double s = 3;
  dash::Array<double> a(n);
  dash::Array<double> b(n);
  dash::Array<double> c(n);
  dash::fill(b, 1.0);
  dash::fill(c, 2.0);
  dash::barrier();
  dash::transform(b, c, a, [s](double x, double y) { return x + s * y; });  // a = b + s * c
  dash::for_each(dash::zip(a, b, c),                                        // a += b + s * c
                 [s](double& sum, double x, double y) { sum += x + s * y; });
  const double weighted =
      dash::transform_reduce(dash::zip(a, b, c), 0.0, std::plus<>(),
                             [](double x, double y, double weight) { return weight * x * y; });
  // --8<-- [end:zip]
  expect(std::all_of(a.lbegin(), a.lend(), [](double x) { return x == 14; }));
  expect(weighted == 2800);
  dash::barrier();
}

void accumulation() {
  const std::size_t nbins = 10;
  // --8<-- [start:accumulate]
  dash::Array<long> histogram(nbins);
  dash::fill(histogram.begin(), histogram.end(), 0L);
  dash::barrier();
  const std::vector<long> own(nbins, 3);  // the counts of this unit
  dash::transform(own.begin(), own.end(), histogram.begin(), histogram.begin(), dash::plus<long>());
  dash::barrier();  // all units have added their counts
  // --8<-- [end:accumulate]
  for (const long count : histogram.local)
    expect(count == 3 * static_cast<long>(dash::size()));
  dash::barrier();
}

void sorting() {
  // --8<-- [start:sort]
  struct Body {
    double mass;
    long id;
  };
  dash::Array<int> numbers(100);
  dash::Array<Body> bodies(100);
  // --8<-- [end:sort]
  dash::generate_with_index(numbers, [](long i) { return static_cast<int>(i * 37 % 100); });
  dash::generate_with_index(bodies, [](long i) {
    return Body{static_cast<double>(i * 7 % 20), i};
  });
  dash::barrier();
  // --8<-- [start:sort_calls]
  dash::sort(numbers);                                                           // ascending
  dash::sort(bodies.begin(), bodies.end(), [](const Body& b) { return b.id; });  // by a key
  dash::sort(dash::par, bodies, [](const Body& x, const Body& y) { return x.mass > y.mass; });
  dash::stable_sort(bodies, [](const Body& b) { return b.mass; });  // equal keys keep their order
  const auto median = dash::nth_element(numbers, numbers.begin() + 50);  // on all units
  // --8<-- [end:sort_calls]
  expect(median.value() == 50);
  expect(dash::is_sorted(bodies.begin(), bodies.end(),
                         [](const Body& x, const Body& y) { return x.mass < y.mass; }));
  dash::barrier();
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  call_forms();
  copies();
  products();
  accumulating_products();
  transpositions();
  several_ranges();
  accumulation();
  sorting();
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
