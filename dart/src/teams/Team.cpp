#include "teams/Team.h"

#include <exception>
#include <memory>

#include "base/MpiCheck.h"
#include "dash/core/Clock.h"
#include "launch/BootstrapCollectives.h"
#include "teams/Agreement.h"
#include "teams/collectives/AsyncCollectives.h"
#include "teams/collectives/ReduceOperation.h"

namespace dash::dart {

namespace {

/// A group, freed at the end of the scope.
class MpiGroup {
 public:
  MpiGroup() noexcept = default;
  ~MpiGroup() {
    if (group != MPI_GROUP_NULL) MPI_Group_free(&group);
  }
  MpiGroup(const MpiGroup&) = delete;
  MpiGroup& operator=(const MpiGroup&) = delete;

  MPI_Group group = MPI_GROUP_NULL;
};

/// Whether a collective call of MPI has failed on some unit. If it has failed on this one, MPI may
/// have left other units waiting in the call: the job ends if they do not return.
bool has_failed_anywhere(Team& team, bool has_failed) {
  const std::uint64_t own = has_failed ? 1 : 0;
  std::uint64_t any = 0;
  const Reduction reduction = predefined_reduction(DART_OP_MAX, DART_TYPE_ULONGLONG);
  const auto done = exec::StatePtr<exec::State>::adopt(new exec::State());
  AsyncCollectives::instance().start(
      team, {std::make_unique<ReduceOperation>(team.layout(), team.collectives().queue().limits(),
                                               &own, &any, 1, reduction, ReduceOperation::all_units,
                                               is_ordered(team.layout(), reduction)),
             done, exec::Operation(), "allreduce"});
  if (!has_failed) {
    done->wait();
  } else if (!done->wait_until(core::now_ns() + ns_after_failure())) {
    end_job_after_failure(ns_after_failure());
  }
  if (done->failed()) std::rethrow_exception(done->error());
  return any != 0;
}

}  // namespace

Team::Team(Session& session, RmaDriver& driver, dart_team_t id, TeamLayout layout,
           const TeamBlock& dimensions, std::uint64_t block)
    : _session(session),
      _id(id),
      _layout(std::move(layout)),
      _block(block),
      _collectives(session, driver, _layout, dimensions, block, id) {}

Team::~Team() {
  if (_communicator != MPI_COMM_NULL) MPI_Comm_free(&_communicator);
}

MPI_Comm Team::communicator() {
  // Creating one blocks inside MPI, so all members arrive first.
  barrier();
  if (_communicator != MPI_COMM_NULL) return _communicator;
  MpiGroup members;
  run_on_all_or_throw(*this, "the group of a team", [&] { members.group = create_group(); });
  MPI_Comm created = MPI_COMM_NULL;
  const int code = MPI_Comm_create_group(_session.collective(), members.group, _id, &created);
  const bool has_failed = has_failed_anywhere(*this, code != MPI_SUCCESS);
  check_mpi(code, "MPI_Comm_create_group");
  // Freeing a communicator is collective, so one that some units lack is not freed.
  if (has_failed)
    throw_error(DART_ERR_OTHER, "MPI_Comm_create_group: failed on another unit of team {}", _id);
  check_mpi(MPI_Comm_set_errhandler(created, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  _communicator = created;
  return created;
}

MPI_Group Team::create_group() const {
  MPI_Group all = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  // MPICH 4.0 crashes if the group does not derive from the communicator itself.
  check_mpi(MPI_Comm_group(_session.collective(), &all), "MPI_Comm_group");
  const int code = MPI_Group_incl(all, size(), _layout.units.data(), &members);
  MPI_Group_free(&all);
  check_mpi(code, "MPI_Group_incl");
  return members;
}

}  // namespace dash::dart
