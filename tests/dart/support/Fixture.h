#pragma once

/// \file
/// Utilities of the tests of the runtime.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>

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
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  return level == MPI_THREAD_MULTIPLE;
}

inline void barrier() {
  REQUIRE(dart_barrier(DART_TEAM_ALL) == DART_OK);
}

/// Whether the text of the calling thread's last error contains a text.
inline bool last_error_has(const std::string& text) {
  return std::string(dart_last_error()).find(text) != std::string::npos;
}

/// A segment of bytes on all units, freed at the end of the test.
class Bytes {
 public:
  explicit Bytes(std::size_t nbytes) : _nbytes(nbytes) {
    REQUIRE(dart_team_memalloc_aligned(DART_TEAM_ALL, nbytes, DART_TYPE_BYTE, &_begin) == DART_OK);
  }
  ~Bytes() {
    dart_barrier(DART_TEAM_ALL);
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
    REQUIRE(dart_gptr_getaddr(at(my_id()), &address) == DART_OK);
    return static_cast<unsigned char*>(address);
  }
  std::size_t size() const { return _nbytes; }

 private:
  std::size_t _nbytes;
  dart_gptr_t _begin = DART_GPTR_NULL;
};

}  // namespace dash::test
