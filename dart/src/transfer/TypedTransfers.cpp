#include "transfer/TypedTransfers.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "dash/async/CopyJob.h"
#include "dash/async/Engine.h"
#include "dash/core/Settings.h"
#include "dash/dart/Access.h"
#include "network/messages/BlockHeader.h"

namespace dash::dart {

namespace {

using core::OperationKind;
using core::OperationPath;

bool has_long_blocks(const StridedLayout& layout) noexcept {
  return layout.nbytes / layout.count() >= TypedTransfers::long_block();
}

/// Whether a transfer is an MPI operation for each block of the target; otherwise the blocks share
/// messages.
bool is_by_rma(const RemoteAddress& remote, const StridedLayout& layout) noexcept {
  return remote.has_window() && has_long_blocks(layout);
}

OperationPath path_of(const RemoteAddress& remote, const StridedLayout& layout) noexcept {
  return is_by_rma(remote, layout) ? OperationPath::rma : OperationPath::message;
}

/// Calls f(offset_a, offset_b, nbytes) for each range of bytes that is contiguous in both layouts.
template <class F>
void for_each_common_block(const StridedLayout& a, const StridedLayout& b, F f) {
  BlockCursor in_a(a);
  BlockCursor in_b(b);
  while (!in_a.at_end()) {
    const std::size_t nbytes = std::min(in_a.length(), in_b.length());
    f(in_a.offset(), in_b.offset(), nbytes);
    in_a.advance(nbytes);
    in_b.advance(nbytes);
  }
}

/// Whether native memory is transferred in place; otherwise through a packed copy.
bool is_in_place(const StridedLayout& native) noexcept {
  return native.contiguous() || has_long_blocks(native);
}

// --- on the node --------------------------------------------------------------------------------

/// A copy between layouts for the copy queue.
class LayoutCopy final : public exec::CopyJob {
 public:
  LayoutCopy(char* dest, StridedLayout dest_layout, const char* src,
             StridedLayout src_layout) noexcept
      : CopyJob(dest, src, src_layout.nbytes, chunk_bytes_of(dest_layout, src_layout)),
        _to(dest),
        _from(src),
        _nontemporal(src_layout.nbytes >= core::settings().nontemporal_min),
        _to_layout(std::move(dest_layout)),
        _from_layout(std::move(src_layout)) {}

 private:
  /// The shorter blocks of the two layouts determine the chunk.
  static std::size_t chunk_bytes_of(const StridedLayout& dest, const StridedLayout& src) noexcept {
    return chunk_bytes_for_blocks(std::min(dest.nbytes / dest.count(), src.nbytes / src.count()));
  }

  void copy(std::size_t begin, std::size_t length) noexcept override {
    copy_part_of_layout(_to, _to_layout, _from, _from_layout, begin, length, _nontemporal);
  }

  char* const _to;
  const char* const _from;
  const bool _nontemporal;  // depends on the size of the whole copy
  const StridedLayout _to_layout;
  const StridedLayout _from_layout;
};

// --- put ----------------------------------------------------------------------------------------

/// A put that keeps its packed data until it is complete.
class PackedPut final : public Request {
 public:
  explicit PackedPut(std::unique_ptr<std::byte[]> packed) noexcept : _packed(std::move(packed)) {}

 private:
  std::unique_ptr<std::byte[]> _packed;
};

// --- get ----------------------------------------------------------------------------------------

/// A get of long blocks by MPI, in place or to a packed buffer that is unpacked at the end.
class LongBlocksGet final : public Request {
 public:
  LongBlocksGet(char* dest, StridedLayout layout)
      : _dest(dest),
        _layout(std::move(layout)),
        _packed(is_in_place(_layout)
                    ? nullptr
                    : std::make_unique_for_overwrite<std::byte[]>(_layout.nbytes)) {}

  char* destination() noexcept {
    return _packed == nullptr ? _dest : reinterpret_cast<char*>(_packed.get());
  }
  StridedLayout destination_layout() const {
    return _packed == nullptr ? _layout : StridedLayout::of_bytes(_layout.nbytes);
  }

 private:
  void finish() noexcept override {
    if (_packed == nullptr) return;
    BlockCursor cursor(_layout);
    unpack(_dest, cursor, _packed.get(), _layout.nbytes);
  }

  char* _dest;
  StridedLayout _layout;
  std::unique_ptr<std::byte[]> _packed;
};

/// A get of short blocks by gather messages. Their replies are unpacked as they arrive.
class ShortBlocksGet final : public Request {
 public:
  ShortBlocksGet(char* to, StridedLayout to_layout) : dest(to), layout(std::move(to_layout)) {}

