#include "transfer/OneSided.h"

#include <functional>

#include "memory/RegisteredWindow.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"

namespace dash::dart {

namespace {

using core::OperationKind;
using core::OperationPath;

bool overlap(const void* a, const void* b, std::size_t nbytes) noexcept {
  const auto* const x = static_cast<const char*>(a);
  const auto* const y = static_cast<const char*>(b);
  return std::less<>()(x, y + nbytes) && std::less<>()(y, x + nbytes);
}

exec::Operation copy_on_node_async(void* dest, const void* src, std::size_t nbytes,
                                   const dart_gptr_t& gptr, OperationKind kind) {
  if (nbytes < core::settings().copy_queue_min || overlap(dest, src, nbytes)) {
    core::count(kind, OperationPath::memory, nbytes);
    copy_on_node(dest, src, nbytes);
    return {};
  }
  core::count(kind, OperationPath::queue, nbytes);
  PendingOperations::Following following(Runtime::get().pending_operations());
  exec::Operation operation = exec::Engine::instance().copy_async(dest, src, nbytes);
  following.add(operation, gptr.segid, gptr.unitid);
  return operation;
}

}  // namespace

void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept {
  if (overlap(dest, src, nbytes)) {
    std::memmove(dest, src, nbytes);
  } else {
    core::copy_bytes(dest, src, nbytes);
  }
}

RemoteAddress remote_place(const Segment& segment, const dart_gptr_t& gptr) noexcept {
  if (segment.window != nullptr) {
    return segment.window->at(gptr.unitid, gptr.addr_or_offs.offset);
  }
  RemoteAddress place;
  place.unit = segment.units[gptr.unitid];
  place.rank = place.unit;
  place.window = Runtime::find()->session().window();
  place.place = segment.heap_offset + gptr.addr_or_offs.offset;
  place.displacement = place.place;
  return place;
}

exec::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* from = on_node_address(src, nbytes)) {
    return copy_on_node_async(dest, from, nbytes, src, OperationKind::get);
  }
  Runtime::get();
  const Segment& segment = GlobalMemory::check(src, nbytes);
  if (nbytes == 0) return {};
  const RemoteAddress place = remote_place(segment, src);
  RmaDriver& driver = Runtime::find()->driver();
  const bool bundled = driver.bundles_get(place, nbytes);
  core::count(OperationKind::get,
              RmaDriver::path_of(nbytes, driver.ways().started_get_sent, bundled), nbytes);
  const auto begin = [&](RmaDriver& /*driver*/, Request& request) {
    if (bundled) return driver.get_bundled(request, dest, place, nbytes);
    driver.get(request, dest, place, nbytes);
  };
  if (nbytes <= RmaDriver::piece_bytes()) {
    return start_operation<Request>(src, begin, Request::OnePart{});
  }
  return start_parts<Request>(src, begin);
}

exec::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* to = on_node_address(dest, nbytes)) {
    return copy_on_node_async(to, src, nbytes, dest, OperationKind::put);
  }
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(dest, nbytes);
  if (nbytes == 0) return {};
  RmaDriver& driver = runtime.driver();
  const RemoteAddress place = remote_place(segment, dest);
  const bool bundled = driver.bundles_put(place, nbytes);
  const bool by_message = bundled || nbytes <= driver.ways().started_message;
  core::count(OperationKind::put,
              RmaDriver::path_of(nbytes, driver.ways().started_put_sent, by_message), nbytes);
  if (by_message) {
    return start_operation<Request>(
        dest,
        [&](RmaDriver&, Request& request) {
          if (bundled) return driver.put_bundled(request, place, src, nbytes);
          driver.put_message(request, place, src, nbytes);
        },
        Request::OnePart{});
  }
  if (nbytes <= RmaDriver::piece_bytes()) {
    return start_operation<Request>(
        dest, [&](RmaDriver&, Request& request) { driver.put_piece(request, place, src, nbytes); },
        Request::TwoParts{});
  }
  return start_parts<Request>(
      dest, [&](RmaDriver&, Request& request) { driver.put(request, place, src, nbytes); });
}

void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* from = on_node_address(src, nbytes)) {
    core::count(OperationKind::get, OperationPath::memory, nbytes);
    return copy_on_node_blocking(dest, from, nbytes);
  }
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(src, nbytes);
  if (nbytes == 0) return;
  RmaDriver& driver = runtime.driver();
  core::count(OperationKind::get, RmaDriver::path_of(nbytes, driver.ways().get_sent, false),
              nbytes);
  driver.get_blocking(dest, remote_place(segment, src), nbytes);
}

void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* to = on_node_address(dest, nbytes)) {
    core::count(OperationKind::put, OperationPath::memory, nbytes);
    return copy_on_node_blocking(to, src, nbytes);
  }
  Runtime& runtime = Runtime::get();
  const Segment& segment = GlobalMemory::check(dest, nbytes);
  if (nbytes == 0) return;
  RmaDriver& driver = runtime.driver();
  const bool by_message = nbytes <= driver.ways().blocking_message;
  core::count(OperationKind::put, RmaDriver::path_of(nbytes, driver.ways().put_sent, by_message),
              nbytes);
  driver.put_blocking(remote_place(segment, dest), src, nbytes);
}

}  // namespace dash::dart
