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

/// Something to do when a state completes: an intrusive node that is run once.
class DASH_API Continuation {
 public:
  /// Who may run it.
  enum class Where : std::uint8_t {
    /// User code: on a thread that waits or enters the library, never on the progress thread.
    user_thread,
    /// A few instructions of the library itself: at once, by whoever completes the state.
    inline_
  };

  explicit Continuation(Where where) noexcept : _where(where) {}
  Continuation(const Continuation&) = delete;
  Continuation& operator=(const Continuation&) = delete;

  virtual void run() noexcept = 0;

  /// The same by who can run another one next, on the same thread.
  /// \returns that one, or null
  virtual Continuation* run_and_pass_on() noexcept {
    run();
    return nullptr;
  }

  /// A state that cannot be done before this has run; null if there is none for certain. Asked
  /// while this is attached.
  virtual State* dependent() noexcept { return nullptr; }

  Where where() const noexcept { return _where; }

 protected:
  ~Continuation() = default;

 private:
  friend class State;
  friend class Running;
  friend class ContinuationQueue;
  Continuation* _next = nullptr;
  Where _where;
};

/// The shared state of one thing in flight: pending, then once and for all ready or failed.
///
/// Reference counted and intrusive. Its producer holds a reference until it has completed it, so
/// that dropping all futures detaches the operation without loss.
/// \threads any
class DASH_API State : public core::Pooled {
 public:
  State() noexcept = default;
  /// With references for others than the producer, who adopt them.
  explicit State(std::uint32_t references) noexcept : _references(references) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void retain() noexcept { _references.fetch_add(1, std::memory_order_relaxed); }
  /// For who knows of the state without owning it. \returns false if its end has begun
  /// \pre destroy() of such a state deletes it only if is_last() is true, then
  bool retain_if_alive() noexcept {
    std::uint32_t references = _references.load(std::memory_order_relaxed);
    while (references != 0) {
      if (_references.compare_exchange_weak(references, references + 1, std::memory_order_relaxed))
        return true;
    }
    return false;
  }
  void release() noexcept {
    // Who has the only reference needs no atomic instruction: nobody can add another one, unless
    // retain_if_alive() is used, of which is_last() knows.
    if (_references.load(std::memory_order_acquire) == 1 ||
        _references.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }

  /// Ready or failed. What the producer wrote before is visible to who reads true.
  bool done() const noexcept { return _continuations.load(std::memory_order_seq_cst) == closed(); }

  /// Whether what the operation reads may be changed, of which done() is the latest moment.
  virtual bool source_done() const noexcept { return done(); }

  bool failed() const noexcept { return done() && _error != nullptr; }
  /// \pre done()
  const std::exception_ptr& error() const noexcept { return _error; }

  /// What it stands for, to who waits for it. Any thread may ask while somebody waits.
  virtual Label label() const noexcept { return {"a future"}; }

  /// Publishes the result. Runs the library's own continuations, hands the user's to the engine
  /// and wakes whoever sleeps until this is done.
  /// \pre pending; called once, by the producer
  void complete() noexcept;
  /// The same; the first of the user's continuations is returned, if there is one: for who can run
  /// it next.
  Continuation* complete_and_pass_on() noexcept;
  void fail(std::exception_ptr error) noexcept {
    _error = std::move(error);
    complete();
  }

  /// Registers what to do on completion.
  /// \returns false, registering nothing, if the state is done
  bool attach(Continuation& continuation) noexcept;

  /// Returns when done: spins, helps, sleeps.
  /// \throws exception::RuntimeError where it could never end: on the progress thread, and in what
  ///         has to return before this can be done
  void wait();

  /// The same until a time of core::now_ns() at most; a lazy state is tested now and then.
  /// \returns whether done
  bool wait_until(std::uint64_t deadline_ns);

  /// Makes some progress towards done; never blocks, except where a lazy state has no other way.
  bool test();

  /// What a lazy state is besides: nothing happens unless somebody calls wait() or test(). Nothing
  /// is attached to it, since what is attached would have to live as long.
  virtual Lazy* lazy() noexcept { return nullptr; }
  bool needs_waiter() noexcept { return lazy() != nullptr; }

  /// Gives up what has not begun, and what only it was waiting for: they fail with
  /// exception::Cancelled.
  /// \returns whether this has not begun
  bool cancel() noexcept;

 protected:
  virtual ~State() = default;
  virtual void destroy() noexcept { delete this; }
  /// For a destroy() that has made sure that nobody finds the state any more: gives up the reference
  /// of who released it. \returns false if somebody had found it before
  bool is_last() noexcept {
    return _references.load(std::memory_order_acquire) == 0 ||
           _references.fetch_sub(1, std::memory_order_acq_rel) == 1;
  }

  /// A continuation is about to be attached: somebody wants this to be done who may never wait.
  virtual void attaching() noexcept {}

  /// Cancels this one, if it has not begun.
  virtual bool cancel_this() noexcept { return false; }
  void fail_cancelled() noexcept;
  /// After cancel_this(): the state that only this one waits for.
  virtual StatePtr<State> upstream() noexcept;

  void set_error(std::exception_ptr error) noexcept { _error = std::move(error); }

  /// For the end of a chain of any length without recursion: takes away, from a state that nobody
  /// uses any more, the one that it alone keeps alive.
  virtual StatePtr<State> take_upstream() noexcept;
  static void drop_chain(StatePtr<State> last) noexcept;

 private:
  friend class Running;
  Continuation* close() noexcept;
  static Continuation* run_all(Continuation* last_first, bool pass_on) noexcept;
  static Continuation* closed() noexcept { return reinterpret_cast<Continuation*>(1); }

  // The list of continuations, last attached first; closed() once done. The exchange in close()
  // pairs with the loads in done() and attach(); that in done() is sequentially consistent because
  // of those who go to sleep (Engine::closed).
  std::atomic<Continuation*> _continuations{nullptr};
  std::atomic<std::uint32_t> _references{1};
  std::exception_ptr _error;
};

/// Shares ownership of a State or of something derived from it.
template <class S>
class StatePtr {
 public:
  StatePtr() noexcept = default;
  /// Takes over the reference that the caller holds.
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
  /// Gives the reference away.
  S* detach() noexcept { return std::exchange(_state, nullptr); }
  void reset() noexcept { *this = StatePtr(); }

 private:
  S* _state = nullptr;
};

}  // namespace dash::exec
