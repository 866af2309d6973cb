#include <mpi.h>

#include <atomic>
#include <cstdint>

#include "Baseline.h"
#include "support/MpiProgram.h"

namespace npb_dt {

namespace {

using kernels::MpiMemory;

/// Common part of the one-sided exchanges. The memory that other processes access contains the
/// streams and, behind them, a flag for each incoming arc. The process at the source of the arc
/// sets the flag to the length of the stream.
class OneSided : public Exchange {
 public:
  OneSided(const Problem& problem, const Placement& placement, MpiMemory::Kind kind)
      : Exchange(problem, placement),
        _flags_begin(placement.max_streams() * longest() * sizeof(double)),
        _memory(_flags_begin + placement.max_arcs() * sizeof(std::uint64_t), kind) {
    set_stream_buffers(_memory.local<double>());
  }

  void prepare() override {
    poison_stream_buffers();
    for (const int arc : placement().arcs_to(unit()))
      flag(_memory.local<char>(), arc) = 0;
    MPI_Win_sync(_memory.window());
    _awaited = remote_arcs();
  }

 protected:
  const MpiMemory& memory() const { return _memory; }
  std::size_t flag_offset(int arc) const {
    return _flags_begin + placement().arc_index(arc) * sizeof(std::uint64_t);
  }
  std::uint64_t& flag(char* memory, int arc) const {
    return *reinterpret_cast<std::uint64_t*>(memory + flag_offset(arc));
  }
  std::size_t stream_offset(int node) const {
    return placement().stream_index(node) * longest() * sizeof(double);
  }
  struct Found {
    int arc = -1;
    std::size_t length = 0;
  };
  /// Finds an awaited arc whose flag has been set and removes it from the awaited ones.
  /// \returns arc -1 if there is none
  Found find() {
    for (std::size_t i = 0; i < _awaited.size(); ++i) {
      const int arc = _awaited[i];
      const std::uint64_t length =
          std::atomic_ref(flag(_memory.local<char>(), arc)).load(std::memory_order_acquire);
      if (length == 0) continue;
      _awaited.erase(_awaited.begin() + static_cast<std::ptrdiff_t>(i));
      return {arc, static_cast<std::size_t>(length)};
    }
    return {};
  }

 private:
  std::size_t _flags_begin;
  MpiMemory _memory;
  std::vector<int> _awaited;
};

class Rma final : public OneSided {
 public:
  Rma(const Problem& problem, const Placement& placement)
      : OneSided(problem, placement, MpiMemory::Kind::window),
        _receive_length(placement.max_remote_arcs() * longest()),
        _receive_buffers(std::make_unique_for_overwrite<double[]>(_receive_length)),
        _lengths(static_cast<std::size_t>(problem.graph.size())) {}

  void prepare() override {
    OneSided::prepare();
    poison({_receive_buffers.get(), _receive_length});
    _gets.clear();
    _arrivals.clear();
  }

  void publish(int node, std::size_t length) override {
    // Must remain valid: MPICH 4.0 sometimes reads the origin of a put after the flush.
    const std::uint64_t& value = _lengths[static_cast<std::size_t>(node)] = length;
    MPI_Win_sync(memory().window());
    for (const int number : problem().graph.node(node).out) {
      const Arc& arc = problem().graph.arc(number);
      if (placement().is_within_unit(arc)) continue;
      MPI_Put(&value, 1, MPI_UINT64_T, placement().unit_of(arc.to),
              static_cast<MPI_Aint>(flag_offset(number)), 1, MPI_UINT64_T, memory().window());
    }
  }

  std::optional<Arrival> poll() override {
    for (Found found = find(); found.arc >= 0; found = find())
      get(found);
    int i = MPI_UNDEFINED;
    int flag = 0;
    MPI_Testany(static_cast<int>(_gets.size()), _gets.data(), &i, &flag, MPI_STATUS_IGNORE);
    if (flag != 0 && i != MPI_UNDEFINED) return _arrivals[static_cast<std::size_t>(i)];
    // If there are no requests, only this call makes progress for gets of other processes.
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    return std::nullopt;
  }

  /// Flushes at the end of the run and not after each node: a flush waits until the target calls
  /// MPI, and the target may be computing.
  void end() override { memory().flush(); }

 private:
  void get(const Found& found) {
    double* const to = _receive_buffers.get() + placement().remote_arc_index(found.arc) * longest();
    const int from = problem().graph.arc(found.arc).from;
    const auto count = static_cast<int>(found.length);
    MPI_Rget(to, count, MPI_DOUBLE, placement().unit_of(from),
             static_cast<MPI_Aint>(stream_offset(from)), count, MPI_DOUBLE, memory().window(),
             &_gets.emplace_back());
    _arrivals.push_back({found.arc, {to, found.length}});
  }

  std::size_t _receive_length;
  std::unique_ptr<double[]> _receive_buffers;
  std::vector<std::uint64_t> _lengths;  // by node
  std::vector<MPI_Request> _gets;
  std::vector<Arrival> _arrivals;  // by request
};

class Shared final : public OneSided {
 public:
  Shared(const Problem& problem, const Placement& placement)
      : OneSided(problem, placement, MpiMemory::Kind::shared) {}

  void publish(int node, std::size_t length) override {
    for (const int number : problem().graph.node(node).out) {
      const Arc& arc = problem().graph.arc(number);
      if (placement().is_within_unit(arc)) continue;
      std::atomic_ref(flag(memory().of<char>(placement().unit_of(arc.to)), number))
          .store(length, std::memory_order_release);
    }
  }

  std::optional<Arrival> poll() override {
    const Found found = find();
    if (found.arc < 0) return std::nullopt;
    const int from = problem().graph.arc(found.arc).from;
    const char* const memory_of = memory().of<char>(placement().unit_of(from));
    return Arrival{
        found.arc,
        {reinterpret_cast<const double*>(memory_of + stream_offset(from)), found.length}};
  }
};

}  // namespace

std::unique_ptr<Exchange> make_rma_exchange(const Problem& problem, const Placement& placement) {
  return std::make_unique<Rma>(problem, placement);
}
std::unique_ptr<Exchange> make_shared_exchange(const Problem& problem, const Placement& placement) {
  return std::make_unique<Shared>(problem, placement);
}

}  // namespace npb_dt
