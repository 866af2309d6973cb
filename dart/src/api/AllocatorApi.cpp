#include <bit>
#include <cstdint>
#include <exception>
#include <memory>

#include "api/Boundary.h"
#include "base/Types.h"
#include "memory/Allocators.h"

namespace dart = dash::dart;

extern "C" {

dart_ret_t dart_allocator_new(size_t pool_size, dart_team_t team,
                              dart_allocator_t* new_allocator) noexcept {
  // Not with_output(): a null pointer is an error of the collective allocation.
  if (new_allocator != nullptr) *new_allocator = nullptr;
  return dart::with_runtime("dart_allocator_new", [&](dart::Runtime& runtime) {
    dart::Team& members = runtime.team(team);
    const auto request = dart::SymmetricHeap::request_of([&] {
      if (new_allocator == nullptr) dart::throw_error(DART_ERR_INVAL, "new_allocator is NULL");
      if (pool_size > SIZE_MAX / 2) {
        dart::throw_error(DART_ERR_INVAL, "pool_size {} exceeds the address space", pool_size);
      }
      return std::bit_ceil(pool_size);
    });
    dart_gptr_t begin = runtime.memory().allocate(members, request);
    begin.unitid = members.my_id();
    *new_allocator =
        runtime.allocators().add(std::make_unique<dart::Allocator>(begin, request.nbytes));
  });
}

dart_ret_t dart_allocator_alloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr,
                                dart_allocator_t allocator) noexcept {
  return dart::with_output("dart_allocator_alloc", gptr, "gptr", DART_GPTR_NULL,
                           [&](dart::Runtime& runtime) {
                             const std::size_t nbytes = dart::size_in_bytes(nelem, dtype);
                             *gptr = runtime.allocators().find(allocator).allocate(nbytes);
                           });
}

dart_ret_t dart_allocator_free(dart_gptr_t* gptr, dart_allocator_t allocator) noexcept {
  return dart::with_runtime("dart_allocator_free", [&](dart::Runtime& runtime) {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    runtime.allocators().find(allocator).free(*gptr);
    *gptr = DART_GPTR_NULL;
  });
}

dart_ret_t dart_allocator_destroy(dart_allocator_t* allocator) noexcept {
  return dart::with_runtime("dart_allocator_destroy", [&](dart::Runtime& runtime) {
    if (allocator == nullptr) dart::throw_error(DART_ERR_INVAL, "allocator is NULL");
    const dart_gptr_t begin = runtime.allocators().find(*allocator).begin();
    dart::Team& team = runtime.team(begin.teamid);
    team.barrier();
    const auto failure = runtime.pending_operations().try_flush(begin.segid);
    if (team.segments().count(begin.segid) != 0) runtime.memory().free(team, begin.segid);
    runtime.allocators().remove(*allocator);
    *allocator = nullptr;
    if (failure) std::rethrow_exception(failure);
  });
}

}  // extern "C"
