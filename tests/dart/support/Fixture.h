#pragma once

/// \file
/// Utilities of the tests of the runtime.

#include <cstddef>
#include <cstdint>
#include <string>

#include "dash/dart/Placement.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"

namespace dash::test {

inline int my_id() {
  dart_global_unit_t unit;
  REQUIRE(dart_myid(&unit) == DART_OK);
  return unit.id;
}

inline int num_units() {
  std::size_t n = 0;
  REQUIRE(dart_size(&n) == DART_OK);
  return static_cast<int>(n);
}

/// Whether several threads may call the library.
inline bool is_multithreaded() {
  return dart::placement().multithreaded;
}

inline void barrier() {
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
}

/// Whether the text of the calling thread's last error contains a text.
inline bool last_error_has(const std::string& text) {
  return std::string(dart_last_error()).find(text) != std::string::npos;
}

/// A segment of bytes on all units of a team, freed at the end of the test.
class Bytes {
 public:
  /// \param nbytes  may differ between the units: the segment has the largest size
  explicit Bytes(std::size_t nbytes, dart_team_t team = DART_TEAM_ALL)
      : _nbytes(nbytes), _team(team) {
    REQUIRE(dart_team_memalloc_aligned(team, nbytes, DART_TYPE_BYTE, &_begin) == DART_OK);
  }
  ~Bytes() {
    dart_barrier(_team);
    dart_team_memfree(_begin);
  }
  Bytes(const Bytes&) = delete;
  Bytes& operator=(const Bytes&) = delete;

  dart_gptr_t at(int unit, std::uint64_t offset = 0) const {
    dart_gptr_t gptr = _begin;
    gptr.unitid = unit;
    gptr.addr_or_offs.offset = offset;
    return gptr;
  }
  unsigned char* mine() const {
    void* address = nullptr;
    dart_team_unit_t me;
    REQUIRE(dart_team_myid(_team, &me) == DART_OK);
    REQUIRE(dart_gptr_getaddr(at(me.id), &address) == DART_OK);
    return static_cast<unsigned char*>(address);
  }
  std::size_t size() const { return _nbytes; }

 private:
  std::size_t _nbytes;
  dart_team_t _team;
  dart_gptr_t _begin = DART_GPTR_NULL;
};

}  // namespace dash::test
