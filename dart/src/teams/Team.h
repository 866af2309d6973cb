#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dash/core/mapping/GridMapping.h"
#include "dash/dart/if/dart_types.h"
#include "launch/Session.h"
#include "launch/TeamBlock.h"
#include "teams/TeamLayout.h"
#include "teams/collectives/CollectiveEngine.h"
#include "teams/collectives/Reduction.h"

namespace dash::dart {

class IdPool;
class RmaDriver;

/// A block of the symmetric heap that this unit has freed, while other members of the team may still access it.
struct FreedBlock {
  std::uint64_t offset;
  std::int16_t id;
  IdPool* ids;
  bool recycles_id;  // it may be used next
};

/// A set of units with their collectives. A team has no MPI object until its communicator is requested.
class Team {
 public:
  /// \param dimensions  layout of the team's block
  /// \param block       offset of the block in the heap of each member; the block reads as zero
  Team(Session& session, RmaDriver& driver, dart_team_t id, TeamLayout layout,
       const TeamBlock& dimensions, std::uint64_t block);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  dart_team_t id() const noexcept { return _id; }
  int size() const noexcept { return _layout.size(); }
  int my_id() const noexcept { return _layout.my_id; }
  /// Slot on the caller's node of each unit of the team, or -1.
  const std::int32_t* slots() const noexcept { return _layout.slots.data(); }
  /// Global id of each unit of the team.
  const std::int32_t* units() const noexcept { return _layout.units.data(); }
  /// Id in the team of a unit given by its global id, or -1.
  std::int32_t local_id(std::int32_t global) const noexcept { return _layout.id_of(global); }
  const TeamLayout& layout() const noexcept { return _layout; }
  std::uint64_t block() const noexcept { return _block; }

  /// The grid to which the members are mapped; without extents if there is none.
  const core::mapping::Grid& grid() const noexcept { return _grid; }
  void set_grid(core::mapping::Grid grid) { _grid = std::move(grid); }

  CollectiveEngine& collectives() noexcept { return _collectives; }

  /// \name Blocking collectives that other subsystems use, see CollectiveEngine
  /// @{
  void barrier() { _collectives.barrier(); }
  void bcast(void* buffer, std::size_t nbytes, int root) {
    _collectives.bcast(buffer, nbytes, root);
  }
  void allgather(const void* send, void* recv, std::size_t nbytes) {
    _collectives.allgather(send, recv, nbytes);
  }
  void allreduce(const void* send, void* recv, std::size_t nelem, dart_datatype_t type,
                 dart_operation_t op) {
    _collectives.allreduce(send, recv, nelem, predefined_reduction(op, type));
  }
  /// @}

  /// A communicator of the members, in the order of their ids; created by the first call.
  /// \collective over the team
  /// \throws exception::RuntimeError on all units, if MPI cannot create it on one of them. If MPI leaves the other units
  ///         waiting, the job ends with an error
  MPI_Comm communicator();

  /// Ids of the live segments of this team.
  std::unordered_set<std::int16_t>& segments() noexcept { return _segments; }
  /// The next reservation of memory by the team, or its next barrier, releases them.
  std::vector<FreedBlock>& freed() noexcept { return _freed; }

 private:
  MPI_Group create_group() const;

  Session& _session;
  dart_team_t _id;
  TeamLayout _layout;
  std::uint64_t _block;
  core::mapping::Grid _grid;
  CollectiveEngine _collectives;
  MPI_Comm _communicator = MPI_COMM_NULL;
  std::unordered_set<std::int16_t> _segments;
  std::vector<FreedBlock> _freed;
};

}  // namespace dash::dart
