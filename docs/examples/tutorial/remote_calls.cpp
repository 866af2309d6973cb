// Tutorial, chapter 7: functions that run at the unit that owns the data.
// dash-example: units=1,2,4,7
// --8<-- [start:program]
#include <dash/DistObject.h>
#include <dash/Rpc.h>
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

const std::vector<std::string> text{
    "the", "unit", "calls", "the",  "owner", "of",       "the", "data", "and", "the",   "owner",
    "of",  "the",  "data",  "runs", "the",   "function", "a",   "call", "may", "start", "calls"};

// --8<-- [start:table]
// The words that a unit owns, and how often each occurs.
using Words = std::unordered_map<std::string, int>;

std::mutex words_mutex;  // each unit has its own

void add_word(dash::DistObject<Words>& own, std::string word) {
  const std::lock_guard lock(words_mutex);
  ++(*own)[word];
}

int count_of_word(dash::DistObject<Words>& own, std::string word) {
  const std::lock_guard lock(words_mutex);
  const auto found = own->find(word);
  return found == own->end() ? 0 : found->second;
}
// --8<-- [end:table]

// --8<-- [start:owner]
int owner_of(const std::string& word) {
  std::uint32_t hash = 0;
  for (const char letter : word)
    hash = 31 * hash + static_cast<unsigned char>(letter);
  return static_cast<int>(hash % dash::size());
}
// --8<-- [end:owner]

// --8<-- [start:graph]
constexpr int num_vertices = 1000;

// The ends of the edges of a vertex. A program would read them from a file.
std::array<int, 2> neighbours(int vertex) {
  return {(3 * vertex + 6) % num_vertices, (vertex + 400) % num_vertices};
}

int unit_of(int vertex) {
  return vertex % static_cast<int>(dash::size());
}
// --8<-- [end:graph]

// --8<-- [start:visit]
// The vertices of a unit that have been reached.
using Reached = std::set<int>;

std::mutex reached_mutex;

void visit(dash::DistObject<Reached>& own, int vertex) {
  {
    const std::lock_guard lock(reached_mutex);
    if (!own->insert(vertex).second) return;  // has been visited before
  }
  for (const int next : neighbours(vertex))
    dash::rpc_ff(unit_of(next), visit, own, next);
}
// --8<-- [end:visit]

// --8<-- [start:tree]
// Node n of a binary tree has the children 2n and 2n + 1.
constexpr int num_nodes = 127;

int depth_below(int node) {
  if (node > num_nodes) return 0;
  dash::Future<int> left = dash::rpc(unit_of(2 * node), depth_below, 2 * node);
  dash::Future<int> right = dash::rpc(unit_of(2 * node + 1), depth_below, 2 * node + 1);
  return 1 + std::max(left.get(), right.get());  // the task waits, its thread does not
}
// --8<-- [end:tree]

// What a single process computes.
bool is_expected(const std::map<std::string, int>& counts, std::size_t num_reached) {
  for (const auto& [word, count] : counts)
    if (count != std::count(text.begin(), text.end(), word)) return false;
  Reached reached;
  std::vector<int> stack{1};
  while (!stack.empty()) {
    const int vertex = stack.back();
    stack.pop_back();
    if (!reached.insert(vertex).second) continue;
    for (const int next : neighbours(vertex))
      stack.push_back(next);
  }
  return reached.size() == num_reached;
}

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  bool is_right = true;
  {
    const int me = dash::myid();

    // --8<-- [start:insert]
    dash::DistObject<Words> words;
    for (std::size_t i = static_cast<std::size_t>(me); i < text.size(); i += dash::size())
      dash::rpc_ff(owner_of(text[i]), add_word, words, text[i]);
    dash::quiesce();
    // --8<-- [end:insert]

    // --8<-- [start:find]
    std::map<std::string, int> counts;
    if (me == 0) {
      std::map<std::string, dash::Future<int>> futures;
      for (const std::string word : {"call", "calls", "the", "thread"})
        futures[word] = dash::rpc(owner_of(word), count_of_word, words, word);
      for (auto& [word, future] : futures) {
        counts[word] = future.get();
        std::printf("%s: %d\n", word.c_str(), counts[word]);
      }
    }
    // --8<-- [end:find]

    // --8<-- [start:walk]
    dash::DistObject<Reached> reached;
    if (me == 0) dash::rpc_ff(unit_of(1), visit, reached, 1);
    dash::quiesce();
    const std::size_t total =
        dash::allreduce_async(reached->size(), dash::plus<std::size_t>()).get();
    if (me == 0) std::printf("vertices that can be reached from 1: %zu\n", total);
    // --8<-- [end:walk]

    // --8<-- [start:depth]
    if (me == 0) {
      const int depth = dash::rpc(unit_of(1), depth_below, 1).get();
      std::printf("levels of the tree: %d\n", depth);
      is_right = depth == 7;
    }
    // --8<-- [end:depth]

    is_right = is_right && is_expected(counts, total);
    dash::quiesce();  // before the objects are destroyed
  }
  dash::finalize();
  return is_right ? 0 : 1;
}
// --8<-- [end:program]
