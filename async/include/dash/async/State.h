#pragma once

#include <atomic>
#include <cstdint>
#include <exception>
#include <utility>

#include "dash/async/Label.h"
#include "dash/core/Export.h"
#include "dash/core/Pooled.h"

namespace dash::exec {

class Lazy;
class State;
template <class S>
class StatePtr;

/// Code that runs once when a state completes: an intrusive list node.
class DASH_API Continuation {
 public:
  /// The threads that may run it.
  enum class Where : std::uint8_t {
    /// Code of the application: a thread that waits or enters the library, never the progress thread.
    user_thread,
    /// A few instructions of the library: run immediately, by the thread that completes the state.
    inline_,
    /// The same, but it only makes a suspended task ready to run.
    inline_wake
  };

  explicit Continuation(Where where) noexcept : _where(where) {}
  Continuation(const Continuation&) = delete;
  Continuation& operator=(const Continuation&) = delete;

  virtual void run() noexcept = 0;

  /// Runs it, on behalf of a caller that can run another continuation next.
  /// \returns the continuation that may run now, which the caller has to run or post; or null
  virtual Continuation* run_and_take_next() noexcept {
    run();
    return nullptr;
  }

  /// A state that cannot be done before this has run; null if none is known. Called while the
  /// continuation is attached.
  virtual State* dependent() noexcept { return nullptr; }

  Where where() const noexcept { return _where; }
  bool is_inline() const noexcept { return _where != Where::user_thread; }

  /// Enqueues it to run on a thread of the application. \pre its state is done
  void post() noexcept;

 protected:
  ~Continuation() = default;

