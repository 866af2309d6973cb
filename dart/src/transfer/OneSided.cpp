#include "transfer/OneSided.h"

#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"
#include "transfer/CopyOnNode.h"

namespace dash::dart {

using core::OperationKind;
using core::OperationPath;

exec::Operation OneSided::copy_on_node_async(void* dest, const void* src, std::size_t nbytes,
                                             const dart_gptr_t& gptr, OperationKind kind) {
  if (nbytes < core::settings().copy_queue_min || is_overlapping(dest, src, nbytes)) {
    core::count(kind, OperationPath::memory, nbytes);
    copy_on_node(dest, src, nbytes);
    return {};
  }
  core::count(kind, OperationPath::queue, nbytes);
  PendingOperations::Registration registration(_pending_operations);
  exec::Operation operation = exec::Engine::instance().copy_async(dest, src, nbytes);
  registration.add(operation, gptr.segid, gptr.unitid);
  return operation;
}

exec::Operation OneSided::delegate(DelegatedTransfers::Place place, DelegationQueue::Kind kind,
                                   const dart_gptr_t& gptr, const RemoteAddress& remote,
                                   const void* local, std::size_t nbytes) {
  OperationStart<Request> start(*this, gptr, Request::Parts{1});
  _driver.starter().delegate(std::move(place), kind, start.request(), remote, local, nbytes);
  return start.finish();
}

exec::Operation OneSided::start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* from = on_node_address(src, nbytes)) {
    return copy_on_node_async(dest, from, nbytes, src, OperationKind::get);
  }
  const RemoteAddress remote = checked_address(src, nbytes);
  if (nbytes == 0) return {};
  TransferStarter& starter = _driver.starter();
  if (auto place = starter.delegated_place(remote, dest, nbytes)) {
    core::count(OperationKind::get, OperationPath::delegated, nbytes);
    return delegate(std::move(place), DelegationQueue::Kind::get, src, remote, dest, nbytes);
  }
  const bool is_batched = starter.is_batched_get(remote, nbytes);
  const bool is_two_sided =
      TransferProtocols::is_two_sided(remote, nbytes, _driver.protocols().get_two_sided_min);
  core::count(OperationKind::get, TransferProtocols::path_of(is_two_sided, is_batched), nbytes);
  if (nbytes > chunk_bytes()) {
    return start_parts<Request>(
        src, [&](Request& request) { starter.get(request, dest, remote, nbytes); });
  }
  OperationStart<Request> start(*this, src, Request::Parts{1});
  if (is_batched) {
    starter.get_batched(start.request(), dest, remote, nbytes);
  } else {
    starter.get(start.request(), dest, remote, nbytes);
  }
  return start.finish();
}

exec::Operation OneSided::start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* to = on_node_address(dest, nbytes)) {
    return copy_on_node_async(to, src, nbytes, dest, OperationKind::put);
  }
  const RemoteAddress remote = checked_address(dest, nbytes);
  if (nbytes == 0) return {};
  TransferStarter& starter = _driver.starter();
  if (auto place = starter.delegated_place(remote, src, nbytes)) {
    core::count(OperationKind::put, OperationPath::delegated, nbytes);
    return delegate(std::move(place), DelegationQueue::Kind::put, dest, remote, src, nbytes);
  }
  const TransferProtocols& protocols = _driver.protocols();
  const bool is_batched = starter.is_batched_put(remote, nbytes);
  const bool by_message =
      is_batched || nbytes <= TransferProtocols::message_max(remote, protocols.put_message_max);
  const bool is_two_sided =
      TransferProtocols::is_two_sided(remote, nbytes, protocols.put_two_sided_min);
  core::count(OperationKind::put, TransferProtocols::path_of(is_two_sided, by_message), nbytes);
  if (!by_message && nbytes > chunk_bytes()) {
    return start_parts<Request>(
        dest, [&](Request& request) { starter.put(request, remote, src, nbytes); });
  }
  if (!by_message && nbytes <= BufferedPut::capacity) {
    OperationStart<BufferedPut> start(*this, dest, Request::Parts{2});
    starter.put_buffered(start.request(), remote, src, nbytes);
    return start.finish();
  }
  OperationStart<Request> start(*this, dest, Request::Parts{by_message ? 1 : 2});
  if (is_batched) {
    starter.put_batched(start.request(), remote, src, nbytes);
  } else if (by_message) {
    starter.put_message(start.request(), remote, src, nbytes);
  } else {
    starter.put_chunk(start.request(), remote, src, nbytes);
  }
  return start.finish();
}

void OneSided::get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* from = on_node_address(src, nbytes)) {
    core::count(OperationKind::get, OperationPath::memory, nbytes);
    return copy_on_node_blocking(dest, from, nbytes);
  }
  const RemoteAddress remote = checked_address(src, nbytes);
  if (nbytes == 0) return;
  const bool is_two_sided = _driver.protocols().is_blocking_get_two_sided(remote, nbytes);
  core::count(OperationKind::get, TransferProtocols::path_of(is_two_sided), nbytes);
  _driver.blocking().get(dest, remote, nbytes);
}

void OneSided::put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* to = on_node_address(dest, nbytes)) {
    core::count(OperationKind::put, OperationPath::memory, nbytes);
    return copy_on_node_blocking(to, src, nbytes);
  }
  const RemoteAddress remote = checked_address(dest, nbytes);
  if (nbytes == 0) return;
  const TransferProtocols& protocols = _driver.protocols();
  const bool by_message =
      nbytes <= TransferProtocols::message_max(remote, protocols.blocking_put_message_max);
  const bool is_two_sided = protocols.is_blocking_put_two_sided(remote, nbytes);
  core::count(OperationKind::put, TransferProtocols::path_of(is_two_sided, by_message), nbytes);
  _driver.blocking().put(remote, src, nbytes);
}

}  // namespace dash::dart
