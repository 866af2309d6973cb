// Irregular data: a graph, gathered elements, a hash table, a list, and work and elements that move to other
// units.
// dash-example: units=1,3,4 layouts=node,nolocal
#include <dash/Bag.h>
#include <dash/CountingSet.h>
#include <dash/ObjectMap.h>
#include <dash/SparseMatrix.h>
#include <dash/WorkQueue.h>
#include <libdash.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr long num_vertices = 60;
constexpr int num_bins = 5;

/// The graph. A program would read it from a file.
long num_targets(long vertex) {
  return (vertex * vertex + vertex / 7) % 5;
}
long target(long vertex, long edge) {
  return (5 * vertex + vertex / 3 + 7 * edge * edge) % num_vertices;
}

// --8<-- [start:types]
using Edges = dash::Array<long, long, dash::CSRPattern<1>>;

/// The edges of the caller's vertices.
struct OwnEdges {
  std::vector<long> targets;     // of the first vertex, of the second, and so on
  std::vector<std::size_t> end;  // end of the edges of each vertex in `targets`
};
// --8<-- [end:types]

OwnEdges read_edges(const dash::Array<int>& vertices) {
  OwnEdges own;
  // --8<-- [start:own-edges]
  for (std::size_t i = 0; i < vertices.lsize(); ++i) {
    const long vertex = vertices.pattern().global(static_cast<long>(i));
    for (long edge = 0; edge < num_targets(vertex); ++edge)
      own.targets.push_back(target(vertex, edge));
    own.end.push_back(own.targets.size());
  }
  // --8<-- [end:own-edges]
  return own;
}

/// What a single process computes.
std::vector<int> expected_in_degrees() {
  std::vector<int> degrees(num_vertices);
  for (long vertex = 0; vertex < num_vertices; ++vertex)
    for (long edge = 0; edge < num_targets(vertex); ++edge)
      ++degrees[static_cast<std::size_t>(target(vertex, edge))];
  return degrees;
}

int degree_histogram(const Edges& edges) {
  // --8<-- [start:degrees]
  dash::Array<int> in_degree(num_vertices);  // 0
  for (const long vertex : edges.local)
    dash::GlobRef<dash::Atomic<int>>(in_degree[vertex]).add(1);
  in_degree.barrier();  // the additions of all units are complete
  // --8<-- [end:degrees]

  // --8<-- [start:histogram]
  const std::vector<std::size_t> histogram =
      dash::histogram(in_degree.begin(), in_degree.end(), num_bins,
                      [](int degree) { return std::min(degree, num_bins - 1); });
  if (dash::myid() == 0)
    for (int degree = 0; degree < num_bins; ++degree)
      std::printf("%d%s edges end at %zu vertices\n", degree,
                  degree + 1 < num_bins ? "" : " or more",
                  histogram[static_cast<std::size_t>(degree)]);
  // --8<-- [end:histogram]

  // --8<-- [start:fewer]
  std::map<long, int> counts;
  for (const long vertex : edges.local)
    ++counts[vertex];
  dash::Array<int> degrees(num_vertices);
  for (const auto& [vertex, count] : counts) {
    const dash::GlobRef<dash::Atomic<int>> degree(degrees[vertex]);
    dash::GlobAsyncRef<dash::Atomic<int>>(degree).add(count);  // does not wait
  }
  degrees.barrier();  // the additions of all units are complete
  // --8<-- [end:fewer]

  const std::vector<int> expected = expected_in_degrees();
  int wrong = 0;
  for (long vertex = 0; vertex < num_vertices; ++vertex) {
    const int degree = expected[static_cast<std::size_t>(vertex)];
    wrong += static_cast<int>(in_degree[vertex]) == degree ? 0 : 1;
    wrong += static_cast<int>(degrees[vertex]) == degree ? 0 : 1;
  }
  std::vector<std::size_t> bins(num_bins);
  for (const int degree : expected)
    ++bins[static_cast<std::size_t>(std::min(degree, num_bins - 1))];
  return wrong + (bins == histogram ? 0 : 1);
}

