#include "dash/dart/Transfer.h"

#include <memory>
#include <utility>

#include "base/Error.h"
#include "transfer/OneSided.h"
#include "api/Runtime.h"
#include "dash/async/Watch.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Log.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// Where a put with a signal goes.
struct SignalledPut {
  dart_gptr_t dest;
  std::size_t nbytes;
  dart_gptr_t signal;
  std::uint32_t value;
  SignalOp op = SignalOp::set;

  Signal* signal_on_node() const noexcept {
    return static_cast<Signal*>(on_node_address(signal, sizeof(Signal)));
  }
  void check() const {
    GlobalMemory::check(dest, nbytes);
    GlobalMemory::check(signal, sizeof(Signal));
    if (dest.unitid != signal.unitid || dest.teamid != signal.teamid) {
      throw_error(DART_ERR_INVAL, "data for unit {} of team {}, but a signal of unit {} of team {}",
                  static_cast<int>(dest.unitid), dest.teamid, static_cast<int>(signal.unitid),
                  signal.teamid);
    }
  }
  /// \param with_it  bytes of data; those that go by a put of their own are counted there
  void count(std::size_t with_it) const noexcept {
    core::count(
        core::OperationKind::signal,
        signal_on_node() != nullptr ? core::OperationPath::memory : core::OperationPath::message,
        with_it);
  }
  /// For a flush of the signal's segment: it asks whether the message has been served.
  void expect_answer() const {
    const Segment& segment = segment_of(signal);
    Runtime::get().pending_operations().add_unanswered(signal.segid, signal.unitid,
                                                segment.units[signal.unitid]);
  }
  exec::Operation send_data(const void* src, std::unique_ptr<char[]> packed,
                            SignalFlush flush) const;
  /// \param answer_to  a request of one part that the target's answer finishes, or null
  void send_message(const void* src, std::size_t blocklen, std::size_t src_stride,
                    std::size_t nblocks, Request* answer_to) const {
    Runtime::get().driver().put_signal_message(
        remote_place(segment_of(dest), dest), src, blocklen, src_stride, nblocks,
        remote_place(segment_of(signal), signal), value, op, answer_to);
  }
  /// The data being there already.
  /// \param raised  a request of one part that is finished when the signal is raised, or null
  void raise(Request* raised) const {
    if (Signal* word = signal_on_node()) {
      raise_signal(*word, value, op);
      if (raised != nullptr) raised->part_finished();
    } else {
      send_message(nullptr, 0, 0, 0, raised);
    }
  }
};

/// What a flush of the signal's segment waits for: that the signal has been raised.
exec::StatePtr<Request> outstanding_raise(const SignalledPut& put) {
  auto request = exec::StatePtr<Request>::adopt(new Request(Request::OnePart{}));
  request->source_done_with(Request::all_parts);
  Runtime::get().pending_operations().add(request->pending_operations, *request, put.signal.segid,
                                   put.signal.unitid);
  return request;
}

/// Data of any size that its receiver expects, with the signal to raise then.
/// \param packed  what `src` is in, if it is ours
/// \completion source
exec::Operation SignalledPut::send_data(const void* src, std::unique_ptr<char[]> packed,
                                        SignalFlush flush) const {
  core::count(core::OperationKind::signal, core::OperationPath::two_sided, nbytes);
  Runtime& runtime = Runtime::get();
  PendingOperations::Following following(runtime.pending_operations());
  exec::StatePtr<Request> raised;
  if (flush == SignalFlush::covers) raised = outstanding_raise(*this);
  try {
    exec::Operation operation = runtime.driver().put_signal_sent(
        remote_place(segment_of(dest), dest), src, nbytes, std::move(packed),
        remote_place(segment_of(signal), signal), value, op, raised.get());
    following.add(operation, dest.segid, dest.unitid);
    return operation;
  } catch (...) {
    if (raised) raised->give_up();
    throw;
  }
}

/// Raises the signal when the data has arrived, and keeps a packed copy alive until then. If it has
/// not arrived, who waits for the signal must not believe so.
class RaiseWhenComplete final : public exec::Continuation {
 public:
  RaiseWhenComplete(const exec::State& state, SignalledPut put, std::unique_ptr<char[]> packed,
                    exec::StatePtr<Request> raised)
      : Continuation(Where::inline_),
        _state(state),
        _put(put),
        _packed(std::move(packed)),
        _raised(std::move(raised)) {}

  void run() noexcept override {
    if (!_state.failed()) {
      _put.raise(_raised.get());
    } else {
      log_failure();
      if (_raised) _raised->part_finished();
    }
    delete this;
  }

 private:
  void log_failure() const noexcept {
    try {
      std::rethrow_exception(_state.error());
    } catch (const std::exception& error) {
      log_failure(error.what());
    } catch (...) {
      log_failure("an exception that is no std::exception");
    }
  }
  void log_failure(const char* why) const {
    core::log(core::LogLevel::error,
              fmt::format("a put to unit {} of team {} failed, so its signal is not raised: {}",
                          static_cast<int>(_put.signal.unitid), _put.signal.teamid, why));
  }

