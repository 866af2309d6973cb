#include "teams/Team.h"

#include "base/MpiCheck.h"
#include "network/rma/RmaDriver.h"
#include "dash/core/Log.h"
#include "dash/core/OtherProcesses.h"

namespace dash::dart {

Team::Entered::Entered(Team& team, const char* what, core::OperationKind kind, std::size_t nbytes,
                       int unit)
    : _team(team), _purpose(what, team._id, unit) {
  if (team._entered.exchange(true, std::memory_order_acquire)) {
    throw_error(DART_ERR_INVAL,
                "a collective of team {} is running in this unit already: in another thread, or "
                "around the continuation that calls this one",
                team._id);
  }
  core::count(kind, team.one_node() ? core::OperationPath::memory : core::OperationPath::two_sided,
              nbytes);
}

Team::Team(Session& session, RmaDriver& driver, dart_team_t id, TeamLayout layout,
           const TeamBlock& dimensions, std::uint64_t block)
    : _session(session),
      _driver(driver),
      _id(id),
      _layout(std::move(layout)),
      _dimensions(dimensions),
      _block(block),
      _control(*reinterpret_cast<TeamControl*>(block_of(_layout.members.front()))),
      _leaders(session.collective(), driver, _layout, id),
      _queue(session, driver, _layout, _dimensions, block, id),
      // The team of all units continues where an earlier life of the session stopped.
      _round(_control.released.value.load(std::memory_order_acquire)) {}

Team::~Team() {
  if (_communicator != MPI_COMM_NULL) MPI_Comm_free(&_communicator);
}

char* Team::block_of(int unit) const noexcept {
  return _session.heap().of_slot(_layout.slots[static_cast<std::size_t>(unit)]) + _block;
}

char* Team::contribution_of(int unit, std::size_t nbytes, std::uint32_t half) const noexcept {
  char* const block = block_of(unit);
  if (nbytes <= TeamBlock::small_bytes) {
    return block + TeamBlock::small_contributions + half * TeamBlock::small_bytes;
  }
  return block + _dimensions.contribution(half);
}

char* Team::result(std::size_t nbytes) const noexcept {
  char* const block = block_of(_layout.members.front());
  if (nbytes <= TeamBlock::small_bytes) {
    return block + TeamBlock::small_results + half() * TeamBlock::small_bytes;
  }
  return block + _dimensions.result(half());
}

void Team::meet(exec::FunctionRef<void()> lead) {
  // All others wait for the leader: what goes wrong there ends the job instead of hanging it.
  const auto lead_or_abort = [&] {
    try {
      lead();
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error,
                fmt::format("collective operation of team {}: {}", _id, error.what()));
      MPI_Abort(_session.world(), DART_EXIT_ABORT);
    }
  };
  core::before_other_processes();
  if (one_node()) {
    meet_on_one_node(lead_or_abort);
  } else {
    meet_on_several_nodes(lead_or_abort);
  }
  core::after_other_processes();
}

void Team::meet_on_one_node(exec::FunctionRef<void()> lead) {
  const auto units = static_cast<std::uint32_t>(_layout.node_size());
  const std::uint32_t next = _round + 1;
  // Release: our contribution; acquire, for the last one: everybody's.
  const std::uint32_t arrived = _control.arrived.value.fetch_add(1, std::memory_order_acq_rel) + 1;
  if (arrived == next * units) {
    lead();
    _control.released.publish(next);
  } else {
    exec::Engine::instance().wait_shared(_control.released,
                                         [next](std::uint32_t value) { return value == next; });
  }
}

void Team::meet_on_several_nodes(exec::FunctionRef<void()> lead) {
  const auto others = static_cast<std::uint32_t>(_layout.node_size() - 1);
  const std::uint32_t next = _round + 1;
  exec::Engine& engine = exec::Engine::instance();
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

void Team::barrier() {
  const Entered entered(*this, "a barrier of team {}", core::OperationKind::barrier, 0);
  meet([this] {
    if (!one_node()) _leaders.barrier();
  });
  ++_round;
}

/// After the barrier the others have read what they wanted, but may still be on their way out of
/// waiting for the leader's words; so they tell it when they are.
void Team::leave() {
  barrier();
  const auto others = static_cast<std::uint32_t>(_layout.node_size() - 1);
  // What `arrived` counts, as in the two kinds of meeting.
  const std::uint32_t before = _round * (one_node() ? others + 1 : others);
  if (!_layout.leads_node()) {
    const std::uint32_t arrived =
        _control.arrived.value.fetch_add(1, std::memory_order_seq_cst) + 1;
    if (arrived == before + others) _control.arrived.wake();
    return;
  }
  exec::Engine::instance().wait_shared(
      _control.arrived, [=](std::uint32_t value) { return value == before + others; });
}

MPI_Comm Team::communicator() {
  // Making one blocks inside MPI: nobody goes there before all are at hand.
  barrier();
  if (_communicator != MPI_COMM_NULL) return _communicator;
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  // MPICH 4.0 dies if the group is not of the communicator itself.
  check_mpi(MPI_Comm_group(_session.collective(), &all), "MPI_Comm_group");
  check_mpi(MPI_Group_incl(all, size(), _layout.units.data(), &members), "MPI_Group_incl");
  const int code = MPI_Comm_create_group(_session.collective(), members, _id, &_communicator);
  MPI_Group_free(&members);
  MPI_Group_free(&all);
  check_mpi(code, "MPI_Comm_create_group");
  check_mpi(MPI_Comm_set_errhandler(_communicator, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  return _communicator;
}

}  // namespace dash::dart
