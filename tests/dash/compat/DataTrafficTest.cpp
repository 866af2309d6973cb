// dash-test: parallel units=1,2,3,4 layouts=node,nolocal

// The data traffic benchmark in the form that programs for DASH of 2016 have: integers are ids of
// units.

#include <libdash.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "support/Catch.h"

// dash::accumulate is deprecated.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace {

using Timer = dash::util::Timer<dash::util::TimeMeasure::Clock>;

// Class S of the NAS parallel benchmark DT: the nodes of a graph are mapped to units.

constexpr int num_samples = 1728;
constexpr int deviation = 128;
constexpr int num_sources = 4;
constexpr int capacity = 8 * num_samples;

using Features = std::vector<double>;

/// The predecessors of each node; predecessors have smaller ids.
using Graph = std::vector<std::vector<int>>;

Graph black_hole() {
  Graph graph(num_sources);
  int first = 0;
  int count = num_sources;
  for (; count > 4; count = (count + 3) / 4) {
    const int next = first + count;
    for (int i = 0; i < count; ++i) {
      if (i % 4 == 0) graph.emplace_back();
      graph.back().push_back(first + i);
    }
    first = next;
  }
  graph.emplace_back();
  for (int i = 0; i < count; ++i)
    graph.back().push_back(first + i);
  return graph;
}

Graph white_hole() {
  const Graph reversed = black_hole();
  const int nodes = static_cast<int>(reversed.size());
  Graph graph(reversed.size());
  for (int node = 0; node < nodes; ++node) {
    for (const int predecessor : reversed[node])
      graph[nodes - 1 - predecessor].push_back(nodes - 1 - node);
  }
  return graph;
}

Graph shuffle() {
  Graph graph(num_sources);
  int layer = 0;
  for (int bit = 1; bit < num_sources; bit *= 2, ++layer) {
    for (int i = 0; i < num_sources; ++i)
      graph.push_back({layer * num_sources + (i & ~bit), layer * num_sources + (i | bit)});
  }
  return graph;
}

std::int32_t wrapped_product(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) * static_cast<std::uint32_t>(b));
}

std::int32_t power_modulo(std::int32_t base, int exponent, int modulus) {
  std::int32_t result = 1;
  if (exponent == 0) return result;
  for (; exponent > 1;) {
    if (exponent % 2 == 0) {
      base = wrapped_product(base, base) % modulus;
      exponent /= 2;
    } else {
      result = wrapped_product(result, base) % modulus;
      --exponent;
    }
  }
  return wrapped_product(result, base) % modulus;
}

Features source_features(int node) {
  const std::int64_t seed = 314159265LL * (2 * node + 1) % (1LL << 46);
  const auto inverse = static_cast<std::int32_t>(std::ldexp(1.0, 46) / static_cast<double>(seed));
  const int random = power_modulo(wrapped_product(inverse, 83), 2 * node + 1, 2 * deviation);
  const int features = num_samples - deviation + std::abs(random);
  const int exponent = 4 * features * (node + 1) % 3141592;
  constexpr std::array<int, 4> bases{2, 2, 2, 5};
  constexpr std::array<int, 4> moduli{421, 419, 1427, 3527};
  std::array<int, 4> state;
  for (int i = 0; i < 4; ++i)
    state[i] = power_modulo(bases[i], exponent, moduli[i]);
  Features result;
  for (int feature = 0; feature < features; ++feature) {
    for (int i = 0; i < 4; ++i) {
      state[i] = state[i] * bases[i] % moduli[i];
      result.push_back(state[i]);
    }
  }
  return result;
}

/// Resamples to a length of less than twice the present one.
void resample(Features& features, std::size_t length) {
  Features result(length);
  for (std::size_t i = 1; i + 1 < features.size(); ++i) {
    result[i - 1] += features[i] / 2;
    result[i] += features[i] / 2;
  }
  result.front() = features.front();
  result.back() = features.back();
  features = result;
}

