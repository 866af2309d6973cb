#include "Team.h"

#include <algorithm>
#include <cstring>

#include "MpiCheck.h"
#include "RmaDriver.h"
#include "Types.h"
#include "dash/core/Log.h"

namespace dash::dart {

namespace {

/// Splits `total` in pieces of at most `piece` and calls f(offset, length).
template <class F>
void for_each_piece(std::size_t total, std::size_t piece, F f) {
  for (std::size_t offset = 0; offset < total; offset += piece) {
    f(offset, std::min(piece, total - offset));
  }
}

}  // namespace

Team::Team(Session& session, RmaDriver& driver)
    : _session(session),
      _driver(driver),
      _layout(session.layout()),
      _control(*reinterpret_cast<TeamControl*>(session.heap().of_slot(0) + HeapPlan::team_control)),
      // Continues where an earlier life of this session stopped.
      _round(_control.released.value.load(std::memory_order_acquire)) {
  for (std::int32_t unit = 0; unit < _layout.nunits; ++unit)
    _units.push_back(unit);
  const auto nnodes = static_cast<std::size_t>(_layout.nnodes);
  _node_sizes.assign(nnodes, 0);
  std::vector<int> place_on_node;
  for (const std::int32_t node : _layout.node_of) {
    place_on_node.push_back(_node_sizes[static_cast<std::size_t>(node)]++);
  }
  _node_first.assign(nnodes, 0);
  for (std::size_t node = 1; node < nnodes; ++node) {
    _node_first[node] = _node_first[node - 1] + _node_sizes[node - 1];
  }
  for (std::size_t unit = 0; unit < place_on_node.size(); ++unit) {
    const auto node = static_cast<std::size_t>(_layout.node_of[unit]);
    _node_order.push_back(_node_first[node] + place_on_node[unit]);
  }
}

char* Team::contribution_of(int slot) const noexcept {
  return _session.heap().of_slot(slot) + HeapPlan::collective_buffers +
         (_round % 2) * contribution_bytes;
}

char* Team::result() const noexcept {
  return _session.heap().of_slot(0) + HeapPlan::collective_buffers + 2 * contribution_bytes +
         (_round % 2) * result_bytes;
}

void Team::meet(async::FunctionRef<void()> lead) {
  // All others wait for the leader: what goes wrong there ends the job instead of hanging it.
  const auto lead_or_abort = [&] {
    try {
      lead();
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error, fmt::format("collective operation: {}", error.what()));
      MPI_Abort(_session.world(), DART_EXIT_ABORT);
    }
  };
  if (_layout.nnodes == 1) {
    meet_on_one_node(lead_or_abort);
  } else {
    meet_on_several_nodes(lead_or_abort);
  }
}

void Team::meet_on_one_node(async::FunctionRef<void()> lead) {
  const auto units = static_cast<std::uint32_t>(_layout.node_units.size());
  const std::uint32_t next = _round + 1;
  // Release: our contribution; acquire, for the last one: everybody's.
  const std::uint32_t arrived = _control.arrived.value.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (arrived == next * units) {
    lead();
    _control.released.publish(next);
  } else {
    async::Engine::instance().wait_shared(_control.released,
                                          [next](std::uint32_t value) { return value == next; });
  }
}

void Team::meet_on_several_nodes(async::FunctionRef<void()> lead) {
  const auto others = static_cast<std::uint32_t>(_layout.node_units.size() - 1);
  const std::uint32_t next = _round + 1;
  async::Engine& engine = async::Engine::instance();
  if (!_layout.leads_node()) {
    const std::uint32_t arrived =
        _control.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
    if (arrived == next * others) _control.arrived.wake();
    engine.wait_shared(_control.released, [next](std::uint32_t value) { return value == next; });
    return;
  }
  engine.wait_shared(_control.arrived, [=](std::uint32_t value) { return value == next * others; });
  lead();
  _control.released.publish(next);
}

void Team::wait_for(MPI_Request request) {
  _driver.track(request).wait();
}

void Team::barrier() {
  meet([this] {
    if (_layout.nnodes == 1) return;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Ibarrier(_session.leaders(), &request), "MPI_Ibarrier");
    wait_for(request);
  });
  ++_round;
}

