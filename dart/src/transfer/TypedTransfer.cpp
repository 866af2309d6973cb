#include "transfer/TypedTransfer.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "transfer/OneSided.h"
#include "dash/async/CopyJob.h"
#include "dash/core/Settings.h"
#include "dash/core/Statistics.h"

namespace dash::dart {

namespace {

using core::OperationKind;
using core::OperationPath;

bool has_long_runs(const StridedLayout& layout) noexcept {
  return layout.nbytes / layout.count() >= rma_run();
}

OperationPath path_of(const StridedLayout& layout) noexcept {
  return has_long_runs(layout) ? OperationPath::rma : OperationPath::message;
}

/// Calls f(offset_a, offset_b, nbytes) for what is contiguous in both of two layouts.
template <class F>
void for_each_common_run(const StridedLayout& a, const StridedLayout& b, F f) {
  RunCursor in_a(a);
  RunCursor in_b(b);
  while (!in_a.at_end()) {
    const std::size_t nbytes = std::min(in_a.length(), in_b.length());
    f(in_a.offset(), in_b.offset(), nbytes);
    in_a.advance(nbytes);
    in_b.advance(nbytes);
  }
}

/// Whether native memory takes part as it is; else by way of a packed copy.
bool goes_in_place(const StridedLayout& native) noexcept {
  return native.contiguous() || has_long_runs(native);
}

// --- on the node --------------------------------------------------------------------------------

/// A copy between layouts by who has time for it.
class RunsCopy final : public exec::CopyJob {
 public:
  RunsCopy(char* dest, StridedLayout dest_layout, const char* src, StridedLayout src_layout) noexcept
      : CopyJob(dest, src, src_layout.nbytes, quantum_of(dest_layout, src_layout)),
        _to(dest),
        _from(src),
        _nontemporal(src_layout.nbytes >= core::settings().nontemporal_min),
        _to_layout(std::move(dest_layout)),
        _from_layout(std::move(src_layout)) {}

 private:
  /// The shorter runs count.
  static std::size_t quantum_of(const StridedLayout& dest, const StridedLayout& src) noexcept {
    return quantum_of_runs(std::min(dest.nbytes / dest.count(), src.nbytes / src.count()));
  }

  void copy(std::size_t begin, std::size_t length) noexcept override {
    copy_part_of_runs(_to, _to_layout, _from, _from_layout, begin, length, _nontemporal);
  }

  char* const _to;
  const char* const _from;
  const bool _nontemporal;  // by the size of the whole
  const StridedLayout _to_layout;
  const StridedLayout _from_layout;
};

exec::Operation copy_on_node(char* dest, const StridedLayout& dest_layout, const char* src,
                             const StridedLayout& src_layout, const dart_gptr_t& gptr, Caller caller,
                             OperationKind kind) {
  if (caller == Caller::waits || src_layout.nbytes == 0 ||
      src_layout.nbytes < core::settings().copy_queue_min ||
      overlap(dest, dest_layout, src, src_layout)) {
    core::count(kind, OperationPath::memory, src_layout.nbytes);
    copy_runs(dest, dest_layout, src, src_layout);
    return {};
  }
  core::count(kind, OperationPath::queue, src_layout.nbytes);
  PendingOperations::Following following(Runtime::get().pending_operations());
  exec::Operation operation =
      exec::Engine::instance().copy_async(*new RunsCopy(dest, dest_layout, src, src_layout));
  following.add(operation, gptr.segid, gptr.unitid);
  return operation;
}

// --- put ----------------------------------------------------------------------------------------

/// Keeps what was packed until it has been sent.
class PackedPut final : public Request {
 public:
  explicit PackedPut(std::unique_ptr<std::byte[]> packed) noexcept : _packed(std::move(packed)) {}

