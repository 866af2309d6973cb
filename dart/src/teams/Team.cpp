#include "teams/Team.h"

#include "base/MpiCheck.h"
#include "teams/Agreement.h"

namespace dash::dart {

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
  MPI_Group members = MPI_GROUP_NULL;
  run_on_all_or_throw(*this, "the group of a team", [&] { members = create_group(); });
  MPI_Comm created = MPI_COMM_NULL;
  // MPI must not leave the other units waiting if the call fails on one. Freeing a communicator is collective, so one that
  // some units lack is not freed.
  run_on_all_or_throw(*this, "MPI_Comm_create_group", [&] {
    const int code = MPI_Comm_create_group(_session.collective(), members, _id, &created);
    MPI_Group_free(&members);
    check_mpi(code, "MPI_Comm_create_group");
    check_mpi(MPI_Comm_set_errhandler(created, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  });
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