void Team::bcast(void* buffer, std::size_t nbytes, int root) {
  const bool one_node = _layout.nnodes == 1;
  const std::int32_t root_slot = _layout.slots[static_cast<std::size_t>(root)];
  const std::int32_t root_node = _layout.node_of[static_cast<std::size_t>(root)];
  for_each_piece(nbytes, contribution_bytes, [&](std::size_t offset, std::size_t length) {
    char* const mine = static_cast<char*>(buffer) + offset;
    if (_layout.unit == root) std::memcpy(my_contribution(), mine, length);
    meet([&] {
      if (one_node) return;
      if (root_slot >= 0) std::memcpy(result(), contribution_of(root_slot), length);
      MPI_Request request = MPI_REQUEST_NULL;
      check_mpi(MPI_Ibcast(result(), static_cast<int>(length), MPI_BYTE, root_node,
                           _session.leaders(), &request),
                "MPI_Ibcast");
      wait_for(request);
    });
    if (_layout.unit != root) {
      std::memcpy(mine, one_node ? contribution_of(root_slot) : result(), length);
    }
    ++_round;
  });
}

void Team::allgather(const void* send, void* recv, std::size_t nbytes_each) {
  char* const to = static_cast<char*>(recv);
  const auto me = static_cast<std::size_t>(_layout.unit);
  const bool in_place = send == nullptr || send == recv;
  const char* const from = in_place ? to + me * nbytes_each : static_cast<const char*>(send);
  const auto nunits = static_cast<std::size_t>(_layout.nunits);
  const bool one_node = _layout.nnodes == 1;
  const std::size_t piece =
      one_node ? contribution_bytes
               : std::clamp<std::size_t>(result_bytes / nunits, 1, contribution_bytes);
  for_each_piece(nbytes_each, piece, [&](std::size_t offset, std::size_t length) {
    std::memcpy(my_contribution(), from + offset, length);
    meet([&] {
      if (!one_node) allgather_between_nodes(length);
    });
    for (std::size_t unit = 0; unit < nunits; ++unit) {
      const char* part = one_node ? contribution_of(_layout.slots[unit])
                                  : result() + static_cast<std::size_t>(_node_order[unit]) * length;
      std::memmove(to + unit * nbytes_each + offset, part, length);
    }
    ++_round;
  });
}

/// The result is ordered by node and slot.
void Team::allgather_between_nodes(std::size_t nbytes) {
  const auto node = static_cast<std::size_t>(_layout.node);
  char* const ours = result() + static_cast<std::size_t>(_node_first[node]) * nbytes;
  for (std::size_t slot = 0; slot < _layout.node_units.size(); ++slot) {
    std::memcpy(ours + slot * nbytes, contribution_of(static_cast<int>(slot)), nbytes);
  }
  std::vector<int> counts;
  std::vector<int> displacements;
  for (std::size_t i = 0; i < _node_sizes.size(); ++i) {
    counts.push_back(_node_sizes[i] * static_cast<int>(nbytes));
    displacements.push_back(_node_first[i] * static_cast<int>(nbytes));
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, result(), counts.data(),
                            displacements.data(), MPI_BYTE, _session.leaders(), &request),
            "MPI_Iallgatherv");
  wait_for(request);
}

void Team::allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                     dart_operation_t op) {
  const std::size_t size = basic_type_sizes[type];
  // Pairs (MINMAX) must not be cut.
  const std::size_t piece = contribution_bytes / size / 2 * 2;
  for_each_piece(nelem, piece, [&](std::size_t offset, std::size_t length) {
    allreduce_chunk(static_cast<const char*>(send) + offset * size,
                    static_cast<char*>(recv) + offset * size, length, type, op);
  });
}

void Team::allreduce_chunk(const char* send, char* recv, std::size_t nelem, dart_datatype_t type,
                           dart_operation_t op) {
  const std::size_t nbytes = nelem * basic_type_sizes[type];
  const Reduction reduce = find_reduction(op, type);
  std::memcpy(my_contribution(), send, nbytes);
  meet([&] {
    // Combined by one unit, in the order of the slots: the same bits for everybody.
    char* const total = result();
    std::memcpy(total, contribution_of(0), nbytes);
    for (std::size_t slot = 1; slot < _layout.node_units.size(); ++slot) {
      reduce(contribution_of(static_cast<int>(slot)), total, nelem);
    }
    if (_layout.nnodes == 1) return;
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Iallreduce(MPI_IN_PLACE, total, static_cast<int>(nelem), mpi_type(type),
                             mpi_op(op, type), _session.leaders(), &request),
              "MPI_Iallreduce");
    wait_for(request);
  });
  std::memcpy(recv, result(), nbytes);
  ++_round;
}

}  // namespace dash::dart