 private:
  std::unique_ptr<std::byte[]> _packed;
};

/// Long runs: an MPI operation each, one get to confirm all of them.
exec::Operation put_runs(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                         const RemoteAddress& place, const char* src, StridedLayout src_layout) {
  std::unique_ptr<std::byte[]> packed;
  const char* from = src;
  if (!goes_in_place(src_layout)) {
    packed = std::make_unique_for_overwrite<std::byte[]>(src_layout.nbytes);
    RunCursor cursor(src_layout);
    pack(packed.get(), src, cursor, src_layout.nbytes);
    from = reinterpret_cast<const char*>(packed.get());
    src_layout = StridedLayout::of_bytes(src_layout.nbytes);
  }
  const bool is_read = packed != nullptr;
  return start_parts<PackedPut>(
      dest,
      [&](RmaDriver& driver, Request& request) {
        // What is packed has been read; else the confirmation may be missing yet.
        request.source_done_with(is_read ? Request::all_parts : 1);
        request.trace("put", dest_layout.nbytes, place.unit);
        for_each_common_run(dest_layout, src_layout,
                            [&](std::size_t to, std::size_t begin, std::size_t nbytes) {
                              driver.wait_for_room();
                              driver.put_unconfirmed(request, place.at(to), from + begin, nbytes);
                            });
        driver.confirm_puts(request, place.at(RunCursor(dest_layout).offset()));
      },
      std::move(packed));
}

/// Short runs: as many as go into each message; the last one is answered when all are stored.
exec::Operation put_scattered(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                              const RemoteAddress& place, const char* src,
                              const StridedLayout& src_layout) {
  return start_parts<Request>(dest, [&](RmaDriver& driver, Request& request) {
    request.source_done_with(Request::all_parts);
    request.trace("put", dest_layout.nbytes, place.unit);
    RunCursor to(dest_layout);
    RunCursor from(src_layout);
    while (!to.at_end()) {
      auto message = std::make_unique<Message>(MessageKind::scatter);
      message->place = place.place;
      message->flags = place.absolute ? Message::absolute_place : 0;
      while (!to.at_end() && message->nbytes + MessagePiece::bytes < Message::max_payload) {
        const std::size_t room = Message::max_payload - message->nbytes - MessagePiece::bytes;
        const std::size_t nbytes = std::min(to.length(), room);
        std::byte* const at = message->payload.data() + message->nbytes;
        MessagePiece{to.offset(), static_cast<std::uint32_t>(nbytes)}.write(at);
        pack(at + MessagePiece::bytes, src, from, nbytes);
        to.advance(nbytes);
        message->nbytes += MessagePiece::bytes + nbytes;
      }
      const std::size_t nbytes = message->nbytes;
      driver.wait_for_room();
      driver.send(std::move(message), place.unit, nbytes, to.at_end() ? &request : nullptr);
      // An answer to a message that could not be sent would be waited for for ever.
      if (to.at_end()) request.add_part();
    }
  });
}

// --- get ----------------------------------------------------------------------------------------

/// A get by MPI of long runs, to where they belong or to be unpacked in the end.
class RunsGet final : public Request {
 public:
  RunsGet(char* dest, StridedLayout layout)
      : _dest(dest),
        _layout(std::move(layout)),
        _packed(goes_in_place(_layout)
                    ? nullptr
                    : std::make_unique_for_overwrite<std::byte[]>(_layout.nbytes)) {}

  char* landing() noexcept {
    return _packed == nullptr ? _dest : reinterpret_cast<char*>(_packed.get());
  }
  StridedLayout landing_layout() const {
    return _packed == nullptr ? _layout : StridedLayout::of_bytes(_layout.nbytes);
  }

 private:
  void finish() noexcept override {
    if (_packed == nullptr) return;
    RunCursor cursor(_layout);
    unpack(_dest, cursor, _packed.get(), _layout.nbytes);
  }

  char* _dest;
  StridedLayout _layout;
  std::unique_ptr<std::byte[]> _packed;
};

/// A get of short runs, by messages whose answers are unpacked as they come.
class GatheredGet final : public Request {
 public:
  GatheredGet(char* to, StridedLayout to_layout) : dest(to), layout(std::move(to_layout)) {}

  char* const dest;
  const StridedLayout layout;
};

/// One message of it. Its end is a part of the whole, whatever becomes of it.
class GatheredPart final : public Request {
 public:
  GatheredPart(GatheredGet& whole, const RunCursor& cursor) noexcept
      : Request(OnePart()), _whole(whole), _cursor(cursor) {
    _whole.add_part();
  }