  char* const dest;
  const StridedLayout layout;
};

/// One message of a ShortBlocksGet. It is a part of the whole, whether it succeeds or fails.
class GatherMessage final : public Request {
 public:
  GatherMessage(ShortBlocksGet& whole, const BlockCursor& cursor) noexcept
      : Request(Parts{1}), _whole(whole), _cursor(cursor) {
    _whole.add_part();
  }

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    unpack(_whole.dest, _cursor, payload, nbytes);
  }

 private:
  void finish() noexcept override { _whole.part_finished(); }

  ShortBlocksGet& _whole;
  BlockCursor _cursor;  // where the data of the reply begins
};

}  // namespace

exec::Operation TypedTransfers::copy_on_node(char* dest, const StridedLayout& dest_layout,
                                             const char* src, const StridedLayout& src_layout,
                                             const dart_gptr_t& gptr, Caller caller,
                                             OperationKind kind) {
  if (caller == Caller::waits || src_layout.nbytes == 0 ||
      src_layout.nbytes < core::settings().copy_queue_min ||
      overlap(dest, dest_layout, src, src_layout)) {
    core::count(kind, OperationPath::memory, src_layout.nbytes);
    copy_layout(dest, dest_layout, src, src_layout);
    return {};
  }
  core::count(kind, OperationPath::queue, src_layout.nbytes);
  PendingOperations::Registration registration(_one_sided.pending_operations());
  exec::Operation operation =
      exec::Engine::instance().copy_async(*new LayoutCopy(dest, dest_layout, src, src_layout));
  registration.add(operation, gptr.segid, gptr.unitid);
  return operation;
}

/// An MPI operation for each block, and one completion get for all of them.
exec::Operation TypedTransfers::put_long_blocks(const dart_gptr_t& dest,
                                                const StridedLayout& dest_layout,
                                                const RemoteAddress& remote, const char* src,
                                                StridedLayout src_layout) {
  std::unique_ptr<std::byte[]> packed;
  const char* from = src;
  if (!is_in_place(src_layout)) {
    packed = std::make_unique_for_overwrite<std::byte[]>(src_layout.nbytes);
    BlockCursor cursor(src_layout);
    pack(packed.get(), src, cursor, src_layout.nbytes);
    from = reinterpret_cast<const char*>(packed.get());
    src_layout = StridedLayout::of_bytes(src_layout.nbytes);
  }
  const bool is_packed = packed != nullptr;
  return _one_sided.start_parts<PackedPut>(
      dest,
      [&](Request& request) {
        RmaDriver& driver = _one_sided.driver();
        // A packed source has been read; otherwise it may be reused when only the completion get
        // is pending.
        request.set_source_parts(is_packed ? Request::all_parts : 1);
        request.trace("put", dest_layout.nbytes, remote.unit);
        for_each_common_block(
            dest_layout, src_layout, [&](std::size_t to, std::size_t begin, std::size_t nbytes) {
              driver.flow().wait_below_limit();
              driver.starter().put_unacknowledged(request, remote.at(to), from + begin, nbytes);
            });
        driver.starter().start_completion_get(request,
                                              remote.at(BlockCursor(dest_layout).offset()));
      },
      std::move(packed));
}

/// Scatter messages with as many blocks as fit into each. The reply to the last one acknowledges
/// all of them.
exec::Operation TypedTransfers::put_short_blocks(const dart_gptr_t& dest,
                                                 const StridedLayout& dest_layout,
                                                 const RemoteAddress& remote, const char* src,
                                                 const StridedLayout& src_layout) {
  return _one_sided.start_parts<Request>(dest, [&](Request& request) {
    RmaDriver& driver = _one_sided.driver();
    request.set_source_parts(Request::all_parts);
    request.trace("put", dest_layout.nbytes, remote.unit);
    BlockCursor to(dest_layout);
    BlockCursor from(src_layout);
    while (!to.at_end()) {
      auto message = std::make_unique<Message>(MessageKind::scatter);
      message->location = remote.location;
      message->flags = remote.absolute ? Message::absolute_location : 0;
      while (!to.at_end() && message->nbytes + BlockHeader::bytes < Message::max_payload) {
        const std::size_t available = Message::max_payload - message->nbytes - BlockHeader::bytes;
        const std::size_t nbytes = std::min(to.length(), available);
        std::byte* const header = message->payload.data() + message->nbytes;
        BlockHeader{to.offset(), static_cast<std::uint32_t>(nbytes)}.write(header);
        pack(header + BlockHeader::bytes, src, from, nbytes);
        to.advance(nbytes);
        message->nbytes += static_cast<std::uint32_t>(BlockHeader::bytes + nbytes);
      }
      const std::size_t nbytes = message->nbytes;
      driver.flow().wait_below_limit();
      driver.send(std::move(message), remote.unit, nbytes, to.at_end() ? &request : nullptr);
      // Only after the message has been sent: the reply to a message that could not be sent never
      // arrives.
      if (to.at_end()) request.add_part();
    }
  });
}

