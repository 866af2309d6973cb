#include "OneSided.h"

#include <functional>

#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

bool overlap(const void* a, const void* b, std::size_t nbytes) noexcept {
  const auto* const x = static_cast<const char*>(a);
  const auto* const y = static_cast<const char*>(b);
  return std::less<>()(x, y + nbytes) && std::less<>()(y, x + nbytes);
}

async::Operation copy_on_node_async(void* dest, const void* src, std::size_t nbytes,
                                    const dart_gptr_t& gptr) {
  if (nbytes < core::settings().copy_queue_min || overlap(dest, src, nbytes)) {
    copy_on_node(dest, src, nbytes);
    return {};
  }
  async::Operation operation = async::Engine::instance().copy_async(dest, src, nbytes);
  Runtime::get().outstanding().add(operation, gptr.segid, gptr.unitid);
  return operation;
}

int global_unit(const Segment& segment, const dart_gptr_t& gptr) noexcept {
  return segment.units[gptr.unitid];
}

std::uint64_t heap_offset(const Segment& segment, const dart_gptr_t& gptr) noexcept {
  return segment.heap_offset + gptr.addr_or_offs.offset;
}

}  // namespace

void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept {
  if (overlap(dest, src, nbytes)) {
    std::memmove(dest, src, nbytes);
  } else {
    core::copy_bytes(dest, src, nbytes);
  }
}

async::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* from = on_node_address(src, nbytes)) {
    return copy_on_node_async(dest, from, nbytes, src);
  }
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(src, nbytes);
  if (nbytes == 0) return {};
  async::Operation operation =
      runtime.driver().get(dest, global_unit(segment, src), heap_offset(segment, src), nbytes);
  runtime.outstanding().add(operation, src.segid, src.unitid);
  return operation;
}

async::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* to = on_node_address(dest, nbytes)) {
    return copy_on_node_async(to, src, nbytes, dest);
  }
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(dest, nbytes);
  if (nbytes == 0) return {};
  async::Operation operation =
      runtime.driver().put(global_unit(segment, dest), heap_offset(segment, dest), src, nbytes);
  runtime.outstanding().add(operation, dest.segid, dest.unitid);
  return operation;
}

void get_from_other_node(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(src, nbytes);
  if (nbytes == 0) return;
  runtime.driver().get_blocking(dest, global_unit(segment, src), heap_offset(segment, src), nbytes);
}

void put_to_other_node(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(dest, nbytes);
  if (nbytes == 0) return;
  runtime.driver().put(global_unit(segment, dest), heap_offset(segment, dest), src, nbytes).wait();
}

}  // namespace dash::dart