 private:
  friend class State;
  friend class ComputationScope;
  friend class ContinuationQueue;
  Continuation* _next = nullptr;
  Where _where;
};

/// Shared state of an asynchronous operation: pending, then ready or failed for ever.
///
/// Intrusive and reference counted. The producer holds a reference until it has completed the state, so
/// an operation continues after all its futures have been dropped.
/// \threads thread-safe
class DASH_API State : public Labeled, public core::Pooled {
 public:
  State() noexcept = default;
  /// \param references  initial count; besides the producer, other owners adopt the references
  explicit State(std::uint32_t references) noexcept : _references(references) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // Relaxed: the caller has a reference, or a pointer that the owner's lock protects; the decrement releases.
  void retain() noexcept { _references.fetch_add(1, std::memory_order_relaxed); }
  /// Adds a reference, for a caller that has a pointer to the state but owns no reference.
  /// \returns false if the last reference has been released
  /// \pre destroy() of such a state deletes it only if is_last() returns true
  bool retain_if_alive() noexcept {
    // Relaxed: the lock that the caller holds publishes the state. The decrements release.
    std::uint32_t references = _references.load(std::memory_order_relaxed);
    while (references != 0) {
      if (_references.compare_exchange_weak(references, references + 1, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  void release() noexcept {
    // The owner of the only reference needs no atomic read-modify-write: no other thread can add a
    // reference, except by retain_if_alive(), which is_last() takes into account.
    if (_references.load(std::memory_order_acquire) == 1 ||
        _references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }

  /// Whether the state is ready or failed. If true, everything the producer wrote before is visible.
  bool done() const noexcept { return _continuations.load(std::memory_order_seq_cst) == closed(); }

  /// Whether the application may change the source of the operation (local completion).
  virtual bool source_done() const noexcept { return done(); }

  bool failed() const noexcept { return done() && _error != nullptr; }
  /// \pre done()
  const std::exception_ptr& error() const noexcept { return _error; }

  /// Describes the operation in reports of waits for it.
  Label label() const noexcept override { return {"a future"}; }

  /// Publishes the result: runs the continuations of the library, posts those of the application, and
  /// wakes the threads that wait for the state.
  /// \pre pending; called once, by the producer
  void complete() noexcept;
  /// The same, for a caller that can run a continuation next.
  /// \returns the first continuation of the application, which is not posted; or null
  Continuation* complete_and_take_next() noexcept;
  void fail(std::exception_ptr error) noexcept {
    _error = std::move(error);
    complete();
  }

  /// Registers a continuation.
  /// \returns false, registering nothing, if the state is done
  bool attach(Continuation& continuation) noexcept;

  /// Returns when done; makes progress in the meantime.
  /// \throws exception::RuntimeError if the wait could never end: on the progress thread, and in code that
  ///         has to return before the state can be done
  void wait();

  /// The same, but returns at the latest at a time of core::now_ns(); tests a lazy state periodically.
  /// \returns whether done
  bool wait_until(std::uint64_t deadline_ns);

  /// Makes one round of progress. Blocks only for a lazy state that can be computed in no other way.
  /// \returns whether done
  bool test();

  /// The lazy part of the state; null if it is not lazy. A lazy state makes no progress unless a thread
  /// calls wait() or test(). No continuations are attached to it, since they would have to live as long.
  virtual Lazy* lazy() noexcept { return nullptr; }
  bool needs_waiter() noexcept { return lazy() != nullptr; }

  /// Cancels the computation if it has not begun, and those that only it depends on; their states fail
  /// with exception::Cancelled.
  /// \returns whether it was cancelled
  bool cancel() noexcept;

 protected:
  virtual ~State() = default;
  virtual void destroy() noexcept { delete this; }
  /// Releases the last reference, in a destroy() that has made the state unreachable for
  /// retain_if_alive(). \returns false if another thread has retained it before
  bool is_last() noexcept {
    // Acquire: the thread that deletes the state sees all accesses before the other decrements.
    return _references.load(std::memory_order_acquire) == 0 ||
           _references.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  /// Called before a continuation is attached: the state has to be done although no thread may wait for it.
  virtual void attaching(Continuation::Where /*where*/) noexcept {}

  /// Cancels this state alone, if its computation has not begun.
  virtual bool cancel_this() noexcept { return false; }
  void fail_cancelled() noexcept;
  /// After cancel_this(): the state that only this one depends on.
  virtual StatePtr<State> upstream() noexcept;

  void set_error(std::exception_ptr error) noexcept { _error = std::move(error); }

  /// Takes from an unused state the one that it alone keeps alive, so that a chain of any length is
  /// destroyed without recursion.
  virtual StatePtr<State> take_upstream() noexcept;
  static void drop_chain(StatePtr<State> last) noexcept;

 private:
  friend class ComputationScope;
  Continuation* close() noexcept;
  static Continuation* run_all(Continuation* last_first, bool take_next) noexcept;
  static Continuation* closed() noexcept { return reinterpret_cast<Continuation*>(1); }

  // The list of continuations, last attached first; closed() once done. The exchange in close() pairs with
  // the loads in done() and attach(). The load in done() is sequentially consistent because of threads
  // that are about to sleep (ProgressService::notify_state_closed).
  std::atomic<Continuation*> _continuations{nullptr};
  std::atomic<std::uint32_t> _references{1};
  std::exception_ptr _error;
};

/// Shares ownership of a State or of a derived object.
template <class S>
class StatePtr {
 public:
  StatePtr() noexcept = default;
  /// Takes over a reference of the caller.
  static StatePtr adopt(S* state) noexcept {
    StatePtr result;
    result._state = state;
    return result;
  }
  /// Adds a reference.
  static StatePtr share(S* state) noexcept {
    if (state != nullptr) state->retain();
    return adopt(state);
  }

  StatePtr(const StatePtr& other) noexcept : _state(other._state) {
    if (_state != nullptr) _state->retain();
  }
  StatePtr(StatePtr&& other) noexcept : _state(std::exchange(other._state, nullptr)) {}
  template <class D>
  StatePtr(StatePtr<D> other) noexcept : _state(other.detach()) {}  // NOLINT: upcast
  StatePtr& operator=(StatePtr other) noexcept {
    std::swap(_state, other._state);
    return *this;
  }
  ~StatePtr() {
    if (_state != nullptr) _state->release();
  }

  S* get() const noexcept { return _state; }
  S* operator->() const noexcept { return _state; }
  S& operator*() const noexcept { return *_state; }
  explicit operator bool() const noexcept { return _state != nullptr; }
  /// Transfers the reference to the caller.
  S* detach() noexcept { return std::exchange(_state, nullptr); }
  void reset() noexcept { *this = StatePtr(); }

 private:
  S* _state = nullptr;
};

}  // namespace dash::exec
