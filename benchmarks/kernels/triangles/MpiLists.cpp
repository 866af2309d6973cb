#include "MpiLists.h"

#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <new>
#include <vector>

#include "support/MpiProgram.h"
#include "support/UserError.h"

namespace triangles {

namespace {

using kernels::MpiMemory;

/// Owners know who has a neighbour before a vertex, and send them its list: all that a unit is ever
/// going to need, in one message of each other unit.
class TwoSidedLists final : public Lists {
 public:
  explicit TwoSidedLists(const Graph& graph)
      : _graph(graph),
        _own(graph.own_lists()),
        _outbox(units()),
        _inbox(units()),
        _places(graph.distribution().vertices, nullptr) {}

  void begin() override {
    pack();
    std::vector<int> sends(units());
    std::vector<int> receives(units());
    for (std::size_t unit = 0; unit < units(); ++unit)
      sends[unit] = static_cast<int>(_outbox[unit].size());
    MPI_Alltoall(sends.data(), 1, MPI_INT, receives.data(), 1, MPI_INT, MPI_COMM_WORLD);
    std::vector<MPI_Request> requests;
    for (std::size_t unit = 0; unit < units(); ++unit) {
      if (receives[unit] == 0) continue;
      _inbox[unit].resize(static_cast<std::size_t>(receives[unit]));
      MPI_Irecv(_inbox[unit].data(), receives[unit], MPI_UINT32_T, static_cast<int>(unit), 0,
                MPI_COMM_WORLD, &requests.emplace_back());
    }
    for (std::size_t unit = 0; unit < units(); ++unit) {
      if (sends[unit] == 0) continue;
      MPI_Isend(_outbox[unit].data(), sends[unit], MPI_UINT32_T, static_cast<int>(unit), 0,
                MPI_COMM_WORLD, &requests.emplace_back());
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (const auto& message : _inbox) {
      for (std::size_t i = 0; i < message.size(); i += 1 + _graph.length(message[i]))
        _places[message[i]] = message.data() + i + 1;
    }
  }

  const Vertex* in_place(Vertex v) const override {
    return _graph.distribution().is_own(v) ? _own.data() + _graph.place(v) : _places[v];
  }
  void fetch(int, std::uint64_t, std::uint64_t, Vertex*) override {}
  void finish() override {}
  std::uint64_t take(std::uint64_t) override { return 0; }
  void reset_counter() override {}

 private:
  std::size_t units() const { return static_cast<std::size_t>(_graph.distribution().units); }

  /// A vertex, then its list, as long as all know that it is.
  void pack() {
    for (auto& message : _outbox)
      message.clear();
    for (std::size_t i = 0; i < _graph.own_vertices().size(); ++i) {
      const Vertex v = _graph.own_vertices()[i];
      if (_graph.length(v) == 0) continue;
      const Vertex* const list = _own.data() + _graph.place(v);
      for (const int unit : _graph.wanted_by(i)) {
        auto& message = _outbox[static_cast<std::size_t>(unit)];
        message.push_back(v);
        message.insert(message.end(), list, list + _graph.length(v));
      }
    }
  }

  const Graph& _graph;
  const std::vector<Vertex>& _own;
  std::vector<std::vector<Vertex>> _outbox;
  std::vector<std::vector<Vertex>> _inbox;
  std::vector<const Vertex*> _places;
};

/// Gets with requests, which MPICH completes sooner than a flush, and reliably: MPICH 4.0.2 returned from
/// MPI_Win_flush_all before all of a hundred gets had arrived. The own lists are read where they are.
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
    return _graph.distribution().is_own(v) ? _lists.local<Vertex>() + _graph.place(v) : nullptr;
  }
  void fetch(int unit, std::uint64_t place, std::uint64_t n, Vertex* out) override {
    MPI_Rget(out, static_cast<int>(n), MPI_UINT32_T, unit,
             static_cast<MPI_Aint>(place * sizeof(Vertex)), static_cast<int>(n), MPI_UINT32_T,
             _lists.window(), &_requests.emplace_back());
  }
  void finish() override {
    MPI_Waitall(static_cast<int>(_requests.size()), _requests.data(), MPI_STATUSES_IGNORE);
    _requests.clear();
  }
  std::uint64_t take(std::uint64_t n) override {
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

/// All lists are read where they are.
class SharedLists final : public Lists {
 public:
  explicit SharedLists(const Graph& graph)
      : _graph(graph),
        _lists(graph.own_lists().size() * sizeof(Vertex), MpiMemory::Kind::shared),
        _counter(sizeof(Word), MpiMemory::Kind::shared) {
    std::copy(graph.own_lists().begin(), graph.own_lists().end(), _lists.local<Vertex>());
    MPI_Win_sync(_lists.window());
    for (int unit = 0; unit < graph.distribution().units; ++unit)
      _parts.push_back(_lists.of<Vertex>(unit));
    MPI_Barrier(MPI_COMM_WORLD);
  }

  const Vertex* in_place(Vertex v) const override {
    return _parts[static_cast<std::size_t>(_graph.distribution().owner(v))] + _graph.place(v);
  }
  void fetch(int, std::uint64_t, std::uint64_t, Vertex*) override {}
  void finish() override {}
  std::uint64_t take(std::uint64_t n) override {
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
  std::vector<const Vertex*> _parts;
};

}  // namespace

std::unique_ptr<Lists> make_mpi_lists(const Graph& graph, const std::string& via, bool is_dynamic) {
  if (via == "rma") return std::make_unique<RmaLists>(graph);
  if (via == "shared") return std::make_unique<SharedLists>(graph);
  if (is_dynamic) {
    throw kernels::UserError("--via two-sided has no counter that units share: without --chunk");
  }
  return std::make_unique<TwoSidedLists>(graph);
}

}  // namespace triangles