  void take_reply(const std::byte* payload, std::size_t nbytes) noexcept override {
    unpack(_whole.dest, _cursor, payload, nbytes);
  }

 private:
  void finish() noexcept override { _whole.part_finished(); }

  GatheredGet& _whole;
  RunCursor _cursor;  // where the answer begins
};

exec::Operation get_runs(char* dest, const StridedLayout& dest_layout, const dart_gptr_t& src,
                         const RemoteAddress& place, const StridedLayout& src_layout) {
  return start_parts<RunsGet>(
      src,
      [&](RmaDriver& driver, RunsGet& request) {
        request.trace("get", src_layout.nbytes, place.unit);
        for_each_common_run(src_layout, request.landing_layout(),
                            [&](std::size_t from, std::size_t to, std::size_t nbytes) {
                              driver.wait_for_room();
                              driver.get(request, request.landing() + to, place.at(from), nbytes);
                            });
      },
      dest, dest_layout);
}

exec::Operation get_gathered(char* dest, const StridedLayout& dest_layout, const dart_gptr_t& src,
                             const RemoteAddress& place, const StridedLayout& src_layout) {
  return start_parts<GatheredGet>(
      src,
      [&](RmaDriver& driver, GatheredGet& request) {
        RunCursor from(src_layout);
        RunCursor to(request.layout);
        while (!from.at_end()) {
          auto message = std::make_unique<Message>(MessageKind::gather);
          message->place = place.place;
          message->flags = place.absolute ? Message::absolute_place : 0;
          const auto part = exec::StatePtr<GatheredPart>::adopt(new GatheredPart(request, to));
          std::size_t answer = 0;
          while (!from.at_end() && answer < Message::max_payload &&
                 message->nbytes + MessagePiece::bytes <= Message::max_payload) {
            const std::size_t nbytes = std::min(from.length(), Message::max_payload - answer);
            MessagePiece{from.offset(), static_cast<std::uint32_t>(nbytes)}.write(
                message->payload.data() + message->nbytes);
            message->nbytes += MessagePiece::bytes;
            answer += nbytes;
            from.advance(nbytes);
          }
          skip(to, answer);
          try {
            driver.wait_for_room();
            part->trace("get", answer, place.unit);
            driver.send(std::move(message), place.unit, answer, part.get());
          } catch (...) {
            part->give_up();
            throw;
          }
        }
      },
      dest, dest_layout);
}

}  // namespace

exec::Operation start_typed_get(void* dest, const StridedLayout& dest_layout, const dart_gptr_t& src,
                                const StridedLayout& src_layout, Caller caller) {
  char* const to = static_cast<char*>(dest);
  if (const void* from = on_node_address(src, src_layout.span)) {
    return copy_on_node(to, dest_layout, static_cast<const char*>(from), src_layout, src, caller,
                        OperationKind::get);
  }
  Runtime::get();
  const Segment& segment = GlobalMemory::check(src, src_layout.span);
  if (src_layout.nbytes == 0) return {};
  const RemoteAddress place = remote_place(segment, src);
  core::count(OperationKind::get, path_of(src_layout), src_layout.nbytes);
  return has_long_runs(src_layout) ? get_runs(to, dest_layout, src, place, src_layout)
                                   : get_gathered(to, dest_layout, src, place, src_layout);
}

exec::Operation start_typed_put(const dart_gptr_t& dest, const StridedLayout& dest_layout,
                                const void* src, const StridedLayout& src_layout, Caller caller) {
  const char* const from = static_cast<const char*>(src);
  if (void* to = on_node_address(dest, dest_layout.span)) {
    return copy_on_node(static_cast<char*>(to), dest_layout, from, src_layout, dest, caller,
                        OperationKind::put);
  }
  Runtime::get();
  const Segment& segment = GlobalMemory::check(dest, dest_layout.span);
  if (dest_layout.nbytes == 0) return {};
  const RemoteAddress place = remote_place(segment, dest);
  core::count(OperationKind::put, path_of(dest_layout), dest_layout.nbytes);
  return has_long_runs(dest_layout) ? put_runs(dest, dest_layout, place, from, src_layout)
                                    : put_scattered(dest, dest_layout, place, from, src_layout);
}

}  // namespace dash::dart
