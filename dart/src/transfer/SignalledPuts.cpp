#include "transfer/SignalledPuts.h"

#include <utility>

#include "base/Error.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Log.h"
#include "dash/core/Statistics.h"
#include "dash/dart/Access.h"

namespace dash::dart {

namespace {

Signal* signal_on_node(const SignalledPut& put) noexcept {
  return static_cast<Signal*>(on_node_address(put.signal, sizeof(Signal)));
}

void check(const SignalledPut& put) {
  GlobalMemory::check(put.dest, put.nbytes);
  GlobalMemory::check(put.signal, sizeof(Signal));
  if (put.dest.unitid != put.signal.unitid || put.dest.teamid != put.signal.teamid) {
    throw_error(DART_ERR_INVAL, "data for unit {} of team {}, but a signal of unit {} of team {}",
                static_cast<int>(put.dest.unitid), put.dest.teamid,
                static_cast<int>(put.signal.unitid), put.signal.teamid);
  }
}

/// \param nbytes  of the data that goes with the signal; a separate put of the data counts itself
void count(const SignalledPut& put, std::size_t nbytes) noexcept {
  core::count(
      core::OperationKind::signal,
      signal_on_node(put) != nullptr ? core::OperationPath::memory : core::OperationPath::message,
      nbytes);
}

void log_failure(const SignalledPut& put, const char* error) {
  core::log(core::LogLevel::error,
            fmt::format("a put to unit {} of team {} failed, so its signal is not raised: {}",
                        static_cast<int>(put.signal.unitid), put.signal.teamid, error));
}

void log_failure(const SignalledPut& put, const std::exception_ptr& failure) noexcept {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    log_failure(put, error.what());
  } catch (...) {
    log_failure(put, "an exception that is not a std::exception");
  }
}

}  // namespace

/// Raises the signal when the data has arrived, and keeps a packed copy of the data until then. If
/// the data does not arrive, the signal is not raised, because it announces the data. A state that
/// is done after that: a caller that waits for it and then raises the signal again must not be
/// overtaken.
class SignalledPuts::RaiseWhenComplete final : public exec::State, public exec::Continuation {
 public:
  RaiseWhenComplete(SignalledPuts& owner, exec::StatePtr<exec::State> state,
                    const SignalledPut& put, std::unique_ptr<char[]> packed,
                    exec::StatePtr<Request> raised)
      : Continuation(owner.where_to_raise(put)),
        _owner(owner),
        _state(std::move(state)),
        _put(put),
        _packed(std::move(packed)),
        _raised(std::move(raised)) {}

  void run() noexcept override {
    if (!_state->failed()) {
      _packed.reset();
      _owner.raise(_put, _raised.get());
      complete();
    } else {
      log_failure(_put, _state->error());
      if (_raised) _raised->part_finished();
      fail(_state->error());
    }
    release();
  }

  bool source_done() const noexcept override { return _state->source_done() || done(); }
  exec::Label label() const noexcept override { return _state->label(); }

 private:
  SignalledPuts& _owner;
  exec::StatePtr<exec::State> _state;
  SignalledPut _put;
  std::unique_ptr<char[]> _packed;
  exec::StatePtr<Request> _raised;
};

/// Sends data by a message. \param reply_to  a request of one part that the target's reply
/// finishes, or null
void SignalledPuts::send_message(const SignalledPut& put, const void* src, std::size_t block_nbytes,
                                 std::size_t src_stride, std::size_t nblocks, Request* reply_to) {
  _one_sided.driver().signals().send(_one_sided.address(put.dest), src, block_nbytes, src_stride,
                                     nblocks, {_one_sided.address(put.signal), put.value, put.op},
                                     reply_to);
}

/// The threads that may raise the signal. A signal of another node is raised by a message, which the progress
/// thread must not send if MPI was initialized without MPI_THREAD_MULTIPLE.
exec::Continuation::Where SignalledPuts::where_to_raise(const SignalledPut& put) {
  const bool any_thread =
      signal_on_node(put) != nullptr || _one_sided.driver().poller().thread_may_poll();
  return any_thread ? exec::Continuation::Where::inline_ : exec::Continuation::Where::user_thread;
}

/// Raises the signal; the data has arrived. \param raised  a request of one part that this
/// finishes, or null
void SignalledPuts::raise(const SignalledPut& put, Request* raised) {
  if (Signal* const signal = signal_on_node(put)) {
    raise_signal(*signal, put.value, put.op);
    if (raised != nullptr) raised->part_finished();
  } else {
    send_message(put, nullptr, 0, 0, 0, raised);
  }
}

/// The pending operation that is complete when the signal has been raised: a flush of its segment
/// waits for it.
exec::StatePtr<Request> SignalledPuts::add_pending_raise(const SignalledPut& put) {
  auto request = exec::StatePtr<Request>::adopt(new Request(Request::Parts{1}));
  request->set_source_parts(Request::all_parts);
  _one_sided.pending_operations().add(request->pending_entry, *request, put.signal.segid,
                                      put.signal.unitid);
  return request;
}