exec::Operation TypedTransfers::get_long_blocks(char* dest, const StridedLayout& dest_layout,
                                                const dart_gptr_t& src, const RemoteAddress& remote,
                                                const StridedLayout& src_layout) {
  return _one_sided.start_parts<LongBlocksGet>(
      src,
      [&](LongBlocksGet& request) {
        RmaDriver& driver = _one_sided.driver();
        request.trace("get", src_layout.nbytes, remote.unit);
        for_each_common_block(src_layout, request.destination_layout(),
                              [&](std::size_t from, std::size_t to, std::size_t nbytes) {
                                driver.flow().wait_below_limit();
                                driver.starter().get(request, request.destination() + to,
                                                     remote.at(from), nbytes);
                              });
      },
      dest, dest_layout);
}

exec::Operation TypedTransfers::get_short_blocks(char* dest, const StridedLayout& dest_layout,
                                                 const dart_gptr_t& src,
                                                 const RemoteAddress& remote,
                                                 const StridedLayout& src_layout) {
  return _one_sided.start_parts<ShortBlocksGet>(
      src,
      [&](ShortBlocksGet& request) {
        RmaDriver& driver = _one_sided.driver();
        BlockCursor from(src_layout);
        BlockCursor to(request.layout);
        while (!from.at_end()) {
          auto message = std::make_unique<Message>(MessageKind::gather);
          message->location = remote.location;
          message->flags = remote.absolute ? Message::absolute_location : 0;
          const auto part = exec::StatePtr<GatherMessage>::adopt(new GatherMessage(request, to));
          std::size_t reply_bytes = 0;
          while (!from.at_end() && reply_bytes < Message::max_payload &&
                 message->nbytes + BlockHeader::bytes <= Message::max_payload) {
            const std::size_t nbytes = std::min(from.length(), Message::max_payload - reply_bytes);
            BlockHeader{from.offset(), static_cast<std::uint32_t>(nbytes)}.write(
                message->payload.data() + message->nbytes);
            message->nbytes += BlockHeader::bytes;
            reply_bytes += nbytes;
            from.advance(nbytes);
          }
          skip(to, reply_bytes);
          try {
            driver.flow().wait_below_limit();
            part->trace("get", reply_bytes, remote.unit);
            driver.send(std::move(message), remote.unit, reply_bytes, part.get());
          } catch (...) {
            part->give_up();
            throw;
          }
        }
      },
      dest, dest_layout);
}

exec::Operation TypedTransfers::start_get(void* dest, const StridedLayout& dest_layout,
                                          const dart_gptr_t& src, const StridedLayout& src_layout,
                                          Caller caller) {
  char* const to = static_cast<char*>(dest);
  if (const void* from = on_node_address(src, src_layout.span)) {
    return copy_on_node(to, dest_layout, static_cast<const char*>(from), src_layout, src, caller,
                        OperationKind::get);
  }
  const RemoteAddress remote = _one_sided.checked_address(src, src_layout.span);
  if (src_layout.nbytes == 0) return {};
  core::count(OperationKind::get, path_of(remote, src_layout), src_layout.nbytes);
  return is_by_rma(remote, src_layout) ? get_long_blocks(to, dest_layout, src, remote, src_layout)
                                       : get_short_blocks(to, dest_layout, src, remote, src_layout);
}

exec::Operation TypedTransfers::start_put(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                                          const void* src, const StridedLayout& src_layout,
                                          Caller caller) {
  const char* const from = static_cast<const char*>(src);
  if (void* to = on_node_address(dest, dest_layout.span)) {
    return copy_on_node(static_cast<char*>(to), dest_layout, from, src_layout, dest, caller,
                        OperationKind::put);
  }
  const RemoteAddress remote = _one_sided.checked_address(dest, dest_layout.span);
  if (dest_layout.nbytes == 0) return {};
  core::count(OperationKind::put, path_of(remote, dest_layout), dest_layout.nbytes);
  return is_by_rma(remote, dest_layout)
             ? put_long_blocks(dest, dest_layout, remote, from, src_layout)
             : put_short_blocks(dest, dest_layout, remote, from, src_layout);
}

}  // namespace dash::dart
