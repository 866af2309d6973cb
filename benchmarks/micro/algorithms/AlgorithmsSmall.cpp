// dash-bench: units=2 layouts=node quick=node
//
// What collective algorithms cost when there is next to nothing to do: on ten elements, against the
// collectives that they cannot do without. Where these depend on each other there are several, one
// after the other. Besides, how long a unit folds what many units have contributed.
//
// An argument limits it to the algorithms whose names contain it.

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

#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

using Value = double;
using Action = std::function<void()>;
constexpr std::size_t count = 10;
constexpr double sample_ns = 1e6;
constexpr std::size_t most_units = 64;
constexpr std::size_t nbins = 8;

std::string wanted;

/// All units do it; so many times that a sample takes as long as it should.
Contestant contestant(const Action& action) {
  action();
  const double once = time_each(5, [&](long) { action(); });
  const long repetitions = from_first_unit(repetitions_within(sample_ns, once));
  return [=] { return time_each(repetitions, [&](long) { action(); }); };
}

/// The runtime's all-gather of so many bytes a unit.
template <std::size_t nbytes>
void allgather() {
  static std::array<char, nbytes> mine{};
  static std::array<char, nbytes * most_units> all;
  check(dart_allgather(mine.data(), all.data(), nbytes, DART_TYPE_BYTE, DART_TEAM_ALL));
  keep_memory(all.data());
}
/// A barrier that tells whether a unit has failed.
void allreduce() {
  const int mine = 0;
  int all = 0;
  check(dart_allreduce(&mine, &all, 1, DART_TYPE_INT, DART_OP_MAX, DART_TEAM_ALL));
  keep(all);
}
/// Of the counts of a histogram.
void allreduce_counts() {
  static const std::array<std::uint64_t, nbins> mine{};
  static std::array<std::uint64_t, nbins> all;
  check(dart_allreduce(mine.data(), all.data(), nbins, DART_TYPE_ULONGLONG, DART_OP_SUM,
                       DART_TEAM_ALL));
  keep_memory(all.data());
}
void broadcast() {
  static std::array<Value, count> values{};
  check(dart_bcast(values.data(), count, DART_TYPE_DOUBLE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL));
  keep_memory(values.data());
}

/// Collectives that an algorithm needs.
struct Need {
  std::string name;
  Action action;
};

Need one_answer() {
  return {"all-gather 16 B", allgather<16>};
}
Need found_element() {
  return {"all-gather 24 B", allgather<24>};
}
Need flag() {
  return {"all-reduce of a flag", allreduce};
}