double distance(const Features& a, const Features& b, std::size_t position) {
  double sum = 0;
  for (std::size_t i = position; i < position + 4; ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

void filter_window(Features& a, Features& b, int node) {
  if (a.size() < b.size()) resample(a, b.size());
  if (b.size() < a.size()) resample(b, a.size());
  const double weight = (node + 1.0) / (node + 2.0);
  for (std::size_t i = 4; i + 4 < a.size(); i += 4) {
    double smallest = distance(a, b, i);
    const double following = distance(a, b, i + 4);
    const double preceding = distance(a, b, i - 4);
    std::size_t choice = i;
    if (following < smallest) {
      choice = i + 4;
      smallest = following;
    }
    if (preceding < smallest) choice = i - 4;
    for (std::size_t f = 0; f < 4; ++f)
      a[i + f] = weight * b[choice + f];
  }
}

double checksum(const Features& features, int node) {
  double sum = 0;
  for (const double value : features)
    sum += value * value / static_cast<double>(features.size());
  return static_cast<double>(static_cast<std::int32_t>((node + 1) * sum));
}

/// Processes the graph. Units are identified by plain integers.
double run_graph(const Graph& graph) {
  const int nodes = static_cast<int>(graph.size());
  int me = dash::myid();
  REQUIRE(me == dash::Team::All().myid());
  dash::Array<double> outputs(static_cast<std::size_t>(nodes) * capacity,
                              dash::BLOCKCYCLIC(capacity));
  // The lengths of the predecessors' outputs.
  constexpr int max_predecessors = 4;
  dash::Array<dash::Atomic<int>> inboxes(static_cast<std::size_t>(nodes) * max_predecessors,
                                         dash::BLOCKCYCLIC(max_predecessors));
  dash::Array<double> values(static_cast<std::size_t>(nodes), dash::CYCLIC);
  std::vector<std::vector<int>> successors(graph.size());  // positions in the array of inboxes
  for (int node = 0; node < nodes; ++node) {
    for (std::size_t i = 0; i < graph[node].size(); ++i)
      successors[graph[node][i]].push_back(node * max_predecessors + static_cast<int>(i));
  }

  double sum = 0;
  for (int node = 0; node < nodes; ++node) {
    int owner = outputs.pattern().unit_at(node * capacity);
    const bool is_sink = successors[node].empty();
    if (owner == dash::myid()) {
      Features result;
      double value = 0;
      if (!is_sink) result.resize(4 * num_samples);
      if (graph[node].empty()) result = source_features(node);
      for (std::size_t i = 0; i < graph[node].size(); ++i) {
        int length = 0;
        while (length == 0) {
          inboxes.flush();  // lets the library receive the messages of other units
          length = inboxes[node * max_predecessors + static_cast<int>(i)].load();
        }
        Features input(static_cast<std::size_t>(length));
        const auto begin = outputs.begin() + graph[node][i] * capacity;
        dash::Future<double*> copied = dash::copy_async(begin, begin + length, input.data());
        copied.wait();
        if (is_sink) {
          value += checksum(input, node);
        } else {
          filter_window(result, input, node);
        }
      }
      if (is_sink) {
        const auto predecessors = static_cast<std::int64_t>(graph[node].size());
        value = static_cast<double>((node + 1) * (static_cast<std::int64_t>(value) / predecessors));
        values[node] = value;
        if (owner != 0) dart_send(&value, 1, DART_TYPE_DOUBLE, node, 0);
        sum += value;
      } else if (!graph[node].empty()) {
        const int predecessors = static_cast<int>(graph[node].size());
        for (double& element : result)
          element = static_cast<int>(element) / predecessors;
      }
      std::copy(result.begin(), result.end(), outputs.lbegin() + node / dash::size() * capacity);
      for (const int inbox : successors[node])
        inboxes.async[inbox].set(static_cast<int>(result.size()));
      inboxes.async.flush();
    }
  }
  // Unit 0 collects the values of the sinks of other units.
  for (int node = 0; node < nodes; ++node) {
    const int owner = outputs.pattern().unit_at(node * capacity);
    if (me != 0 || owner == me || !successors[node].empty()) continue;
    double value = 0;
    dart_recv(&value, 1, DART_TYPE_DOUBLE, node, owner);
    sum += value;
  }
  const int root = 0;
  dart_bcast(&sum, 1, DART_TYPE_DOUBLE, root, DART_TEAM_ALL);
  values.barrier();
  CHECK(dash::accumulate(values.begin(), values.end(), 0) == sum);
  return sum;
}

TEST_CASE("NPB DT has the published checksums with integers as unit ids") {
  std::ostringstream printed;
  std::streambuf* const output = std::cout.rdbuf(printed.rdbuf());
  dash::util::BenchmarkParams params("npb.dt");
  params.print_header();
  params.print_param("class", "size of the problem", "S");
  params.print_section_end();
  std::cout.rdbuf(output);
  CHECK((printed.str().find("npb.dt") != std::string::npos) == (dash::myid() == 0));

  Timer::Calibrate(0);
  const auto start = Timer::Now();
  CHECK(run_graph(black_hole()) == 30892725);
  CHECK(run_graph(white_hole()) == 67349758);
  CHECK(run_graph(shuffle()) == 58875767);
  CHECK(Timer::ElapsedSince(start) > 0);
}

TEST_CASE("Integers can be passed as unit ids") {
  dash::Team& team = dash::Team::All();
  const int units = static_cast<int>(dash::size());
  int me = dash::myid();
  me = team.myid();
  dash::Array<int> array(2 * units);
  dash::NArray<int, 2> matrix(2 * units, 3);
  for (int unit = 0; unit < units; ++unit) {
    CAPTURE(unit);
    int global = unit == me ? dash::myid() : unit;
    CHECK((global == unit && unit == team.begin()[unit]));
    CHECK((unit == dash::myid()) == (me == unit));
    int global_id = team.global_id(unit);
    int relative_id = team.relative_id(unit);
    CHECK(team.is_member(unit));
    CHECK(array.pattern().local_size(unit) == 2);
    CHECK(matrix.pattern().local_extents(unit)[1] == 3);
    CHECK(array.pattern().global(unit, std::array<dash::default_index_t, 1>{{1}})[0] ==
          2 * unit + 1);
    CHECK(array.pattern().global_index(unit, {{1}}) == 2 * unit + 1);
    CHECK(array.pattern().is_local(2 * unit, unit));
    CHECK((global_id == unit && relative_id == unit));
    CHECK(array.pattern().unit_at(2 * unit) == unit);
  }

  // Each unit writes to the following one.
  const int next = (me + 1) % units;
  array.async[2 * next] = me;
  array.flush(next);
  array.async.flush(next);
  dash::GlobPtr<int> pointer(array.begin().dart_gptr());
  pointer.set_unit(me);
  array.barrier();
  CHECK(pointer.is_local());
  CHECK(static_cast<int>(*pointer) == (me + units - 1) % units);

  const int last = units - 1;
  dash::Shared<int> shared(me, last);
  int values[2] = {me, 2 * me};
  dash::broadcast(values, values + 2, last);
  CHECK(values[1] == 2 * last);
  CHECK(static_cast<int>(shared.get()) == last);

  dart_gptr_t gptr = array.begin().dart_gptr();
  dart_gptr_setunit(&gptr, next);
  int value = 0;
  dart_get_blocking(&value, gptr, 1, DART_TYPE_INT, DART_TYPE_INT);
  CHECK(value == me);
  dart_unit_t id = -1;
  dart_myid(&id);
  CHECK(id == me);
  array.barrier();
}

}  // namespace
