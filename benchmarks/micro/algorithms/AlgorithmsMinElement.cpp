// dash-bench: units=2 layouts=node quick=node
//
// The time of min_element over array sizes, as figure 7 of the DASH paper (Fuerlinger, Fuchs, Kowalewski:
// DASH: A C++ PGAS Library for Distributed Data Structures and Parallel Algorithms, 2016): what the
// units' agreement costs below, the bandwidth of memory above.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/Init.h>
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = int;
constexpr int smallest = 10;
constexpr int largest = 27;
constexpr int rounds = 21;
constexpr double sample_ns = 2e6;

/// Up to the first the elements cost less than the agreement, so that the time is not doubled; from
/// the second on they do not fit into any cache.
constexpr int flat_until = 12;
constexpr int linear_from = 24;

struct Size {
  int log2;
  dash::Array<Value> array;
  std::vector<Value> plain;  // one unit's part

  explicit Size(int log) : log2(log), array(std::size_t{1} << log), plain(array.lsize()) {
    dash::generate_with_index(array.begin(), array.end(), [](auto i) {
      return static_cast<Value>((static_cast<unsigned>(i) * 2654435761U) >> 1);
    });
    std::copy(array.lbegin(), array.lend(), plain.begin());
    dash::barrier();
  }
};

/// Nanoseconds of a call, of as many as take a sample's time.
template <class Call>
double time_calls(long calls, const Call& call) {
  dash::barrier();
  return time_each(calls, [&](long) { call(); });
}

/// The time of a call, and of a loop over one unit's part that finds the least value, but not its place.
Contestant ours(Size& size, long calls) {
  return [&size, calls] {
    return time_calls(calls,
                      [&] { keep(dash::min_element(size.array.begin(), size.array.end()).pos()); });
  };
}
Contestant of_own_part(Size& size, long calls) {
  return [&size, calls] {
    return time_calls(calls, [&] {
      Value least = size.plain.front();
      for (const Value value : size.plain)
        least = std::min(least, value);
      keep(least);
    });
  };
}

long calls_of(Size& size) {
  return from_first_unit(std::min(repetitions_within(sample_ns, ours(size, 1)()), 1000L));
}

/// The figures of sizes next to each other, taken in turns: they are compared.
struct Series {
  int smallest;
  std::vector<Samples> ours;
  std::vector<Samples> own_part;

  Series(int first, int last) : smallest(first) {
    std::vector<std::unique_ptr<Size>> sizes;
    for (int log2 = first; log2 <= last; ++log2)
      sizes.push_back(std::make_unique<Size>(log2));
    std::vector<Contestant> contestants;
    for (auto& size : sizes)
      contestants.push_back(::ours(*size, calls_of(*size)));
    for (auto& size : sizes)
      contestants.push_back(of_own_part(*size, calls_of(*size)));
    auto samples = interleave(rounds, contestants);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      ours.push_back(std::move(samples[i]));
      own_part.push_back(std::move(samples[sizes.size() + i]));
    }
    dash::barrier();
  }

  int largest() const { return smallest + static_cast<int>(ours.size()) - 1; }
  const Samples& at(int log2) const { return ours[static_cast<std::size_t>(log2 - smallest)]; }
  const Samples& of_part(int log2) const {
    return own_part[static_cast<std::size_t>(log2 - smallest)];
  }
};

/// The time of one size over that of another.
Row growth(const std::string& what, int from, int to, const Samples& ours, const Samples& before,
           Bar bar) {
  return row_of(what, fmt::format("2^{} ints", to), fmt::format("2^{} ints", from),
                outcome_of(ours, before, {}), bar);
}

/// Doubled, or as a loop over one unit's part, which leaves the caches of the processor somewhere.
Bar grows_as(const Samples& loop, const Samples& loop_before) {
  const double most = std::max(2.2, 1.1 * median(loop) / median(loop_before));
  return {fmt::format("<= {:.3g}", most),
          [=](const Outcome& outcome) { return outcome.ratio.low <= most; }};
}

Bar ratio_between(double least, double most) {
  return {fmt::format("{} to {}", least, most), [=](const Outcome& outcome) {
            return outcome.ratio.low <= most && outcome.ratio.high >= least;
          }};
}

void print_head() {
  fmt::print("\n{:>12} {:>10} {:>12} {:>12} {:>12}\n", "elements", "bytes", "time", "per element",
             "bandwidth");
}

/// \param first  the first of its sizes that has not been printed
void print_series(const Series& series, int first) {
  for (int log2 = first; log2 <= series.largest(); ++log2) {
    const std::size_t count = std::size_t{1} << log2;
    const double ns = median(series.at(log2));
    fmt::print("{:>12} {:>10} {:>12} {:>9.3f} ns {:>12}   least value of a unit's part: {}\n",
               count, size_of(count * sizeof(Value)), duration(ns), ns / static_cast<double>(count),
               bandwidth(count * sizeof(Value), ns), duration(median(series.of_part(log2))));
  }
}

void add_rows(const Series& series, Table& table) {
  for (int log2 = series.smallest + 1; log2 <= series.largest(); ++log2) {
    const bool is_linear = log2 > linear_from;
    table.add(growth(is_linear ? "min_element, doubled, linear" : "min_element, doubled", log2 - 1,
                     log2, series.at(log2), series.at(log2 - 1),
                     is_linear ? ratio_between(1.8, 2.2)
                               : grows_as(series.of_part(log2), series.of_part(log2 - 1))));
    if (log2 <= flat_until) {
      table.add(growth("min_element, flat", smallest, log2, series.at(log2), series.at(smallest),
                       ratio_at_most(2)));
    }
  }
}

void measure(const World& world) {
  Table table;
  if (world.leads()) print_head();
  int first = smallest;
  // Each series begins with the size that the one before has ended with, so that all are compared.
  for (const int last : {flat_until + 1, linear_from, largest}) {
    const Series series(std::max(first - 1, smallest), last);
    if (world.leads()) {
      print_series(series, first);
      add_rows(series, table);
    }
    first = last + 1;
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
