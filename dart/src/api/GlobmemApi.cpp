#include <exception>

#include "base/Error.h"
#include "memory/GlobalMemory.h"
#include "api/Runtime.h"
#include "base/Types.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_globmem.h"

namespace dart = dash::dart;

namespace {

bool is_mine(const dart::Segment& segment, const dart_gptr_t& gptr) {
  return gptr.unitid == dart::Runtime::get().team_of(segment).my_id();
}

char* my_part(const dart::Segment& segment) {
  if (segment.window != nullptr) return segment.base;
  dart::Session& session = dart::Runtime::get().session();
  return session.heap().own() + segment.heap_offset;
}

/// What is wrong with this unit's arguments all units of the team learn: theirs may be right.
template <class Check>
dart::SymmetricHeap::Wish wish_of(size_t nelem, dart_datatype_t dtype, const dart_gptr_t* gptr,
                                  Check check) {
  return dart::SymmetricHeap::wish([&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    const std::size_t nbytes = dart::size_in_bytes(nelem, dtype);
    check(nbytes);
    return nbytes;
  });
}

dart_ret_t attach(const char* function, dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                  void* addr, dart_gptr_t* gptr) {
  return dart::guarded(function, [&] {
    if (gptr != nullptr) *gptr = DART_GPTR_NULL;
    dart::Runtime& runtime = dart::Runtime::get();
    dart::Team& team = runtime.team(teamid);
    const auto wish = wish_of(nelem, dtype, gptr, [&](std::size_t nbytes) {
      if (addr == nullptr && nbytes != 0) {
        dart::throw_error(DART_ERR_INVAL, "addr is NULL, for {} elements", nelem);
      }
    });
    *gptr = runtime.memory().attach(team, runtime.driver(), addr, wish);
  });
}

}  // namespace

extern "C" {

dart_ret_t dart_gptr_getaddr(const dart_gptr_t gptr, void** addr) noexcept {
  return dart::guarded("dart_gptr_getaddr", [&] {
    if (addr == nullptr) dart::throw_error(DART_ERR_INVAL, "addr is NULL");
    *addr = nullptr;
    dart::Runtime::get();
    const dart::Segment& segment = dart::GlobalMemory::check(gptr, 0);
    if (is_mine(segment, gptr)) *addr = my_part(segment) + gptr.addr_or_offs.offset;
  });
}

dart_ret_t dart_gptr_setaddr(dart_gptr_t* gptr, void* addr) noexcept {
  return dart::guarded("dart_gptr_setaddr", [&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    dart::Runtime::get();
    dart_gptr_t begin = *gptr;
    begin.addr_or_offs.offset = 0;
    const dart::Segment& segment = dart::GlobalMemory::check(begin, 0);
    const auto offset = static_cast<char*>(addr) - my_part(segment);
    if (addr == nullptr || offset < 0 || static_cast<std::uint64_t>(offset) > segment.nbytes) {
      dart::throw_error(DART_ERR_INVAL, "{} is not in the caller's part of segment {}",
                        static_cast<const void*>(addr), gptr->segid);
    }
    gptr->addr_or_offs.offset = static_cast<std::uint64_t>(offset);
  });
}

dart_ret_t dart_gptr_getflags(dart_gptr_t gptr, uint16_t* flags) noexcept {
  return dart::guarded("dart_gptr_getflags", [&] {
    if (flags == nullptr) dart::throw_error(DART_ERR_INVAL, "flags is NULL");
    dart::Runtime::get();
    *flags = dart::GlobalMemory::find(gptr).flags;
  });
}

dart_ret_t dart_gptr_setflags(dart_gptr_t* gptr, uint16_t flags) noexcept {
  return dart::guarded("dart_gptr_setflags", [&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    dart::Runtime::get();
    if (flags > 0xff) dart::throw_error(DART_ERR_INVAL, "flags {:#x} have more than 8 bits", flags);
    dart::GlobalMemory::find(*gptr).flags = flags;
    gptr->flags = flags & 0xff;
  });
}

dart_ret_t dart_memalloc(size_t nelem, dart_datatype_t dtype, dart_gptr_t* gptr) noexcept {
  return dart::guarded("dart_memalloc", [&] {
    if (gptr == nullptr) dart::throw_error(DART_ERR_INVAL, "gptr is NULL");
    *gptr = DART_GPTR_NULL;
    *gptr = dart::Runtime::get().memory().allocate_local(dart::size_in_bytes(nelem, dtype));
  });
}

dart_ret_t dart_memfree(dart_gptr_t gptr) noexcept {
  return dart::guarded("dart_memfree", [&] { dart::Runtime::get().memory().free_local(gptr); });
}

dart_ret_t dart_team_memalloc_aligned(dart_team_t teamid, size_t nelem, dart_datatype_t dtype,
                                      dart_gptr_t* gptr) noexcept {
  return dart::guarded("dart_team_memalloc_aligned", [&] {
    if (gptr != nullptr) *gptr = DART_GPTR_NULL;
    dart::Runtime& runtime = dart::Runtime::get();
    dart::Team& team = runtime.team(teamid);
    *gptr = runtime.memory().allocate(team, wish_of(nelem, dtype, gptr, [](std::size_t) {}));
  });
}

dart_ret_t dart_team_memfree(dart_gptr_t gptr) noexcept {
  return dart::guarded("dart_team_memfree", [&] {
    if (DART_GPTR_ISNULL(gptr)) return;
    dart::Runtime& runtime = dart::Runtime::get();
    const dart::Segment& segment = dart::GlobalMemory::find(gptr);
    if (gptr.segid <= 0) {
      dart::throw_error(DART_ERR_INVAL, "segment {} is not of dart_team_memalloc_aligned",
                        gptr.segid);
    }
    dart::Team& team = runtime.team_of(segment);
    const auto failed = runtime.pending_operations().try_flush(gptr.segid);
    runtime.memory().free(team, gptr.segid);
    if (failed) std::rethrow_exception(failed);
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
  return dart::guarded("dart_team_memderegister", [&] {
    dart::Runtime& runtime = dart::Runtime::get();
    if (DART_GPTR_ISNULL(gptr)) return;
    const dart::Segment& segment = dart::GlobalMemory::find(gptr);
    if (segment.window == nullptr) {
      dart::throw_error(DART_ERR_INVAL, "segment {} is not of dart_team_memregister", gptr.segid);
    }
    const auto failed = runtime.pending_operations().try_flush(gptr.segid);
    runtime.memory().detach(runtime.team_of(segment), gptr.segid);
    if (failed) std::rethrow_exception(failed);
  });
}

}  // extern "C"

namespace dash::dart {

bool is_own_memory(const void* address) noexcept {
  Runtime& runtime = Runtime::get();
  const Heap& heap = runtime.session().heap();
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  const auto begin = reinterpret_cast<std::uintptr_t>(heap.own());
  return place - begin < heap.nbytes() || runtime.memory().is_registered(address);
}

}  // namespace dash::dart
