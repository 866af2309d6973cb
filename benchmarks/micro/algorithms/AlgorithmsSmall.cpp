// dash-bench: units=2 layouts=node quick=node
//
// The overhead of collective algorithms with almost no work: on ten elements, compared with the collective
// operations that each algorithm needs at least. If these depend on each other, the baseline performs them
// one after the other. Also measures how long a unit folds the contributions of many units.
//
// An argument selects the algorithms whose names contain it.

#include <dash/Algorithm.h>
#include <dash/Array.h>
#include <dash/Collectives.h>
#include <dash/ExecutionPolicy.h>
#include <dash/Init.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/Comparison.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
using Action = std::function<void()>;
constexpr std::size_t count = 10;
constexpr double sample_ns = 1e6;
constexpr std::size_t max_units = 64;
constexpr std::size_t nbins = 8;

std::string filter;  // the argument of the program

/// Makes a candidate of an action of all units. The number of repetitions makes a sample take `sample_ns`.
Candidate make_candidate(const Action& action) {
  action();
  const double each_ns = measure_ns_per_call(5, [&](long) { action(); });
  const long repetitions = broadcast_from_first_unit(repetitions_within(sample_ns, each_ns));
  return [=] { return measure_ns_per_call(repetitions, [&](long) { action(); }); };
}