/// A flush of the signal's segment requests the acknowledgement of the message.
void SignalledPuts::add_unacknowledged(const SignalledPut& put) {
  const bool of_unit =
      segment_of(put.dest).window != nullptr || segment_of(put.signal).window != nullptr;
  _one_sided.pending_operations().add_unacknowledged(
      put.signal.segid, put.signal.unitid, segment_of(put.signal).units[put.signal.unitid],
      of_unit);
}

/// Sends data that the target receives in place, with the signal to raise then.
/// \param packed  the buffer that contains `src`, or null
/// \completion source
exec::Operation SignalledPuts::send_data(const SignalledPut& put, const void* src,
                                         std::unique_ptr<char[]> packed, SignalFlush flush) {
  core::count(core::OperationKind::signal, core::OperationPath::two_sided, put.nbytes);
  PendingOperations::Registration registration(_one_sided.pending_operations());
  exec::StatePtr<Request> raised;
  if (flush == SignalFlush::covers) raised = add_pending_raise(put);
  try {
    exec::Operation operation = _one_sided.driver().signals().send_data(
        _one_sided.address(put.dest), src, put.nbytes, std::move(packed),
        {_one_sided.address(put.signal), put.value, put.op}, raised.get());
    registration.add(operation, put.dest.segid, put.dest.unitid);
    return operation;
  } catch (...) {
    if (raised) raised->give_up();
    throw;
  }
}

exec::Operation SignalledPuts::raise_after(const exec::Operation& operation,
                                           const SignalledPut& put, std::unique_ptr<char[]> packed,
                                           SignalFlush flush) {
  exec::State* const state = operation.state().get();
  const bool is_flushed = flush == SignalFlush::covers;
  if (state == nullptr) {
    raise(put, nullptr);
    if (is_flushed && signal_on_node(put) == nullptr) add_unacknowledged(put);
    return {};
  }
  exec::StatePtr<Request> raised;
  if (is_flushed) raised = add_pending_raise(put);
  RaiseWhenComplete* raise = nullptr;
  try {
    raise = new RaiseWhenComplete(*this, operation.state(), put, std::move(packed), raised);
  } catch (...) {
    if (raised) raised->give_up();
    static_cast<void>(packed.release());  // the transfer still reads it
    throw;
  }
  exec::Operation result(exec::StatePtr<exec::State>::share(raise));
  if (!state->attach(*raise)) raise->run();
  return result;
}

/// Whether different processes handle messages to the data and to the signal: a unit handles those
/// to memory that it has registered, and its progress process those to its heap. Then the order of
/// the puts to a signal would be lost.
bool SignalledPuts::needs_two_processes(const SignalledPut& put) const {
  return _one_sided.driver().has_progress_processes() && segment_of(put.dest).window != nullptr &&
         segment_of(put.signal).window == nullptr;
}

/// Starts a put, and raises the signal when it is complete.
/// \param packed  the buffer that contains `src`, or null
exec::Operation SignalledPuts::start_separately(const SignalledPut& put, const void* src,
                                                std::unique_ptr<char[]> packed, SignalFlush flush) {
  count(put, 0);
  SignalledPut raise = put;
  raise.dest = raise.signal;  // the message to raise it concerns no other memory
  return raise_after(_one_sided.start_put(put.dest, src, put.nbytes), raise, std::move(packed),
                     flush);
}

exec::Operation SignalledPuts::start(const SignalledPut& put, const void* src, SignalFlush flush) {
  check(put);
  if (signal_on_node(put) != nullptr || put.nbytes > chunk_bytes() || needs_two_processes(put))
    return start_separately(put, src, nullptr, flush);
  _one_sided.driver().flow().wait_below_limit();
  if (put.nbytes > SignalMessages::max_payload) return send_data(put, src, nullptr, flush);
  count(put, put.nbytes);
  send_message(put, src, put.nbytes, put.nbytes, put.nbytes == 0 ? 0 : 1, nullptr);
  if (flush == SignalFlush::covers) add_unacknowledged(put);
  return {};
}

void SignalledPuts::start_strided(const SignalledPut& put, const void* src,
                                  std::size_t block_nbytes, std::size_t src_stride,
                                  std::size_t nblocks) {
  check(put);
  if (void* const to = on_node_address(put.dest, put.nbytes)) {
    count(put, put.nbytes);
    core::copy_strided(to, src, block_nbytes, src_stride, block_nbytes, nblocks);
    return raise(put, nullptr);
  }
  _one_sided.driver().flow().wait_below_limit();
  const bool separately = put.nbytes > chunk_bytes() || needs_two_processes(put);
  if (put.nbytes <= SignalMessages::max_payload && !separately) {
    count(put, put.nbytes);
    return send_message(put, src, block_nbytes, src_stride, nblocks, nullptr);
  }
  auto packed = std::make_unique_for_overwrite<char[]>(put.nbytes);
  core::copy_strided(packed.get(), src, block_nbytes, src_stride, block_nbytes, nblocks);
  const char* const data = packed.get();
  if (separately) {
    start_separately(put, data, std::move(packed), SignalFlush::ignores);
  } else {
    send_data(put, data, std::move(packed), SignalFlush::ignores);
  }
}

}  // namespace dash::dart
