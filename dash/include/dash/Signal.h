#pragma once

/// \file
/// Notified access: a put that notifies its target, so that a neighbour learns of arrived data
/// without a barrier.
///
///      dash::SignalArray arrived(1);                       // collective: one signal for each unit
///      dash::put_signal(row, row + n, halo_of(right), arrived(right), step);
///      arrived[0].wait_until(step);        // the left neighbour's data has arrived

#include <cstddef>
#include <cstdint>
#include <utility>

#include "dash/Future.h"
#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/core/Trace.h"
#include "dash/dart/Signal.h"
#include "dash/dart/Transfer.h"
#include "dash/internal/element/GptrWords.h"
#include "dash/internal/transfer/RangeTransfer.h"
#include "dash/memory/GlobalSegment.h"

namespace dash {

/// The value of a signal: a sequence number or a counter, modulo 2^32.
/// \ingroup transfers
using signal_t = std::uint32_t;

/// The effect of a put on its signal: `set` stores the value; `add` adds it, for signals that
/// several units raise.
/// \ingroup transfers
using SignalOp = dart::SignalOp;

/// Identifies a signal of any unit, for raising it. A value type of 16 bytes, which can be sent to
/// other units.
/// \ingroup transfers
class DASH_API GlobSignal {
 public:
  /// Identifies no signal.
  GlobSignal() noexcept = default;
  /// Used by the library: the signal at a global pointer.
  explicit GlobSignal(const dart_gptr_t& gptr) noexcept : _words(gptr) {}
  /// Used by the library: the signal at a compressed global pointer.
  explicit GlobSignal(internal::GptrWords words) noexcept : _words(words) {}

  /// Global pointer to the signal.
  dart_gptr_t dart_gptr() const noexcept { return _words.gptr(); }
  /// The unit that owns the signal, relative to the team of the array.
  team_unit_t unit() const noexcept { return team_unit_t(_words.unit()); }

  /// Stores a value in the signal, without data. Ordered only after transfers that are complete.
  /// \blocks never, except while too many operations are in flight  \threads thread-safe
  /// \cost on a node a store, between nodes a message
  void set(signal_t value) const { raise(value, SignalOp::set); }
  /// Like set(), but adds to the value of the signal.
  void add(signal_t n = 1) const { raise(n, SignalOp::add); }

  /// Address of the signal in this process if it can be raised by a plain store, otherwise nullptr.
  /// Not for users.
  dart::Signal* word() const noexcept {
    if (core::tracing()) [[unlikely]]
      return nullptr;
    return static_cast<dart::Signal*>(internal::uncounted_address(_words, sizeof(dart::Signal)));
  }

 private:
  void raise(signal_t value, SignalOp op) const {
    if (dart::Signal* const local = word()) [[likely]]
      return dart::raise_signal(*local, value, op);
    raise_remote(value, op);
  }
  void raise_remote(signal_t value, SignalOp op) const;

  internal::GptrWords _words{DART_GPTR_NULL};
};

/// A signal of the calling unit, which it waits for. Refers to the array, which must outlive it.
/// \threads thread-safe
/// \ingroup transfers
class DASH_API Signal {
 public:
  /// Used by SignalArray.
  explicit Signal(dart::Signal& word) noexcept : _word(&word) {}

  /// The current value. Data put before the signal was raised to it is visible.
  signal_t value() const noexcept { return _word->value.load(std::memory_order_acquire); }

  /// Returns when the value is at least `value`, compared as sequence numbers: ahead by at most
  /// 2^31 - 1 modulo 2^32. Data put before the signal was raised is visible then. Within a task,
  /// other tasks run during the wait.
  /// \cost a load if the value is reached already
  void wait_until(signal_t value) const {
    if (!dart::is_signal_reached(*_word, value)) dart::wait_signal(*_word, value);
  }

  /// Whether the value is reached; makes some progress if it is not.
  bool test(signal_t value) const {
    return dart::is_signal_reached(*_word, value) || dart::test_signal(*_word, value);
  }

  /// A future of the signal's value when it was observed to be at least `value`. Supports then(),
  /// when_any() of several signals, and co_await. Ready: data put before the signal was raised is
  /// visible.
  /// \throws (the future) exception::RuntimeError if the array or library is destroyed first
  /// \cost one allocation
  Future<signal_t> when(signal_t value) const {
    return Future<signal_t>(dart::when_signal(*_word, value));
  }

  /// Adds to the value locally and atomically. \returns the previous value
  signal_t add(signal_t n = 1) const noexcept {
    // Sequentially consistent, see SharedWord.
    const signal_t before = _word->value.fetch_add(n, std::memory_order_seq_cst);
    _word->wake();
    return before;
  }

  /// Stores a value locally, and wakes the threads of this unit that wait for it. No unit may raise
  /// the signal with `add` at the same time, since its addition could be lost.
  /// \returns the previous value
  signal_t reset(signal_t value = 0) const noexcept {
    const signal_t before = _word->value.exchange(value, std::memory_order_seq_cst);
    _word->wake();
    return before;
  }

