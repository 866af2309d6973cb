#include "MpiLists.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include "support/MpiProgram.h"
#include "support/MpiWait.h"
#include "support/UserError.h"

namespace triangles {

namespace {

using kernels::MpiMemory;

/// All units send all their lists to all other units, without packing: other units need nearly all
/// of them.
class TwoSidedLists final : public Lists {
 public:
  explicit TwoSidedLists(const Graph& graph)
      : _graph(graph), _copies(static_cast<std::size_t>(graph.distribution().units)) {
    for (std::uint64_t i = 0; i < graph.distribution().vertices; ++i) {
      const auto v = static_cast<Vertex>(i);
      if (graph.distribution().is_own(v)) continue;
      auto& copy = _copies[static_cast<std::size_t>(graph.distribution().owner(v))];
      copy.resize(std::max(copy.size(), graph.offset(v) + graph.length(v)));
    }
  }

  void begin() override {
    _have_arrived = false;
    for (std::size_t unit = 0; unit < _copies.size(); ++unit) {
      auto& copy = _copies[unit];
      if (copy.empty()) continue;
      MPI_Irecv(copy.data(), static_cast<int>(copy.size()), MPI_UINT32_T, static_cast<int>(unit), 0,
                MPI_COMM_WORLD, &_requests.emplace_back());
    }
    const auto& own = _graph.own_lists();
    for (int unit = 0; unit < _graph.distribution().units; ++unit) {
      if (own.empty() || unit == _graph.distribution().unit) continue;
      MPI_Isend(own.data(), static_cast<int>(own.size()), MPI_UINT32_T, unit, 0, MPI_COMM_WORLD,
                &_requests.emplace_back());
    }
  }

  const Vertex* in_place(Vertex v) const override {
    const Distribution& distribution = _graph.distribution();
    const auto& lists = distribution.is_own(v)
                            ? _graph.own_lists()
                            : _copies[static_cast<std::size_t>(distribution.owner(v))];
    return lists.data() + _graph.offset(v);
  }
  bool has_arrived(Vertex v) const override {
    return _have_arrived || _graph.distribution().is_own(v);
  }
  void progress() override {
    if (_have_arrived) return;
    int are_done = 0;
    MPI_Testall(static_cast<int>(_requests.size()), _requests.data(), &are_done,
                MPI_STATUSES_IGNORE);
    if (are_done != 0) end();
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    end();
  }
  void fetch(int, std::uint64_t, std::uint64_t, Vertex*) override {}
  std::uint64_t take_vertices(std::uint64_t) override { return 0; }
  void reset_counter() override {}

 private:
  void end() {
    _requests.clear();
    _have_arrived = true;
  }

  const Graph& _graph;
  std::vector<std::vector<Vertex>> _copies;  // by unit: copy of its lists
  std::vector<MPI_Request> _requests;
  bool _have_arrived = false;
};

/// Fetches by gets with requests, which MPICH completes sooner than a flush, and reliably: MPICH
/// 4.0.2 returned from MPI_Win_flush_all before all of a hundred gets had arrived. The own lists
/// are read in place.
class RmaLists final : public Lists {
 public:
  explicit RmaLists(const Graph& graph)
      : _graph(graph),
        _lists(graph.own_lists().size() * sizeof(Vertex), MpiMemory::Kind::window),
        _counter(sizeof(std::uint64_t), MpiMemory::Kind::window) {
    std::copy(graph.own_lists().begin(), graph.own_lists().end(), _lists.local<Vertex>());
    MPI_Win_sync(_lists.window());
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const Vertex* in_place(Vertex v) const override {
    return _graph.distribution().is_own(v) ? _lists.local<Vertex>() + _graph.offset(v) : nullptr;
  }
  void fetch(int unit, std::uint64_t offset, std::uint64_t n, Vertex* out) override {
    MPI_Rget(out, static_cast<int>(n), MPI_UINT32_T, unit,
             static_cast<MPI_Aint>(offset * sizeof(Vertex)), static_cast<int>(n), MPI_UINT32_T,
             _lists.window(), &_requests.emplace_back());
  }
  void progress() override {
    if (!_requests.empty()) kernels::make_progress();
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    _requests.clear();
  }
  std::uint64_t take_vertices(std::uint64_t n) override {
    std::uint64_t before = 0;
    MPI_Fetch_and_op(&n, &before, MPI_UINT64_T, 0, 0, MPI_SUM, _counter.window());
    MPI_Win_flush(0, _counter.window());
    return before;
  }
  void reset_counter() override {
    if (_graph.distribution().unit != 0) return;
    *_counter.local<std::uint64_t>() = 0;
    MPI_Win_sync(_counter.window());
  }

 private:
  const Graph& _graph;
  MpiMemory _lists;
  MpiMemory _counter;
  std::vector<MPI_Request> _requests;
};

/// All lists are read in place.
class SharedLists final : public Lists {
 public:
  explicit SharedLists(const Graph& graph)
      : _graph(graph),
        _lists(graph.own_lists().size() * sizeof(Vertex), MpiMemory::Kind::shared),
        _counter(sizeof(Word), MpiMemory::Kind::shared) {
    std::copy(graph.own_lists().begin(), graph.own_lists().end(), _lists.local<Vertex>());
    MPI_Win_sync(_lists.window());
    for (int unit = 0; unit < graph.distribution().units; ++unit)
      _blocks.push_back(_lists.of<Vertex>(unit));
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const Vertex* in_place(Vertex v) const override {
    return _blocks[static_cast<std::size_t>(_graph.distribution().owner(v))] + _graph.offset(v);
  }
  void fetch(int, std::uint64_t, std::uint64_t, Vertex*) override {}
  void finish() override {}
  std::uint64_t take_vertices(std::uint64_t n) override {
    return std::atomic_ref<Word>(*_counter.of<Word>(0)).fetch_add(n, std::memory_order_relaxed);
  }
  void reset_counter() override {
    if (_graph.distribution().unit == 0) *_counter.of<Word>(0) = 0;
  }

 private:
  using Word = std::uint64_t;
  const Graph& _graph;
  MpiMemory _lists;
  MpiMemory _counter;
  std::vector<const Vertex*> _blocks;
};

}  // namespace

std::unique_ptr<Lists> make_mpi_lists(const Graph& graph, const std::string& via, bool is_dynamic) {
  if (via == "rma") return std::make_unique<RmaLists>(graph);
  if (via == "shared") return std::make_unique<SharedLists>(graph);
  if (is_dynamic) {
    throw kernels::UserError("--via two-sided has no shared counter: --chunk is not supported");
  }
  return std::make_unique<TwoSidedLists>(graph);
}

}  // namespace triangles