/// The product of a sparse matrix, with ones where the graph has edges, and a vector.
int sparse_product(const Edges& edges, const OwnEdges& own) {
  dash::Array<double> x(num_vertices);
  dash::generate_with_index(x.begin(), x.end(), [](long i) { return 0.5 * double(i); });
  x.barrier();  // all elements are written

  // --8<-- [start:gather]
  std::vector<double> values(edges.lsize());
  dash::gather_elements(x.begin(), edges.lbegin(), edges.lend(), values.data());
  // --8<-- [end:gather]

  // --8<-- [start:runs]
  // Once: the elements that the caller needs, each once, in ascending order.
  std::vector<long> columns(edges.lbegin(), edges.lend());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());

  // In each iteration: one block for adjacent elements.
  std::vector<double> fetched(columns.size());
  auto copied =
      dash::gather_elements_async(x.begin(), columns.begin(), columns.end(), fetched.data());
  // ... other work ...
  copied.get();
  // --8<-- [end:runs]

  int wrong = 0;
  dash::Array<double> y(num_vertices);
  // --8<-- [start:product]
  for (std::size_t row = 0, i = 0; row < own.end.size(); ++row) {
    double sum = 0;
    for (; i < own.end[row]; ++i) {
      const auto column = std::lower_bound(columns.begin(), columns.end(), own.targets[i]);
      sum += fetched[static_cast<std::size_t>(column - columns.begin())];
    }
    y.lbegin()[row] = sum;
  }
  // --8<-- [end:product]

  // --8<-- [start:sparse-matrix]
  std::vector<dash::MatrixEntry<double>> entries;  // of any rows
  for (std::size_t row = 0, i = 0; row < own.end.size(); ++row) {
    for (; i < own.end[row]; ++i)
      entries.push_back({y.pattern().global(static_cast<long>(row)), own.targets[i], 1.0});
  }
  const dash::SparseMatrix<double> matrix(num_vertices, num_vertices, entries);
  dash::Array<double> product(num_vertices);
  matrix.multiply(x, product);
  // --8<-- [end:sparse-matrix]
  for (std::size_t row = 0; row < own.end.size(); ++row) {
    const long vertex = y.pattern().global(static_cast<long>(row));
    double sum = 0;
    for (long edge = 0; edge < num_targets(vertex); ++edge)
      sum += 0.5 * double(target(vertex, edge));
    wrong += y.lbegin()[row] == sum ? 0 : 1;
    wrong += product.lbegin()[row] == sum ? 0 : 1;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    wrong += values[i] == 0.5 * double(own.targets[i]) ? 0 : 1;
  dash::barrier();
  return wrong;
}

int hash_table(const Edges& edges) {
  // --8<-- [start:map]
  using Counts = dash::UnorderedMap<long, dash::Atomic<long>, dash::HashUniform<long>>;
  Counts counts;
  for (const long vertex : edges.local)
    counts[vertex].add(1);  // any unit, any key; a new key starts with 0
  counts.barrier();

  long most = 0;
  for (auto it = counts.lbegin(); it != counts.lend(); ++it) {  // the elements of the caller
    const long key = it->first;
    most = std::max(most, counts.at(key).load());
  }
  most = dash::allreduce_async(most, dash::max<long>()).get();
  // --8<-- [end:map]
  const std::vector<int> expected = expected_in_degrees();
  counts.barrier();
  return most == *std::max_element(expected.begin(), expected.end()) ? 0 : 1;
}

int objects() {
  // --8<-- [start:object-map]
  using Lines = std::vector<int>;
  dash::ObjectMap<std::string, Lines> index;  // the lines of a text in which a word occurs
  const int number = dash::myid() + 1;
  std::istringstream line("line " + std::to_string(number));
  for (std::string word; line >> word;)
    index.visit_ff(
        word, [](Lines& lines, int n) { lines.push_back(n); }, number);
  dash::quiesce();  // all visits of all units have ended

  const std::optional<Lines> found = index.find("line").get();
  // --8<-- [end:object-map]

  // --8<-- [start:counting-set]
  dash::CountingSet<std::string> words;
  words.add("unit");
  words.add("number " + std::to_string(dash::myid() % 2));
  words.complete();
  std::size_t most = 0;
  for (const auto& [word, count] : words.local())  // the words that this unit owns
    most = std::max(most, count);
  most = dash::allreduce_async(most, dash::max<std::size_t>()).get();
  // --8<-- [end:counting-set]

  // --8<-- [start:bag]
  dash::Bag<std::string> work;
  for (int i = 0; dash::myid() == 0 && i < 12; ++i)
    work.add("item " + std::to_string(i));
  work.balance();  // each unit has 12 / dash::size() items, or one more
  // --8<-- [end:bag]

  const bool is_right = found && found->size() == dash::size() &&
                        words.count("unit").get() == dash::size() && most == dash::size() &&
                        work.local().size() >= 12 / dash::size();
  dash::quiesce();
  return is_right ? 0 : 1;
}

int moving_work() {
  constexpr int num_items = 50;
  dash::Array<dash::Atomic<int>> done(num_items);
  const auto process = [&](int item) { done[item].add(1); };
  // --8<-- [start:tickets]
  dash::SharedCounter<int> items;
  dash::Future<int> next = items.take_async();
  for (int item = next.get(); item < num_items; item = next.get()) {
    next = items.take_async();  // the answer arrives during the computation
    process(item);
  }
  // --8<-- [end:tickets]
  done.barrier();
  int wrong = 0;
  for (int item = 0; item < num_items; ++item)
    wrong += done[item].load() == 1 ? 0 : 1;
  done.barrier();
  return wrong;
}