/// Whatever a function that may throw makes of the answers, all have to know of its exception.
Need and_whether_it_threw(Need need) {
  return {need.name + ", 2 B", [first = std::move(need.action)] {
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
        "find", [&] { keep(dash::find(begin(), end(), 2.0) - begin()); }, one_answer());
    add(
        "count", [&] { keep(dash::count(begin(), end(), 2.0)); }, one_answer());
    add(
        "all_of", [&] { keep(dash::all_of(begin(), end(), is_one)); }, one_answer());
    add(
        "equal", [&] { keep(dash::equal(begin(), end(), _other.begin())); }, one_answer());
    add(
        "mismatch", [&] { keep(dash::mismatch(begin(), end(), _other.begin()).first - begin()); },
        one_answer());
    // Whose elements are where, the last one of each unit, the answers.
    add("is_sorted", [&] { keep(dash::is_sorted(_numbers)); }, {"all-gathers 25, 9, 2 B", [] {
                                                                  allgather<25>();
                                                                  allgather<9>();
                                                                  allgather<2>();
                                                                }});
  }

  void reductions() {
    const auto plus = [](Value a, Value b) { return a + b; };
    const auto less = [](Value a, Value b) { return a < b; };
    add(
        "reduce", [&] { keep(dash::reduce(begin(), end(), 0.0)); }, one_answer());
    add(
        "reduce, a lambda", [&] { keep(dash::reduce(begin(), end(), 0.0, plus)); },
        and_whether_it_threw(one_answer()));
    add("reduce_async", [&] { keep(dash::reduce_async(begin(), end(), 0.0).get()); },
        {"allgather_async 16 B", [] {
           using Answer = std::array<char, 16>;
           keep_memory(dash::allgather_async(Answer{}).get().data());
         }});
    add(
        "transform_reduce",
        [&] { keep(dash::transform_reduce(begin(), end(), _other.begin(), 0.0)); }, one_answer());
    add(
        "min_element", [&] { keep(dash::min_element(begin(), end()) - begin()); }, found_element());
    add(
        "min_element, a lambda", [&] { keep(dash::min_element(begin(), end(), less) - begin()); },
        and_whether_it_threw(found_element()));
    add(
        "max_element", [&] { keep(dash::max_element(begin(), end()) - begin()); }, found_element());
    add("minmax_element", [&] { keep(dash::minmax_element(begin(), end()).first - begin()); },
        {"all-gather 40 B", allgather<40>});
    add("histogram", [&] { keep_memory(dash::histogram(_numbers, nbins, 0.0, 10.0).data()); },
        {"all-reduce of the counts", allreduce_counts});
  }

  void loops() {
    const auto twice = [](Value value) { return 2 * value; };
    add(
        "for_each", [&] { dash::for_each(_other, [](Value& value) { value += 1; }); }, flag());
    add(
        "for_each_with_index",
        [&] {
          dash::for_each_with_index(_other.begin(), _other.end(),
                                    [](Value& value, auto i) { value = static_cast<Value>(i); });
        },
        flag());
    add(
        "transform", [&] { dash::transform(begin(), end(), _out.begin(), twice); }, flag());
    add(
        "iota", [&] { dash::iota(_out, 1.0); }, flag());
    add(
        "replace", [&] { dash::replace(begin(), end(), 2.0, 3.0); }, flag());
    add(
        "adjacent_difference", [&] { dash::adjacent_difference(begin(), end(), _out.begin()); },
        flag());
    add("broadcast",
        [&] {
          dash::broadcast(_native.begin(), _native.end(), dash::team_unit_t{0});
          keep_memory(_native.data());
        },
        {"broadcast 80 B", ::broadcast});
  }

  void scans() {
    const Need sums{"all-gather 9 B, all-reduce of a flag", [] {
                      allgather<9>();
                      allreduce();
                    }};
    add(
        "inclusive_scan", [&] { dash::inclusive_scan(begin(), end(), _out.begin()); }, sums);
    add(
        "exclusive_scan", [&] { dash::exclusive_scan(begin(), end(), _out.begin(), 0.0); }, sums);
  }

  /// They begin with whose elements are where, and end with a barrier that tells of exceptions.
  void arrangements() {
    const auto is_small = [](Value value) { return value < 5; };
    // How many each unit has selected, and which runs.
    add("copy_if", [&] { dash::copy_if(_numbers, _out.begin(), is_small); },
        {"all-gathers 17, 16 B, all-reduce of a flag", [] {
           allgather<17>();
           allgather<16>();
           allreduce();
         }});
    // The elements.
    const Need elements{"all-gathers 25, 48 B, all-reduce of a flag", [] {
                          allgather<25>();
                          allgather<48>();
                          allreduce();
                        }};
    add(
        "sort", [&] { dash::sort(_numbers); }, elements);
    add(
        "nth_element",
        [&] { keep(*dash::nth_element(_numbers.begin(), _numbers.begin() + 5, _numbers.end())); },
        elements);
    // The last element of each unit, and how many it keeps.
    add("unique", [&] { keep(dash::unique(_numbers) - _numbers.begin()); },
        {"all-gathers 25, 9, 9 B, all-reduce of a flag", [] {
           allgather<25>();
           allgather<9>();
           allgather<9>();
           allreduce();
         }});
    add("partition", [&] { keep(dash::partition(_numbers, is_small) - _numbers.begin()); },
        {"all-gathers 25, 17 B, all-reduce of a flag", [] {
           allgather<25>();
           allgather<17>();
           allreduce();
         }});
  }

 private:
  void add(const std::string& what, const Action& algorithm, const Need& need) {
    if (what.find(wanted) == std::string::npos) return;
    _table.add(row_of(what, "10 doubles", need.name,
                      contest(contestant(algorithm), contestant(need.action)), ratio_at_most(2)));
  }
  using Iterator = dash::Array<Value>::iterator;
  Iterator begin() { return _ones.begin(); }
  Iterator end() { return _ones.end(); }

  Table& _table;
  dash::Array<Value> _ones;
  dash::Array<Value> _other;
  dash::Array<Value> _numbers;  // ascending, and remain so
  dash::Array<Value> _out;
  std::vector<Value> _native = std::vector<Value>(count, 1.0);
};

/// What so many units have contributed, as internal::Gathered has it.
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

/// Looks for a unit that has failed, and folds the values in the order of the units.
template <class T, class Fold>
double time_of_fold(const Contributions<T>& values, Fold fold) {
  Samples samples;
  for (int i = 0; i < 21; ++i) {
    samples.push_back(time_each(static_cast<long>(2'000'000 / values.size()), [&](long) {
      std::size_t failed = 0;
      for (std::size_t unit = 0; unit < values.size(); ++unit)
        failed += values.has_failed(unit) ? 1 : 0;
      T result = values[0];
      for (std::size_t unit = 1; unit < values.size(); ++unit) {
        if (values.has_value(unit)) fold(result, values[unit]);
      }
      keep(failed);
      keep_memory(&result);
    }));
  }
  return median(samples);
}

/// What each unit does behind the all-gather, for more units than there are here.
void add_folds(Table& table) {
  using Found = dash::internal::Found<Value, dash::default_index_t>;
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
    const auto take_first = [less = std::less<Value>()](Found& best, const Found& other) mutable {
      if (other.is_before(best, less)) best = other;
    };
    table.add({"fold alone, reduce", size, duration(time_of_fold(sums, add)), "", "", ""});
    table.add(
        {"fold alone, min_element", size, duration(time_of_fold(found, take_first)), "", "", ""});
  }
}

void measure(const World& world) {
  Table table;
  Comparison comparison(table);
  comparison.searches();
  comparison.reductions();
  comparison.loops();
  comparison.scans();
  comparison.arrangements();
  if (wanted.empty()) {
    alone(Peers::asleep, [&table] {
      add_folds(table);
      return 0.0;
    });
  }
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) wanted = argv[1];
  return run_program(argc, argv, measure);
}