/// The runtime's all-gather of `nbytes` bytes from each unit.
template <std::size_t nbytes>
void allgather() {
  static std::array<char, nbytes> mine{};
  static std::array<char, nbytes * max_units> all;
  check(dart_allgather(mine.data(), all.data(), nbytes, DART_TYPE_BYTE, DART_TEAM_ALL));
  clobber_memory(all.data());
}
/// All-reduce of a flag, which the algorithms use as a barrier that also reports whether a unit has failed.
void allreduce() {
  const int mine = 0;
  int all = 0;
  check(dart_allreduce(&mine, &all, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL));
  do_not_optimize(all);
}
/// All-reduce of the counts of a histogram.
void allreduce_counts() {
  static const std::array<std::uint64_t, nbins> mine{};
  static std::array<std::uint64_t, nbins> all;
  check(dart_allreduce(mine.data(), all.data(), nbins, DART_TYPE_ULONGLONG, DART_OP_SUM,
                       DART_TEAM_ALL));
  clobber_memory(all.data());
}
void broadcast() {
  static std::array<Value, count> values{};
  check(dart_bcast(values.data(), count, DART_TYPE_DOUBLE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  clobber_memory(values.data());
}

/// The collective operations that an algorithm needs.
struct RequiredCollectives {
  std::string name;
  Action action;
};

RequiredCollectives gather_partial_results() {
  return {"all-gather 16 B", allgather<16>};
}
RequiredCollectives gather_elements() {
  return {"all-gather 24 B", allgather<24>};
}
RequiredCollectives reduce_flag() {
  return {"all-reduce of a flag", allreduce};
}

/// Adds the all-gather that reports an exception: if a user's function throws while a unit combines the
/// partial results, all units must be informed.
RequiredCollectives with_exception_flags(RequiredCollectives required) {
  return {required.name + ", 2 B", [first = std::move(required.action)] {
            first();
            allgather<2>();
          }};
}

class Comparison {
 public:
  explicit Comparison(Table& table)
      : _table(table), _ones(count), _other(count), _numbers(count), _out(count) {
    dash::fill(_ones.begin(), _ones.end(), 1.0);
    dash::fill(_other.begin(), _other.end(), 1.0);
    dash::iota(_numbers, 0.0);
    dash::iota(_out, 0.0);
  }

  void searches() {
    const auto is_one = [](Value value) { return value == 1; };
    add(
        "find", [&] { do_not_optimize(dash::find(begin(), end(), 2.0) - begin()); },
        gather_partial_results());
    add(
        "count", [&] { do_not_optimize(dash::count(begin(), end(), 2.0)); },
        gather_partial_results());
    add(
        "all_of", [&] { do_not_optimize(dash::all_of(begin(), end(), is_one)); },
        gather_partial_results());
    add(
        "equal", [&] { do_not_optimize(dash::equal(begin(), end(), _other.begin())); },
        gather_partial_results());
    add(
        "mismatch",
        [&] { do_not_optimize(dash::mismatch(begin(), end(), _other.begin()).first - begin()); },
        gather_partial_results());
    // The layout of the elements, the last element of each unit, the partial results.
    add("is_sorted", [&] { do_not_optimize(dash::is_sorted(_numbers)); },
        {"all-gathers 25, 9, 2 B", [] {
           allgather<25>();
           allgather<9>();
           allgather<2>();
         }});
  }

  void reductions() {
    const auto plus = [](Value a, Value b) { return a + b; };
    const auto less = [](Value a, Value b) { return a < b; };
    add(
        "reduce", [&] { do_not_optimize(dash::reduce(begin(), end(), 0.0)); },
        gather_partial_results());
    add(
        "reduce with a lambda", [&] { do_not_optimize(dash::reduce(begin(), end(), 0.0, plus)); },
        with_exception_flags(gather_partial_results()));
    add("reduce_async", [&] { do_not_optimize(dash::reduce_async(begin(), end(), 0.0).get()); },
        {"allgather_async 16 B", [] {
           using Answer = std::array<char, 16>;
           clobber_memory(dash::allgather_async(Answer{}).get().data());
         }});
    add(
        "transform_reduce",
        [&] { do_not_optimize(dash::transform_reduce(begin(), end(), _other.begin(), 0.0)); },
        gather_partial_results());
    add(
        "min_element", [&] { do_not_optimize(dash::min_element(begin(), end()) - begin()); },
        gather_elements());
    add(
        "min_element with a lambda",
        [&] { do_not_optimize(dash::min_element(begin(), end(), less) - begin()); },
        with_exception_flags(gather_elements()));
    add(
        "max_element", [&] { do_not_optimize(dash::max_element(begin(), end()) - begin()); },
        gather_elements());
    add("minmax_element",
        [&] { do_not_optimize(dash::minmax_element(begin(), end()).first - begin()); },
        {"all-gather 40 B", allgather<40>});
    add("histogram", [&] { clobber_memory(dash::histogram(_numbers, nbins, 0.0, 10.0).data()); },
        {"all-reduce of the counts", allreduce_counts});
  }

  void loops() {
    const auto twice = [](Value value) { return 2 * value; };
    add(
        "for_each", [&] { dash::for_each(_other, [](Value& value) { value += 1; }); },
        reduce_flag());
    add(
        "for_each_with_index",
        [&] {
          dash::for_each_with_index(_other.begin(), _other.end(),
                                    [](Value& value, auto i) { value = static_cast<Value>(i); });
        },
        reduce_flag());
    add(
        "transform", [&] { dash::transform(begin(), end(), _out.begin(), twice); }, reduce_flag());
    add(
        "iota", [&] { dash::iota(_out, 1.0); }, reduce_flag());
    add(
        "replace", [&] { dash::replace(begin(), end(), 2.0, 3.0); }, reduce_flag());
    add(
        "adjacent_difference", [&] { dash::adjacent_difference(begin(), end(), _out.begin()); },
        reduce_flag());
    add("broadcast",
        [&] {
          dash::broadcast(_native.begin(), _native.end(), dash::team_unit_t{0});
          clobber_memory(_native.data());
        },
        {"broadcast 80 B", ::broadcast});
  }

  void scans() {
    const RequiredCollectives sums{"all-gather 9 B, all-reduce of a flag", [] {
                                     allgather<9>();
                                     allreduce();
                                   }};
    add(
        "inclusive_scan", [&] { dash::inclusive_scan(begin(), end(), _out.begin()); }, sums);
    add(
        "exclusive_scan", [&] { dash::exclusive_scan(begin(), end(), _out.begin(), 0.0); }, sums);
  }

  /// These gather the layout of the elements first, and end with a barrier that reports exceptions.
  void rearrangements() {
    const auto is_small = [](Value value) { return value < 5; };
    // The number of elements that each unit has selected, and the contiguous blocks.
    add("copy_if", [&] { dash::copy_if(_numbers, _out.begin(), is_small); },
        {"all-gathers 17, 16 B, all-reduce of a flag", [] {
           allgather<17>();
           allgather<16>();
           allreduce();
         }});
    // All elements.
    const RequiredCollectives elements{"all-gathers 25, 48 B, all-reduce of a flag", [] {
                                         allgather<25>();
                                         allgather<48>();
                                         allreduce();
                                       }};
    add(
        "sort", [&] { dash::sort(_numbers); }, elements);
    add(
        "nth_element",
        [&] {
          do_not_optimize(
              *dash::nth_element(_numbers.begin(), _numbers.begin() + 5, _numbers.end()));
        },
        elements);
    // The last element of each unit, and the number of elements that it keeps.
    add("unique", [&] { do_not_optimize(dash::unique(_numbers) - _numbers.begin()); },
        {"all-gathers 25, 9, 9 B, all-reduce of a flag", [] {
           allgather<25>();
           allgather<9>();
           allgather<9>();
           allreduce();
         }});
    add("partition",
        [&] { do_not_optimize(dash::partition(_numbers, is_small) - _numbers.begin()); },
        {"all-gathers 25, 17 B, all-reduce of a flag", [] {
           allgather<25>();
           allgather<17>();
           allreduce();
         }});
  }

 private:
  void add(const std::string& name, const Action& algorithm, const RequiredCollectives& required) {
    if (name.find(filter) == std::string::npos) return;
    _table.add(make_row(name, "10 doubles", required.name,
                        compare(make_candidate(algorithm), make_candidate(required.action)),
                        ratio_at_most(2)));
  }
  using Iterator = dash::Array<Value>::iterator;
  Iterator begin() { return _ones.begin(); }
  Iterator end() { return _ones.end(); }

  Table& _table;
  dash::Array<Value> _ones;
  dash::Array<Value> _other;
  dash::Array<Value> _numbers;  // ascending; no algorithm changes their order
  dash::Array<Value> _out;
  std::vector<Value> _native = std::vector<Value>(count, 1.0);
};

/// The contributions of many units, stored as in internal::Gathered.
template <class T>
class Contributions {
 public:
  explicit Contributions(std::size_t units) : _slots(units) {}

  bool has_value(std::size_t unit) const { return _slots[unit].content == 1; }
  bool has_failed(std::size_t unit) const { return _slots[unit].content == 2; }
  T operator[](std::size_t unit) const { return dash::internal::load_from<T>(_slots[unit].bytes); }
  std::size_t size() const { return _slots.size(); }
  void set(std::size_t unit, const T& value) {
    std::memcpy(_slots[unit].bytes, &value, sizeof(value));
    _slots[unit].content = 1;
  }

 private:
  struct Slot {
    unsigned char bytes[sizeof(T)];
    unsigned char content;
  };
  std::vector<Slot> _slots;
};

/// Checks for failed units and folds the values in the order of the units.
/// \returns nanoseconds
template <class T, class Fold>
double time_of_fold(const Contributions<T>& values, Fold fold) {
  Samples samples;
  for (int i = 0; i < 21; ++i) {
    samples.push_back(measure_ns_per_call(static_cast<long>(2'000'000 / values.size()), [&](long) {
      std::size_t failed = 0;
      for (std::size_t unit = 0; unit < values.size(); ++unit)
        failed += values.has_failed(unit) ? 1 : 0;
      T result = values[0];
      for (std::size_t unit = 1; unit < values.size(); ++unit) {
        if (values.has_value(unit)) fold(result, values[unit]);
      }
      do_not_optimize(failed);
      clobber_memory(&result);
    }));
  }
  return median(samples);
}

/// Adds the time of the computation after the all-gather, simulated for large numbers of units.
void add_folds(Table& table) {
  using Found = dash::internal::LocatedElement<Value, dash::default_index_t>;
  for (const std::size_t units : {128, 4096, 65536}) {
    Contributions<Value> sums(units);
    Contributions<Found> found(units);
    for (std::size_t unit = 0; unit < units; ++unit) {
      const auto value = static_cast<Value>(unit * 7919 % units);
      sums.set(unit, value);
      found.set(unit, {value, static_cast<dash::default_index_t>(unit)});
    }
    const std::string size = std::to_string(units) + " units";
    const auto add = [](Value& sum, Value value) { sum += value; };
    const auto keep_first = [less = std::less<Value>()](Found& best, const Found& other) mutable {
      if (other.is_before(best, less)) best = other;
    };
    table.add({"reduce, fold only", size, format_duration(time_of_fold(sums, add)), "", "", ""});
    table.add({"min_element, fold only", size, format_duration(time_of_fold(found, keep_first)), "",
               "", ""});
  }
}

void measure(const World& world) {
  Table table;
  Comparison comparison(table);
  comparison.searches();
  comparison.reductions();
  comparison.loops();
  comparison.scans();
  comparison.rearrangements();
  if (filter.empty()) {
    measure_on_first_unit(PeerWait::dart_barrier, [&table] {
      add_folds(table);
      return 0.0;
    });
  }
  if (world.is_first_unit()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) filter = argv[1];
  return run_program(argc, argv, measure);
}