int tree_search() {
  // --8<-- [start:tree]
  // In how many ways can 8 queens be placed on a chessboard, so that none attacks another one?
  using Columns = std::vector<int>;  // of the queens in the first rows
  const auto is_free = [](const Columns& queens, int column) {
    for (std::size_t row = 0; row < queens.size(); ++row) {
      const int distance = static_cast<int>(queens.size() - row);
      if (queens[row] == column || std::abs(queens[row] - column) == distance) return false;
    }
    return true;
  };
  int found = 0;
  dash::WorkQueue<Columns> queue;
  if (dash::myid() == 0) queue.push({});
  queue.run([&](Columns queens) {
    if (queens.size() == 8) {
      ++found;
      return;
    }
    for (int column = 0; column < 8; ++column) {
      if (!is_free(queens, column)) continue;
      queens.push_back(column);
      queue.push(queens);
      queens.pop_back();
    }
  });
  const int total = dash::allreduce_async(found, dash::plus<int>()).get();  // 92
  // --8<-- [end:tree]
  return total == 92 ? 0 : 1;
}

int moving_elements() {
  const int me = dash::myid().id;
  const int num_units = static_cast<int>(dash::size());
  constexpr long num_own = 30;
  // --8<-- [start:inbox]
  struct Particle {
    double position;  // in [0, 1): unit u owns those from u / num_units on
    int number;
  };
  constexpr long capacity = 500;
  dash::Array<Particle> inbox(static_cast<std::size_t>(capacity * num_units));
  dash::Array<dash::Atomic<long>> used(
      dash::size());  // number of elements in the inbox of each unit
  // --8<-- [end:inbox]

  std::vector<std::vector<Particle>> outgoing(dash::size());
  for (int i = 0; i < num_own; ++i) {
    const int number = static_cast<int>(num_own) * me + i;
    const double position = static_cast<double>(number * 37 % 101) / 101;
    outgoing[static_cast<std::size_t>(position * num_units)].push_back({position, number});
  }

  // --8<-- [start:send]
  // outgoing[unit] holds the particles that the unit owns now.
  for (int unit = 0; unit < num_units; ++unit) {
    const std::vector<Particle>& particles = outgoing[static_cast<std::size_t>(unit)];
    const long count = static_cast<long>(particles.size());
    const long slot = used[unit].fetch_add(count);  // reserves `count` slots
    if (slot + count > capacity) throw std::runtime_error("an inbox is full");
    dash::copy_async(particles.data(), particles.data() + count,
                     inbox.begin() + unit * capacity + slot);
  }
  inbox.barrier();  // all copies of all units are complete
  const long received = used[me].load();
  const std::vector<Particle> own(inbox.lbegin(), inbox.lbegin() + received);
  used[me].store(0);
  inbox.barrier();  // the inbox may be filled again
  // --8<-- [end:send]

  int wrong = 0;
  for (const Particle& particle : own)
    wrong += static_cast<int>(particle.position * num_units) == me ? 0 : 1;
  const long total = dash::allreduce_async(received, dash::plus<long>()).get();
  return wrong + (total == num_own * num_units ? 0 : 1);
}

int list() {
  // --8<-- [start:list]
  dash::List<int> results;
  for (int i = 0; i < 3; ++i)
    results.local.push_back(10 * dash::myid() + i);  // at the caller, without communication
  results.barrier();
  std::vector<int> all;
  for (auto it = results.begin(); it != results.end(); ++it)  // unit 0, then unit 1, ...
    all.push_back(*it);
  // --8<-- [end:list]
  results.barrier();
  return all.size() == 3 * dash::size() && std::is_sorted(all.begin(), all.end()) ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  int wrong = 0;
  {
    const dash::Array<int> vertices(num_vertices);  // equal blocks of vertices
    const OwnEdges own = read_edges(vertices);
    // --8<-- [start:edges]
    const std::vector<std::size_t> sizes = dash::allgather_async(own.targets.size()).get();
    Edges edges{dash::CSRPattern<1>(sizes)};
    std::copy(own.targets.begin(), own.targets.end(), edges.lbegin());
    edges.barrier();
    // --8<-- [end:edges]
    wrong += degree_histogram(edges);
    wrong += sparse_product(edges, own);
    wrong += hash_table(edges);
    wrong += objects();
    wrong += moving_work();
    wrong += tree_search();
    wrong += moving_elements();
    wrong += list();
    dash::barrier();
  }
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
