#pragma once

#include <cstddef>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// A number of bytes of global memory at one unit of a team, accessible by all units. Must not
/// move, since the team frees the memory when it is destroyed.
/// \threads queries: thread-safe
class DASH_API SharedCell {
 public:
  /// \param value  `nbytes` bytes; the owner's argument is the initial value
  /// \throws exception::InvalidArgument if the owner is not in the team,
  ///         exception::RuntimeError on all units if the owner does not have enough memory
  /// \collective over the team
  SharedCell(Team& team, team_unit_t owner, const void* value, std::size_t nbytes);
  SharedCell(const SharedCell&) = delete;
  SharedCell& operator=(const SharedCell&) = delete;
  /// \collective over the team, unless the team has been destroyed
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
