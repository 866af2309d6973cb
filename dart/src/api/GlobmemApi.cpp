#include <exception>

#include "api/Boundary.h"
#include "base/Types.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"
#include "memory/GlobalMemory.h"

namespace dart = dash::dart;

namespace {

char* own_part(dart::Runtime& runtime, const dart::Segment& segment) {
  if (segment.window != nullptr) return segment.base;
  return runtime.session().heap().own() + segment.heap_offset;
}

/// The request of a collective allocation. If the arguments of this unit are invalid, the
/// allocation fails on all units of the team, whose arguments may be valid.
template <class Check>
dart::SymmetricHeap::AllocationRequest allocation_request(size_t nelem, dart_datatype_t dtype,
                                                          const dart_gptr_t* gptr, Check check) {
  return dart::SymmetricHeap::request_of([&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    const std::size_t nbytes = dart::size_in_bytes(nelem, dtype);
    check(nbytes);
    return nbytes;
  });
}

/// Runs the body of a collective allocation.
template <class Body>
dart_ret_t allocate(const char* function, dart_gptr_t* gptr, Body body) {
  // Not with_output(): a null pointer is an error of the collective.
  if (gptr != nullptr) *gptr = DART_GPTR_NULL;
  return dart::with_runtime(function, body);
}

dart_ret_t attach(const char* function, dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                  void* addr, dart_gptr_t* gptr) {
  return allocate(function, gptr, [&](dart::Runtime& runtime) {
    dart::Team& team = runtime.team(teamid);
    const auto request = allocation_request(nelem, dtype, gptr, [&](std::size_t nbytes) {
      if (addr == nullptr && nbytes != 0) {
        dart::throw_error(DART_ERR_INVAL, "addr is NULL, for {} elements", nelem);
      }
    });
    *gptr = runtime.memory().attach(team, addr, request);
  });
}

/// Runs free(), after a flush of the segment's pending operations. \throws the error of the flush,
/// after free()
template <class Free>
void flush_and_free(dart::Runtime& runtime, std::int16_t segid, Free free) {
  const std::exception_ptr failure = runtime.pending_operations().try_flush(segid);
  free();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

extern "C" {

dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void** addr) noexcept {
  return dart::with_output("dart_gptr_getaddr", addr, "addr", nullptr, [&](dart::Runtime& runtime) {
    const dart::Segment& segment = dart::GlobalMemory::check(gptr, 0);
    if (gptr.unitid == runtime.team_of(segment).my_id())
      *addr = own_part(runtime, segment) + gptr.addr_or_offs.offset;
  });
}

dart_ret_t dart_gptr_setaddr(dart_gptr_t* gptr, void* addr) noexcept {
  return dart::with_runtime("dart_gptr_setaddr", [&](dart::Runtime& runtime) {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    dart_gptr_t begin = *gptr;
    begin.addr_or_offs.offset = 0;
    const dart::Segment& segment = dart::GlobalMemory::check(begin, 0);
    const auto offset = static_cast<char*>(addr) - own_part(runtime, segment);
    if (addr == nullptr || offset < 0 || static_cast<std::uint64_t>(offset) > segment.nbytes) {
      dart::throw_error(DART_ERR_INVAL, "{} is not in the caller's part of segment {}",
                        static_cast<const void*>(addr), gptr->segid);
    }
    gptr->addr_or_offs.offset = static_cast<std::uint64_t>(offset);
  });
}

dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t* flags) noexcept {
  return dart::with_runtime("dart_gptr_getflags", [&](dart::Runtime&) {
    if (flags == nullptr) dart::throw_error(DART_ERR_INVAL, "flags is NULL");
    *flags = dart::GlobalMemory::find(gptr).flags;
  });
}

dart_ret_t dart_gptr_setflags(dart_gptr_t* gptr, uint16_t flags) noexcept {
  return dart::with_runtime("dart_gptr_setflags", [&](dart::Runtime&) {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    if (flags > 0xff) dart::throw_error(DART_ERR_INVAL, "flags {:#x} have more than 8 bits", flags);
    dart::GlobalMemory::find(*gptr).flags = static_cast<std::uint8_t>(flags);
  });
}

dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr) noexcept {
  return dart::with_output(
      "dart_memalloc", gptr, "gptr", DART_GPTR_NULL, [&](dart::Runtime& runtime) {
        *gptr = runtime.memory().allocate_local(dart::size_in_bytes(nelem, dtype));
      });
}

dart_ret_t dart_memfree(dart_gptr_t gptr) noexcept {
  return dart::with_runtime("dart_memfree",
                            [&](dart::Runtime& runtime) { runtime.memory().free_local(gptr); });
}

dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                      dart_gptr_t* gptr) noexcept {
  return allocate("dart_team_memalloc_aligned", gptr, [&](dart::Runtime& runtime) {
    dart::Team& team = runtime.team(teamid);
    *gptr =
        runtime.memory().allocate(team, allocation_request(nelem, dtype, gptr, [](std::size_t) {}));
  });
}

dart_ret_t dart_team_memfree(dart_gptr_t gptr) noexcept {
  if (DART_GPTR_ISNULL(gptr)) return DART_OK;
  return dart::with_runtime("dart_team_memfree", [&](dart::Runtime& runtime) {
    const dart::Segment& segment = dart::GlobalMemory::find(gptr);
    if (gptr.segid <= 0) {
      dart::throw_error(DART_ERR_INVAL, "segment {} is not from dart_team_memalloc_aligned",
                        gptr.segid);
    }
    dart::Team& team = runtime.team_of(segment);
    flush_and_free(runtime, gptr.segid, [&] { runtime.memory().free(team, gptr.segid); });
  });
}

dart_ret_t dart_team_memregister_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                         void* addr, dart_gptr_t* gptr) noexcept {
  return attach("dart_team_memregister_aligned", teamid, nelem, dtype, addr, gptr);
}

dart_ret_t dart_team_memregister(dart_team_t teamid, size_t nlelem, dart_datatype_t dtype,
                                 void* addr, dart_gptr_t* gptr) noexcept {
  return attach("dart_team_memregister", teamid, nlelem, dtype, addr, gptr);
}

dart_ret_t dart_team_memderegister(dart_gptr_t gptr) noexcept {
  return dart::with_runtime("dart_team_memderegister", [&](dart::Runtime& runtime) {
    if (DART_GPTR_ISNULL(gptr)) return;
    const dart::Segment& segment = dart::GlobalMemory::find(gptr);
    if (segment.window == nullptr) {
      dart::throw_error(DART_ERR_INVAL, "segment {} is not from dart_team_memregister", gptr.segid);
    }
    dart::Team& team = runtime.team_of(segment);
    flush_and_free(runtime, gptr.segid, [&] { runtime.memory().detach(team, gptr.segid); });
  });
}

}  // extern "C"

namespace dash::dart {

bool is_own_memory(const void* address) noexcept {
  Runtime& runtime = Runtime::get();
  const Heap& heap = runtime.session().heap();
  const auto value = reinterpret_cast<std::uintptr_t>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(heap.own());
  return value - begin < heap.nbytes() || runtime.memory().is_registered(address);
}

}  // namespace dash::dart
