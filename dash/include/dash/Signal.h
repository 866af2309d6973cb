#pragma once

/// \file
/// Notified access: a put that tells its target, so that a neighbour learns of arrived data without
/// a barrier.
///
///     dash::SignalArray arrived(1);                       // collective: one for each unit
///     dash::put_signal(row, row + n, halo_of(right), arrived(right), step);
///     arrived[0].wait_until(step);                        // what the left neighbour put is there

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

/// The value of a signal: a serial number, or a count, modulo 2^32.
using signal_t = std::uint32_t;

/// What a put does to its signal: `set` stores the value, `add` adds it, for several units that
/// raise one signal.
using SignalOp = dart::SignalOp;

/// Names a signal of any unit: what others raise. A value of 16 bytes, which can be sent to others.
class DASH_API GlobSignal {
 public:
  GlobSignal() noexcept = default;
  explicit GlobSignal(const dart_gptr_t& gptr) noexcept : _words(gptr) {}
  explicit GlobSignal(internal::GptrWords words) noexcept : _words(words) {}

  dart_gptr_t dart_gptr() const noexcept { return _words.gptr(); }
  /// The unit whose signal it is, relative to the team of the array.
  team_unit_t unit() const noexcept { return team_unit_t(_words.unit()); }

  /// Raise it without data. They are not ordered with transfers, but for those that are complete.
  /// \blocks never, except while too many operations are in flight  \threads any
  /// \cost on a node a store, between nodes a message
  /// @{
  void set(signal_t value) const { raise(value, SignalOp::set); }
  void add(signal_t n = 1) const { raise(n, SignalOp::add); }
  /// @}

  /// In this process, for who raises it where nobody has to hear of it; else nullptr. Not for users.
  dart::Signal* word() const noexcept {
    if (core::tracing()) [[unlikely]]
      return nullptr;
    return static_cast<dart::Signal*>(internal::uncounted_address(_words, sizeof(dart::Signal)));
  }

 private:
  void raise(signal_t value, SignalOp op) const {
    if (dart::Signal* const here = word()) [[likely]]
      return dart::raise_signal(*here, value, op);
    raise_elsewhere(value, op);
  }
  void raise_elsewhere(signal_t value, SignalOp op) const;

  internal::GptrWords _words{DART_GPTR_NULL};
};

/// A signal of the calling unit: what it waits for. Refers to the array, which must live.
/// \threads any
class DASH_API Signal {
 public:
  explicit Signal(dart::Signal& word) noexcept : _word(&word) {}

  signal_t value() const noexcept { return _word->value.load(std::memory_order_acquire); }

  /// Returns when the value is at least `value`, as serial numbers: up to 2^31 - 1 past it modulo
  /// 2^32. What was put before the signal was raised is visible then. A task that waits lets others
  /// run.
  /// \cost a load, if it is already
  void wait_until(signal_t value) const {
    if (!dart::signal_is_there(*_word, value)) dart::wait_signal(*_word, value);
  }

  /// Whether it is; makes some progress if it is not.
  bool test(signal_t value) const {
    return dart::signal_is_there(*_word, value) || dart::test_signal(*_word, value);
  }

  /// The future of that: of the signal's value when it was seen to be at least `value`. For then(),
  /// when_any() of several signals, co_await. Ready: what was put before is visible.
  /// \throws (the future) exception::RuntimeError if the array or the library ends before
  /// \cost one allocation
  Future<signal_t> when(signal_t value) const {
    return Future<signal_t>(dart::when_signal(*_word, value));
  }

  /// Adds to it at once. \returns the value before
  signal_t add(signal_t n = 1) const noexcept {
    const signal_t before = _word->value.fetch_add(n, std::memory_order_seq_cst);
    _word->wake();
    return before;
  }

  /// Stores a value at once. Nobody may raise the signal at the same time who counts on it.
  /// \returns the value before
  signal_t reset(signal_t value = 0) const noexcept {
    return _word->value.exchange(value, std::memory_order_acq_rel);
  }

 private:
  dart::Signal* _word;
};

/// Some signals for each unit of a team, which are 0 at first. A cache line each.
/// \threads any, but for making and destroying
class DASH_API SignalArray {
 public:
  /// \param count  signals of each unit; the same on all
  /// \collective over the team
  /// \throws exception::RuntimeError if memory is short
  explicit SignalArray(std::size_t count = 1, Team& team = Team::All());
  /// Fails futures that still wait for one of them.
  /// \collective over the team  \blocks until all units have called it
  ~SignalArray();
  SignalArray(const SignalArray&) = delete;
  SignalArray& operator=(const SignalArray&) = delete;

  /// Whether the memory is there: it is gone after dash::finalize().
  bool is_allocated() const noexcept { return _segment.is_allocated(); }
  /// Signals of each unit.
  std::size_t size() const noexcept { return _count; }
  Team& team() const noexcept { return _segment.team(); }

  /// A signal of the calling unit. \pre i < size()
  Signal operator[](std::size_t i) const noexcept { return Signal(_own[i].word); }

  /// A signal of any unit of the team.
  /// \throws exception::InvalidArgument if there is none
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

/// Starts to put native memory to a global range and, when all of it is visible at its owners, to
/// raise a signal: of the owner, or of any other unit. If the put fails, the signal is not raised.
/// \returns the future of the end of what is written; ready: the source may be reused. What is
///          written is complete when the signal has been raised, or by a flush of the container
///          and a barrier, which complete the raising, too. Dropping the future detaches.
/// \completion source   \collective no
/// \blocks never, except while too many operations are in flight   \threads any
/// \throws exception::InvalidArgument if range or signal are not within a live allocation
/// \cost between nodes one message for up to 4 KiB of one unit's memory, else one and the data, up to
///       `DART_RMA_PIECE`; else a put, then a message. Within a node, a copy and a store
template <typename ValueType, internal::CopyIterator GlobOutputIt>
Future<GlobOutputIt> put_signal_async(const ValueType* in_first, const ValueType* in_last,
                                      GlobOutputIt out, const GlobSignal& signal, signal_t value,
                                      SignalOp op = SignalOp::set) {
  internal::require_copyable<ValueType, typename GlobOutputIt::value_type>();
  const GlobOutputIt end(out + (in_last - in_first));
  if (dart::Signal* const here = signal.word()) {
    if (internal::put_small(in_first, in_last, out)) {
      dart::raise_signal(*here, value, op);
      return GlobOutputIt(end);
    }
  }
  dart_gptr_t first_run = DART_GPTR_NULL;
  std::size_t nruns = 0;
  internal::for_each_run(out, end, [&](const dart_gptr_t& gptr, std::size_t, std::size_t) {
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
  exec::Operation put = transfer.finish();
  dart::raise_after(put, word, value, op);
  return {std::move(put), end};
}

/// The same, returning when the source may be reused.
/// \returns the end of what is written
/// \completion source   \blocks until then
template <typename ValueType, internal::CopyIterator GlobOutputIt>
GlobOutputIt put_signal(const ValueType* in_first, const ValueType* in_last, GlobOutputIt out,
                        const GlobSignal& signal, signal_t value, SignalOp op = SignalOp::set) {
  return put_signal_async(in_first, in_last, out, signal, value, op).get();
}

}  // namespace dash