 private:
  dart::Signal* _word;
};

/// An array of signals for each unit of a team, initially 0. Each occupies a cache line.
/// \threads thread-safe, except for construction and destruction
/// \ingroup transfers
class DASH_API SignalArray {
 public:
  /// Allocates the signals.
  /// \param count  number of signals of each unit; the same on all units
  /// \collective over the team
  /// \throws exception::RuntimeError if there is not enough memory
  explicit SignalArray(std::size_t count = 1, Team& team = Team::All());
  /// Fails futures that are still pending.
  /// \collective over the team  \blocks until all units have called it
  ~SignalArray();
  SignalArray(const SignalArray&) = delete;
  SignalArray& operator=(const SignalArray&) = delete;

  /// Whether the array has memory; it has none after dash::finalize().
  bool is_allocated() const noexcept { return _segment.is_allocated(); }
  /// Number of signals of each unit.
  std::size_t size() const noexcept { return _count; }
  /// The team whose units have signals.
  Team& team() const noexcept { return _segment.team(); }

  /// A signal of the calling unit. \pre i < size()
  Signal operator[](std::size_t i) const noexcept { return Signal(_own[i].word); }

  /// A signal of any unit of the team.
  /// \throws exception::InvalidArgument if there is no such signal
  GlobSignal operator()(team_unit_t unit, std::size_t i = 0) const {
    if (static_cast<std::size_t>(unit.id) >= _segment.sizes().nunits() || i >= _count) [[unlikely]]
      throw_no_signal(unit, i);
    return GlobSignal(_segment.words_at(unit, i * sizeof(Slot)));
  }

 private:
  struct alignas(64) Slot {
    dart::Signal word;
  };

  void release();
  [[noreturn]] void throw_no_signal(team_unit_t unit, std::size_t i) const;

  internal::GlobalSegment _segment;
  std::size_t _count;
  Slot* _own = nullptr;
};

/// Starts putting native memory to a global range, and raises a signal, of the owner or of any
/// other unit, when all of the data is visible at its owners. If the put fails, the signal is not
/// raised. A put that starts after the future of an earlier one was ready sets the signal after
/// that one does.
/// \returns a future of the end of the written range; ready: the source may be reused. The written
///         data is complete when the signal has been raised, or after a flush of the container and
///         a barrier, which also complete the signal. Dropping the future detaches the operation.
/// \completion source   \collective no
/// \blocks never, except while too many operations are in flight   \threads thread-safe
/// \throws exception::InvalidArgument if the range or the signal is not within a live allocation
/// \cost between nodes: one message for up to 4 KiB of one unit's memory; for more, up to the
///         fragment size of transfers (docs/reference/settings.md), one message and the data;
///         otherwise a put, then a message. Within a node: a copy and a store
/// \ingroup transfers
template <typename ValueType, internal::CopyIterator GlobOutputIt>
Future<GlobOutputIt> put_signal_async(const ValueType* in_first, const ValueType* in_last,
                                      GlobOutputIt out, const GlobSignal& signal, signal_t value,
                                      SignalOp op = SignalOp::set) {
  internal::require_copyable<ValueType, typename GlobOutputIt::value_type>();
  const GlobOutputIt end(out + (in_last - in_first));
  if (dart::Signal* const local = signal.word()) {
    if (internal::put_small(in_first, in_last, out)) {
      dart::raise_signal(*local, value, op);
      return GlobOutputIt(end);
    }
  }
  dart_gptr_t first_run = DART_GPTR_NULL;
  std::size_t nruns = 0;
  internal::for_each_contiguous_block(out, end,
                                      [&](const dart_gptr_t& gptr, std::size_t, std::size_t) {
                                        if (nruns++ == 0) first_run = gptr;
                                      });
  const dart_gptr_t word = signal.dart_gptr();
  if (nruns == 1 && first_run.unitid == word.unitid && first_run.teamid == word.teamid) {
    const auto nbytes = static_cast<std::size_t>(in_last - in_first) * sizeof(ValueType);
    return {
        dart::put_signal(first_run, in_first, nbytes, word, value, op, dart::SignalFlush::covers),
        end};
  }
  internal::Transfer transfer(internal::caller_id(out));
  internal::start_put(transfer, in_first, in_last, out);
  return {dart::raise_after(transfer.finish(), word, value, op), end};
}

/// Like put_signal_async(), but returns when the source may be reused.
/// \returns the end of the written range
/// \completion source   \blocks until the source may be reused
/// \ingroup transfers
template <typename ValueType, internal::CopyIterator GlobOutputIt>
GlobOutputIt put_signal(const ValueType* in_first, const ValueType* in_last, GlobOutputIt out,
                        const GlobSignal& signal, signal_t value, SignalOp op = SignalOp::set) {
  return put_signal_async(in_first, in_last, out, signal, value, op).get();
}

}  // namespace dash
