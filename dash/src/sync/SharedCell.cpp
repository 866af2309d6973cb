#include "dash/internal/element/SharedCell.h"

#include <cstring>
#include <exception>
#include <string>

#include "dash/Exception.h"
#include "dash/core/Log.h"
#include "dash/dart/Access.h"
#include "dash/dart/Collective.h"
#include "dash/dart/if/dart.h"
#include "dash/internal/element/ElementAccess.h"

namespace dash::internal {

SharedCell::SharedCell(Team& team, team_unit_t owner, const void* value, std::size_t nbytes)
    : _team(&team) {
  if (owner < 0 || owner >= team.size()) {
    DASH_THROW(dash::exception::InvalidArgument,
               "dash::Shared: owner " << owner << " is not a unit of " << team);
  }
  std::string error;
  if (team.myid() == owner) {
    if (dart_memalloc(nbytes, DART_TYPE_BYTE, &_gptr) == DART_OK) {
      _owned = true;
      std::memcpy(dart::on_node_address(_gptr, nbytes), value, nbytes);
    } else {
      _gptr = DART_GPTR_NULL;
      error = dart_last_error();
    }
  }
  // The broadcast also orders the initialization of the value before accesses through the pointer.
  team.collectives().bcast(&_gptr, sizeof(_gptr), owner.id);
  if (DART_GPTR_ISNULL(_gptr)) {
    DASH_THROW(dash::exception::RuntimeError, "dash::Shared: unit "
                                                  << owner << " does not have enough memory for "
                                                  << nbytes << " bytes " << error);
  }
  _allocated = true;
  team.register_deallocator(this, [this] { free(); });
}

SharedCell::~SharedCell() {
  if (!_allocated) return;
  try {
    _team->unregister_deallocator(this);
    _team->barrier();
  } catch (const std::exception& error) {
    core::log(core::LogLevel::error, std::string("destruction of dash::Shared: ") + error.what());
  }
  free();
}

void SharedCell::free() noexcept {
  if (_owned) dart_memfree(_gptr);
  _owned = false;
  _allocated = false;
}

void throw_not_initialized(const char* what) {
  DASH_THROW(dash::exception::RuntimeError,
             what << ": the object or the library is not initialized, or the team has no units");
}

}  // namespace dash::internal
