#include "Agreement.h"

#include <dash/Init.h>
#include <dash/dart/if/dart.h>

#include <exception>
#include <new>
#include <string>

#include "common/Error.h"

namespace terrain {

void broadcast_bytes(void* bytes, std::size_t nbytes) {
  if (dart_bcast(bytes, nbytes, DART_TYPE_BYTE, DART_TEAM_UNIT_ID(0), DART_TEAM_ALL) != DART_OK) {
    // Nobody knows how the others fared: the end of the program, see main().
    throw std::runtime_error("the broadcast from unit 0 failed");
  }
}

void on_unit_0(const std::function<void()>& work) {
  std::string complaint;
  bool failed = false;
  if (dash::myid() == 0) {
    try {
      work();
    } catch (const std::bad_alloc&) {
      failed = true;
      complaint = "unit 0 has not enough memory for a copy of the whole terrain";
    } catch (const std::exception& error) {
      failed = true;
      complaint = error.what();
    }
  }
  if (from_unit_0(failed)) throw apps::UserError(complaint);
}

}  // namespace terrain
