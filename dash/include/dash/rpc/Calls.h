#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <typeindex>
#include <utility>

#include "dash/Future.h"
#include "dash/Serialization.h"
#include "dash/Team.h"
#include "dash/async/Executor.h"
#include "dash/async/FunctionRef.h"
#include "dash/core/Export.h"
#include "dash/dart/TaskMessage.h"
#include "dash/rpc/FunctionId.h"

namespace dash::internal {

/// What the header of a message announces.
enum class CallKind : std::uint8_t {
  task,     ///< a call that runs as a task
  handler,  ///< a call that runs on the polling thread
  value,    ///< the result of a call
  error     ///< the exception of a call
};

/// Precedes the arguments or the result in a message.
struct CallHeader {
  FunctionId function;
  std::uint64_t token = 0;  // of the caller's PendingCall; 0: it expects no reply
  std::int32_t team = 0;    // the team to which the call belongs
  CallKind kind = CallKind::task;
  exec::Job::Priority priority = exec::Job::Priority::normal;
};

static_assert(sizeof(CallHeader) % 16 == 0,
              "the alignment of views counts from the end of the header");

/// The target of a call, and how it runs there.
struct CallTarget {
  int unit = -1;  // global id
  exec::JobTag team = 0;
  CallKind kind = CallKind::task;
  exec::Job::Priority priority = exec::Job::Priority::normal;
};

/// A call that another unit executes. The message that it has sent owns a reference until the reply arrives.
class DASH_API PendingReply {
 public:
  PendingReply() = default;
  PendingReply(const PendingReply&) = delete;
  PendingReply& operator=(const PendingReply&) = delete;

  /// Reads the result, and completes the future. Called once, or fail_call() is.
  virtual void take_result(InputArchive& result) noexcept = 0;
  virtual void fail_call(std::exception_ptr error) noexcept = 0;

 protected:
  ~PendingReply() = default;
};

/// The future's state of a call that another unit executes.
template <class R>
class PendingCall final : public exec::ValueState<R>, public PendingReply {
 public:
  exec::Label label() const noexcept override { return {"a remote procedure call"}; }

  void take_result(InputArchive& result) noexcept override {
    if (!claim()) return this->release();
    try {
      if constexpr (std::is_void_v<R>) {
        this->_value.emplace();
      } else {
        result(this->_value.emplace());
      }
    } catch (...) {
      this->_value.reset();
      this->set_error(std::current_exception());
    }
    this->complete();
    this->release();
  }
  void fail_call(std::exception_ptr error) noexcept override {
    if (claim()) this->fail(std::move(error));
    this->release();
  }

 protected:
  /// The other unit executes the call nevertheless; its result is dropped.
  bool cancel_this() noexcept override {
    if (!claim()) return false;
    this->fail_cancelled();
    return true;
  }

 private:
  /// The thread whose exchange returns false completes the state; it publishes no data.
  bool claim() noexcept { return !_claimed.exchange(true, std::memory_order_acq_rel); }

  std::atomic<bool> _claimed{false};
};

/// Identifies a distributed object in the units of its team.
struct ObjectKey {
  std::int32_t team = 0;
  std::uint32_t number = 0;  // in the order of construction

  auto operator<=>(const ObjectKey&) const = default;
};

/// Thrown while the arguments of a call are read: the call has to wait for a distributed object.
struct MissingObject {
  ObjectKey key;
};

/// The number of bytes that a function writes. The optimizer computes it, if it does not depend on values.
template <class Write>
std::size_t count_bytes(const Write& write) {
  OutputArchive counter;
  write(counter);
  return counter.position();
}

/// A call that this unit executes for another one.
class DASH_API ReceivedCall {
 public:
  /// \pre the message contains a header
  explicit ReceivedCall(dart::IncomingMessage message) noexcept;
  ReceivedCall(const ReceivedCall&) = delete;
  ReceivedCall& operator=(const ReceivedCall&) = delete;

  const CallHeader& header() const noexcept { return _header; }
  InputArchive& arguments() noexcept { return _arguments; }
  /// Gives the memory of the arguments back.
  void release_message() noexcept { _message.release(); }
  /// Copies the arguments, so that the sender obtains its memory back. \pre none of them has been read
  void make_message_private();

  /// Executes the call and sends the reply.
  /// \returns the object that has to exist before the call can be executed
  std::optional<ObjectKey> execute() noexcept;
  /// Gives up the call, for execution by a task.
  dart::IncomingMessage take_message() noexcept { return std::move(_message); }

  /// Sends the result, if the caller expects one.
  void reply() {
    send_reply(CallKind::value, 0, [](OutputArchive&) {});
  }
  template <class R>
  void reply(const R& result) {
    const auto write = [&](OutputArchive& archive) { archive(result); };
    send_reply(CallKind::value, count_bytes(write), write);
  }

 private:
  void read_arguments_again() noexcept;
  void send_reply(CallKind kind, std::size_t nbytes, exec::FunctionRef<void(OutputArchive&)> write);
  void fail(const std::exception_ptr& error) noexcept;

  dart::IncomingMessage _message;
  CallHeader _header;
  InputArchive _arguments;
  int _source;
};

/// Reads the arguments of a call, executes it, and replies. Instantiated for each function and its argument types.
using CallFunction = void (*)(ReceivedCall& call);

/// Sends a call.
/// \param reply  null if the caller expects no reply; otherwise the message owns a reference, even if this throws
/// \param nbytes  the number of bytes that `write` writes
/// \throws exception::RuntimeError if `write` writes another number of bytes; what `write` throws. Then no message has
///         been sent
DASH_API void send_call(const CallTarget& target, const FunctionId& function, PendingReply* reply,
                        std::size_t nbytes, exec::FunctionRef<void(OutputArchive&)> write);
/// \throws exception::RuntimeError unless a serialization function has written as many bytes as it had counted
DASH_API void check_written(std::size_t written, std::size_t counted);

/// Calls a function that is not to run at the same time as others of dash::am at this unit, and that must not wait.
DASH_API void run_handler(exec::JobTag team, exec::FunctionRef<void()> function);

/// The team of the call that the calling task or function executes, otherwise the team of all units.
inline exec::JobTag current_call_team() noexcept {
  return exec::current_job_tag();
}

/// Registers the function that makes an exception of a type from its text.
DASH_API void add_exception_type(std::type_index type, const char* name,
                                 std::exception_ptr (*make)(const char* text));

/// Lets this unit execute calls, also those that have arrived before. Called by dash::init() when it has initialized all
/// other parts. \threads externally synchronized
DASH_API void accept_calls();

/// Returns when no call is pending in the job, of any team, and no task. Called by dash::finalize().
/// \param finish_tasks  waits for all tasks of the units   \collective over all units
DASH_API void finish_calls(exec::FunctionRef<void()> finish_tasks);

}  // namespace dash::internal