  const exec::State& _state;  // alive while it runs its continuations
  SignalledPut _put;
  std::unique_ptr<char[]> _packed;
  exec::StatePtr<Request> _raised;
};

void raise_after(const exec::Operation& operation, const SignalledPut& put,
                 std::unique_ptr<char[]> packed, SignalFlush flush) {
  exec::State* const state = operation.state().get();
  const bool covered = flush == SignalFlush::covers;
  if (state == nullptr) {
    put.raise(nullptr);
    if (covered && put.signal_on_node() == nullptr) put.expect_answer();
    return;
  }
  exec::StatePtr<Request> raised;
  if (covered) raised = outstanding_raise(put);
  auto* const raise = new RaiseWhenComplete(*state, put, std::move(packed), std::move(raised));
  if (!state->attach(*raise)) raise->run();
}

}  // namespace

exec::Operation get_async(void* dest, dart_gptr_t src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "get_async", nbytes);
  return translated([&] { return start_get(dest, src, nbytes); });
}

exec::Operation put_async(dart_gptr_t dest, const void* src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "put_async", nbytes);
  return translated([&] { return start_put(dest, src, nbytes); });
}

exec::Operation put_signal(dart_gptr_t dest, const void* src, std::size_t nbytes,
                           dart_gptr_t signal, std::uint32_t value, SignalOp op,
                           SignalFlush flush) {
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  return translated([&]() -> exec::Operation {
    const SignalledPut put{dest, nbytes, signal, value, op};
    Runtime::get();
    put.check();
    if (put.signal_on_node() != nullptr || nbytes > RmaDriver::piece_bytes()) {
      put.count(0);
      exec::Operation operation = start_put(dest, src, nbytes);
      raise_after(operation, put, nullptr, flush);
      return operation;
    }
    Runtime::get().driver().wait_for_room();
    if (nbytes > RmaDriver::max_signal_payload) return put.send_data(src, nullptr, flush);
    put.count(nbytes);
    put.send_message(src, nbytes, nbytes, nbytes == 0 ? 0 : 1, nullptr);
    if (flush == SignalFlush::covers) put.expect_answer();
    return {};
  });
}

exec::Operation put_strided_signal(dart_gptr_t dest, const void* src, std::size_t blocklen,
                                   std::size_t src_stride, std::size_t nblocks, dart_gptr_t signal,
                                   std::uint32_t value) {
  const std::size_t nbytes = blocklen * nblocks;
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  return translated([&]() -> exec::Operation {
    const SignalledPut put{dest, nbytes, signal, value};
    Runtime::get();
    put.check();
    if (void* to = on_node_address(dest, nbytes)) {
      put.count(nbytes);
      core::copy_strided(to, src, blocklen, src_stride, blocklen, nblocks);
      put.raise(nullptr);
      return {};
    }
    Runtime::get().driver().wait_for_room();
    if (nbytes <= RmaDriver::max_signal_payload) {
      put.count(nbytes);
      put.send_message(src, blocklen, src_stride, nblocks, nullptr);
      return {};
    }
    auto packed = std::make_unique_for_overwrite<char[]>(nbytes);
    core::copy_strided(packed.get(), src, blocklen, src_stride, blocklen, nblocks);
    const char* const data = packed.get();
    if (nbytes <= RmaDriver::piece_bytes()) {
      put.send_data(data, std::move(packed), SignalFlush::ignores);
      return {};  // the source has been read
    }
    put.count(0);
    const exec::Operation operation = start_put(dest, data, nbytes);
    raise_after(operation, put, std::move(packed), SignalFlush::ignores);
    return {};
  });
}

void raise_after(const exec::Operation& operation, dart_gptr_t signal, std::uint32_t value,
                 SignalOp op, SignalFlush flush) {
  translated([&] {
    Runtime::get();
    GlobalMemory::check(signal, sizeof(Signal));
    // Without data: what is to be there first was put by the operation.
    raise_after(operation, SignalledPut{signal, 0, signal, value, op}, nullptr, flush);
  });
}

void wait_signal(Signal& signal, std::uint32_t value) {
  const exec::Purpose purpose("a signal that reaches {}", value);
  const core::TraceSpan span(core::TraceKind::call, "wait_signal");
  exec::Engine::instance().wait_shared(
      signal, [value](std::uint32_t current) { return signal_reached(current, value); });
}

bool test_signal(Signal& signal, std::uint32_t value) {
  const auto arrived = [&] {
    return signal_reached(signal.value.load(std::memory_order_acquire), value);
  };
  if (arrived()) return true;
  exec::Engine::instance().progress();
  return arrived();
}

void complete_all() {
  translated([] { Runtime::get().pending_operations().flush_all(); });
}

}  // namespace dash::dart
