#include "solver/Broadcast.h"

#include <dash/Init.h>
#include <dash/dart/if/dart.h>

#include <exception>
#include <new>
#include <string>

#include "common/Error.h"

namespace terrain {

void broadcast_bytes(void* bytes, std::size_t nbytes) {
  if (dart_bcast(bytes, nbytes, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL) != DART_OK) {
    // The call may have succeeded on other units, so this error ends the program; see main().
    throw std::runtime_error("the broadcast from unit 0 failed");
  }
}

void on_unit_0(const std::function<void()>& work) {
  std::string failure;
  bool failed = false;
  if (dash::myid() == 0) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      failed = true;
      failure = "unit 0 has not enough memory for a copy of the whole terrain";
    } catch (const std::exception& error) {
      failed = true;
      failure = error.what();
    }
  }
  if (broadcast(failed)) throw apps::UserError(failure);
}

}  // namespace terrain
