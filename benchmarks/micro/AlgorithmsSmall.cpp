// dash-bench: units=2 layouts=node
//
// What collective algorithms cost when there is next to nothing to do: on ten elements, against the
// collectives that they cannot do without.

#include <array>
#include <functional>
#include <string>

#include "dash/Array.h"
#include "dash/Init.h"
#include "dash/algorithm/AllOf.h"
#include "dash/algorithm/Count.h"
#include "dash/algorithm/Equal.h"
#include "dash/algorithm/Fill.h"
#include "dash/algorithm/Find.h"
#include "dash/algorithm/ForEach.h"
#include "dash/algorithm/MinMax.h"
#include "dash/algorithm/Reduce.h"
#include "dash/algorithm/Scan.h"
#include "dash/algorithm/TransformReduce.h"
#include "support/Contest.h"
#include "support/Table.h"
#include "support/World.h"

using namespace dash::bench;

namespace {

constexpr std::size_t count = 10;
constexpr double sample_ns = 1e6;
constexpr std::size_t most_units = 64;

/// All units do it; so many times that a sample takes as long as it should.
Contestant contestant(const std::function<void()>& action) {
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

void measure(const World& world) {
  Table table;
  dash::Array<double> array(count);
  dash::Array<double> other(count);
  dash::fill(array.begin(), array.end(), 1.0);
  dash::fill(other.begin(), other.end(), 1.0);
  dash::barrier();
  const Contestant gather_index = contestant(allgather<16>);
  const Contestant gather_found = contestant(allgather<24>);
  const Contestant reduce_flag = contestant(allreduce);
  const Contestant gather_and_reduce = contestant([] {
    allgather<40>();
    allreduce();
  });
  const auto compare = [&](const std::string& what, const std::function<void()>& algorithm,
                           const std::string& twin_name, const Contestant& twin) {
    table.add(row_of(what, "10 doubles", twin_name, contest(contestant(algorithm), twin),
                     ratio_at_most(2)));
  };
  const auto begin = array.begin();
  const auto end = array.end();
  const auto is_one = [](double value) { return value == 1; };
  compare(
      "find", [&] { keep(dash::find(begin, end, 2.0) - begin); }, "all-gather 16 B", gather_index);
  compare(
      "count", [&] { keep(dash::count(begin, end, 2.0)); }, "all-gather 16 B", gather_index);
  compare(
      "all_of", [&] { keep(dash::all_of(begin, end, is_one)); }, "all-gather 16 B", gather_index);
  compare(
      "equal", [&] { keep(dash::equal(begin, end, other.begin())); }, "all-gather 16 B",
      gather_index);
  compare(
      "reduce", [&] { keep(dash::reduce(begin, end, 0.0)); }, "all-gather 16 B", gather_index);
  compare(
      "transform_reduce", [&] { keep(dash::transform_reduce(begin, end, other.begin(), 0.0)); },
      "all-gather 16 B", gather_index);
  compare(
      "min_element", [&] { keep(dash::min_element(begin, end) - begin); }, "all-gather 24 B",
      gather_found);
  compare(
      "for_each", [&] { dash::for_each(begin, end, [](double& value) { value += 1; }); },
      "all-reduce of a flag", reduce_flag);
  compare(
      "inclusive_scan", [&] { dash::inclusive_scan(begin, end, other.begin()); },
      "all-gather 40 B, all-reduce of a flag", gather_and_reduce);
  if (world.leads()) table.print();
}

}  // namespace

int main(int argc, char** argv) {
  return run_program(argc, argv, measure);
}
