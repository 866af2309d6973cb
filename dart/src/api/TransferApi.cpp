// The exported C++ functions for transfers: the interface between the containers and this layer.

#include <memory>
#include <utility>

#include "api/Boundary.h"
#include "dash/async/Watch.h"
#include "dash/core/Trace.h"
#include "dash/dart/Access.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/RemoteCall.h"
#include "dash/dart/Stream.h"
#include "dash/dart/Transfer.h"
#include "transfer/CopyOnNode.h"
#include "transfer/StreamTransfers.h"

namespace dash::dart {

namespace {

// The subsystems, while the runtime exists.
OneSided& one_sided() {
  return Runtime::get().one_sided();
}
BlockTransfers& block_transfers() {
  return Runtime::get().block_transfers();
}
SignalledPuts& signalled_puts() {
  return Runtime::get().signalled_puts();
}
GlobalCopies& global_copies() {
  return Runtime::get().global_copies();
}
const StreamConfig& stream_config() {
  return Runtime::get().stream_config();
}

[[gnu::noinline]] void get_slow(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "get_blocking", nbytes);
  const exec::Activity activity(exec::Activity::Kind::call, "get_blocking");
  one_sided().get_blocking(dest, src, nbytes);
}

[[gnu::noinline]] void put_slow(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "put_blocking", nbytes);
  const exec::Activity activity(exec::Activity::Kind::call, "put_blocking");
  one_sided().put_blocking(dest, src, nbytes);
}

}  // namespace

void get_blocking(void* dest, const dart_gptr_t& src, std::size_t nbytes) {
  if (const void* const from = uncounted_address(src, nbytes)) [[likely]] {
    return copy_on_node_blocking(dest, from, nbytes);
  }
  get_slow(dest, src, nbytes);
}

void put_blocking(const dart_gptr_t& dest, const void* src, std::size_t nbytes) {
  if (void* const to = uncounted_address(dest, nbytes)) [[likely]] {
    return copy_on_node_blocking(to, src, nbytes);
  }
  put_slow(dest, src, nbytes);
}

std::int32_t unit_of_caller(dart_team_t team) noexcept {
  Runtime* const runtime = Runtime::find();
  const Team* const members = runtime == nullptr ? nullptr : runtime->teams().find(team);
  return members == nullptr ? -1 : members->my_id();
}

exec::Operation get_async(void* dest, dart_gptr_t src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "get_async", nbytes);
  return one_sided().start_get(dest, src, nbytes);
}

exec::Operation put_async(dart_gptr_t dest, const void* src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "put_async", nbytes);
  return one_sided().start_put(dest, src, nbytes);
}

exec::Operation get_blocks_async(const dart_gptr_t& src, std::span<const TransferBlock> blocks) {
  const core::TraceSpan span(core::TraceKind::call, "get_blocks_async");
  return block_transfers().get(src, blocks);
}

exec::Operation put_blocks_async(const dart_gptr_t& dest, std::span<const TransferBlock> blocks) {
  const core::TraceSpan span(core::TraceKind::call, "put_blocks_async");
  return block_transfers().put(dest, blocks);
}

exec::Operation put_signal(dart_gptr_t dest, const void* src, std::size_t nbytes,
                           dart_gptr_t signal, std::uint32_t value, SignalOp op,
                           SignalFlush flush) {
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  return signalled_puts().start({dest, nbytes, signal, value, op}, src, flush);
}

exec::Operation put_strided_signal(dart_gptr_t dest, const void* src, std::size_t block_nbytes,
                                   std::size_t src_stride, std::size_t nblocks, dart_gptr_t signal,
                                   std::uint32_t value) {
  const std::size_t nbytes = block_nbytes * nblocks;
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  signalled_puts().start_strided({dest, nbytes, signal, value}, src, block_nbytes, src_stride,
                                 nblocks);
  return {};  // the source has been read
}

exec::Operation raise_after(const exec::Operation& operation, dart_gptr_t signal,
                            std::uint32_t value, SignalOp op, SignalFlush flush) {
  // Without data: the operation puts the data that the signal announces.
  return signalled_puts().raise_after(operation, {signal, 0, signal, value, op}, flush);
}

void complete_all() {
  Runtime::get().pending_operations().flush_all();
}

exec::Operation copy_global_async(std::unique_ptr<CopyBlocks> blocks, dart_gptr_t dest,
                                  dart_gptr_t src) {
  return global_copies().start(std::move(blocks), dest, src);
}

bool copy_direct_async(const CopyBlock& block, exec::Operation& operation) {
  return global_copies().start_direct(block, operation);
}

exec::Operation call_async(const dart_gptr_t& target, const void* request, std::size_t nbytes,
                           std::shared_ptr<CallReply> reply) {
  return Runtime::get().remote_calls().start(target, request, nbytes, std::move(reply));
}

std::uint32_t num_streams(const dart_gptr_t& segment) {
  return stream_config().count_streams(segment);
}

StreamEndpoints::StreamEndpoints() : StreamEndpoints(std::make_unique<Impl>(stream_config())) {}

}  // namespace dash::dart
