#include "DashLists.h"

#include <dash/Array.h>
#include <dash/Atomic.h>
#include <dash/Future.h>
#include <dash/Init.h>
#include <dash/Shared.h>
#include <dash/algorithm/Copy.h>

#include <algorithm>
#include <vector>

#include "support/NodeBlocks.h"

namespace triangles {

namespace {

/// Lists on the same node are read in place; others are copied.
class DashLists final : public Lists {
 public:
  explicit DashLists(const Graph& graph)
      : _graph(graph),
        _block_size(std::max<std::uint64_t>(1, graph.largest_block())),
        _lists(_block_size * static_cast<std::uint64_t>(graph.distribution().units)),
        _blocks(kernels::blocks_on_node(_lists)) {
    std::copy(graph.own_lists().begin(), graph.own_lists().end(), _lists.lbegin());
    _lists.barrier();
  }

  const Vertex* in_place(Vertex v) const override {
    const Vertex* const block = _blocks[static_cast<std::size_t>(_graph.distribution().owner(v))];
    return block == nullptr ? nullptr : block + _graph.offset(v);
  }

  void fetch(int unit, std::uint64_t offset, std::uint64_t n, Vertex* out) override {
    const auto first = _lists.begin() +
                       static_cast<Index>(static_cast<std::uint64_t>(unit) * _block_size + offset);
    _fetches.push_back(dash::copy_async(first, first + static_cast<Index>(n), out));
  }
  void progress() override {
    if (!_fetches.empty()) dash::progress();
  }
  void finish() override {
    for (auto& each : _fetches)
      each.get();
    _fetches.clear();
  }

  std::uint64_t take_vertices(std::uint64_t n) override { return _counter.get().fetch_add(n); }
  void reset_counter() override {
    if (_lists.team().myid() == 0) _counter.set(dash::Atomic<std::uint64_t>(0));
  }

 private:
  using Array = dash::Array<Vertex>;
  using Index = Array::index_type;

  const Graph& _graph;
  std::uint64_t _block_size;
  Array _lists;
  std::vector<Vertex*> _blocks;
  std::vector<dash::Future<Vertex*>> _fetches;
  dash::Shared<dash::Atomic<std::uint64_t>> _counter;
};

}  // namespace

std::unique_ptr<Lists> make_dash_lists(const Graph& graph, const std::string& /*via*/,
                                       bool /*is_dynamic*/) {
  return std::make_unique<DashLists>(graph);
}

}  // namespace triangles
