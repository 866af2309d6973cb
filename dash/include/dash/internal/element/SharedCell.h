#pragma once

#include <cstddef>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Some bytes of global memory at one unit of a team, known to all of it. Lives at one address, so
/// that the team can free the memory when it ends.
/// \threads queries: any
class DASH_API SharedCell {
 public:
  /// \param value  `nbytes` bytes; that of the owner counts
  /// \throws exception::InvalidArgument unless the team has the owner,
  ///         exception::RuntimeError on all units if the owner lacks the memory
  /// \collective over the team
  SharedCell(Team& team, team_unit_t owner, const void* value, std::size_t nbytes);
  SharedCell(const SharedCell&) = delete;
  SharedCell& operator=(const SharedCell&) = delete;
  /// \collective over the team, unless it has ended
  ~SharedCell();

  bool is_allocated() const noexcept { return _allocated; }
  const dart_gptr_t& gptr() const noexcept { return _gptr; }

 private:
  void free() noexcept;

  Team* _team;
  dart_gptr_t _gptr = DART_GPTR_NULL;
  bool _owned = false;
  bool _allocated = false;
};

[[noreturn]] DASH_API void throw_not_initialized(const char* what);

}  // namespace dash::internal
