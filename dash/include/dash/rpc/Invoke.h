#pragma once

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dash/Future.h"
#include "dash/Task.h"
#include "dash/Team.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/Unit.h"
#include "dash/rpc/Arguments.h"
#include "dash/rpc/Calls.h"

namespace dash {

/// Option of a remote procedure call: the team to which the call belongs. See on().
/// \ingroup rpc
struct OnTeam {
  exec::JobTag team;  ///< the id of the team
};

/// Makes a call belong to a team: unit ids are relative to it, and quiesce() of the team waits for the call. By
/// default, a call belongs to the team of the call that starts it, and otherwise to the team of all units.
/// \ingroup rpc
inline OnTeam on(const Team& team) {
  return {team.dart_id()};
}

namespace internal {

/// The unit of a call: an id relative to the team of the call, or a global id.
class CallUnit {
 public:
  template <class Id>
  requires std::convertible_to<const Id&, TeamUnitArgument>
  constexpr CallUnit(const Id& unit) noexcept  // NOLINT: a parameter
      : _id(team_unit_t(TeamUnitArgument(unit)).id) {}
  constexpr CallUnit(global_unit_t unit) noexcept : _id(unit.id), _is_global(true) {}  // NOLINT

  dart_unit_t id() const noexcept { return _id; }
  bool is_global() const noexcept { return _is_global; }

 private:
  dart_unit_t _id;
  bool _is_global = false;
};

/// \throws exception::InvalidArgument if the team has no such unit; exception::RuntimeError if not initialized
DASH_API CallTarget call_target(const CallUnit& unit, const CallTarget& options);
/// The unit that owns an element. \throws exception::InvalidArgument if it is not in global memory
DASH_API global_unit_t owner_of(const dart_gptr_t& gptr);
/// \throws exception::InvalidArgument unless the pointer refers to an object of the calling unit
DASH_API void* local_address(const dart_gptr_t& gptr, std::size_t nbytes);

/// The type of the value of a future or coroutine, otherwise the type itself.
template <class T>
struct CallResult : exec::Unwrapped<T> {};
template <class T>
struct CallResult<Task<T>> {
  using type = T;
};
/// Whether a call ends later than its function.
template <class T>
inline constexpr bool is_pending_result =
    is_specialization<T, Task> || is_specialization<T, Future>;

/// A function without state, which exists at all units: its type identifies it.
template <class F>
concept StatelessFunction = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class F>
concept FunctionPointer = std::is_pointer_v<F> && std::is_function_v<std::remove_pointer_t<F>>;

/// Reports, in plain words, why a function cannot be called.
/// \tparam Received  the types that it receives
template <class F, class... Received>
constexpr bool check_call() {
  constexpr bool is_function = StatelessFunction<F> || FunctionPointer<F>;
  static_assert(is_function,
                "dash: a remote procedure call needs a function, or a function object without "
                "state, such as a lambda "
                "without captures; pass values as arguments of the call");
  if constexpr (is_function) {
    static_assert(std::is_invocable_v<F&, Received...>,
                  "dash: the function cannot be called with these arguments as the target receives "
                  "them: as rvalues, "
                  "views as std::span<const T>, elements as T& (docs/how-to/remote-calls.md)");
    return std::is_invocable_v<F&, Received...>;
  }
  return false;
}

/// The same for a function that must not wait.
template <class F, class... Received>
constexpr bool check_handler() {
  if constexpr (check_call<F, Received...>()) {
    static_assert(!is_pending_result<std::decay_t<std::invoke_result_t<F&, Received...>>>,
                  "dash: a function of dash::am or dash::Aggregator cannot return a future or a "
                  "coroutine, for which it would have to wait; use dash::rpc");
    return true;
  }
  return false;
}

/// The function as the target obtains it.
template <class F>
F load_function([[maybe_unused]] InputArchive& archive) {
  if constexpr (FunctionPointer<F>) {
    FunctionId id;
    archive(id);
    return reinterpret_cast<F>(find_function(id));
  } else {
    return F{};
  }
}

/// A function as it is sent: nothing, if its type identifies it.
template <class F>
class SentFunction {
 public:
  explicit SentFunction(const F& /*f*/) noexcept {}
  void save(OutputArchive& /*archive*/) const {}
};
template <FunctionPointer F>
class SentFunction<F> {
 public:
  explicit SentFunction(F f) : _id(function_id(reinterpret_cast<const void*>(f))) {}
  void save(OutputArchive& archive) const { archive(_id); }

 private:
  FunctionId _id;
};

/// Replies with a result; waits for one that is a future or a coroutine.
template <class R>
void reply_with(ReceivedCall& call, R&& result) {
  using Result = std::remove_cvref_t<R>;
  if constexpr (is_specialization<Result, Task>) {
    reply_with(call, result.start());
  } else if constexpr (is_specialization<Result, Future>) {
    if constexpr (std::is_void_v<typename Result::value_type>) {
      result.get();
      call.reply();
    } else {
      call.reply(result.get());
    }
  } else {
    call.reply(result);
  }
}

template <class F, class Tuple>
void apply_and_reply(ReceivedCall& call, F& f, Tuple& arguments) {
  using Result = decltype(std::apply(f, std::move(arguments)));
  if constexpr (std::is_void_v<Result>) {
    std::apply(f, std::move(arguments));
    call.reply();
  } else {
    reply_with(call, std::apply(f, std::move(arguments)));
  }
}

// The functions below are hidden: each program and library has its own copy, so that the address of an instance
// identifies the object that contains it.

/// The arguments of a call, before the first is read. A task may wait, so it copies a message of which it uses views.
template <bool has_views>
InputArchive& open_arguments(ReceivedCall& call) {
  if (has_views && call.header().kind == CallKind::task) call.make_message_private();
  return call.arguments();
}

/// Executes a call of f(arguments...).
template <class F, class... Args>
[[gnu::visibility("hidden")]] void execute_call(ReceivedCall& call) {
  constexpr bool has_views = (Args::refers_to_message || ...);
  InputArchive& archive = open_arguments<has_views>(call);
  F f = load_function<F>(archive);
  // Braces: the arguments are read in their order.
  std::tuple<typename Args::Received...> arguments{Args::load(archive)...};
  if constexpr (!has_views) call.release_message();
  apply_and_reply(call, f, arguments);
}

/// Executes a call of f(element, arguments...).
template <class T, class F, class... Args>
[[gnu::visibility("hidden")]] void execute_call_at(ReceivedCall& call) {
  constexpr bool has_views = (Args::refers_to_message || ...);
  InputArchive& archive = open_arguments<has_views>(call);
  F f = load_function<F>(archive);
  dart_gptr_t gptr{};
  archive(gptr);
  std::tuple<T&, typename Args::Received...> arguments{
      *static_cast<T*>(local_address(gptr, sizeof(T))), Args::load(archive)...};
  if constexpr (!has_views) call.release_message();
  apply_and_reply(call, f, arguments);
}

/// The id of an instance, found once.
template <CallFunction function>
[[gnu::visibility("hidden")]] const FunctionId& id_of() {
  static const FunctionId id = function_id(reinterpret_cast<const void*>(function));
  return id;
}

/// A call of a function with arguments of types Args at a unit.
struct AtUnit {
  static constexpr CallKind kind = CallKind::task;
  CallUnit unit;

  template <class F, class... Received>
  static constexpr bool check() {
    return check_call<F, Received...>();
  }
  template <class F, class... Received>
  using Result = std::invoke_result_t<F&, Received...>;
  template <class F, class... Args>
  static const FunctionId& id() {
    return id_of<&execute_call<F, Args...>>();
  }
  CallTarget target(const CallTarget& options) const { return call_target(unit, options); }
  void save(OutputArchive& /*archive*/) const {}
};

/// The same for a function that must not wait.
struct HandlerAtUnit : AtUnit {
  static constexpr CallKind kind = CallKind::handler;

  template <class F, class... Received>
  static constexpr bool check() {
    return check_handler<F, Received...>();
  }
};

/// The same as AtUnit at the unit that owns an element, to which the function gets a reference first.
template <class T>
struct AtElement {
  static constexpr CallKind kind = CallKind::task;
  dart_gptr_t gptr;

  template <class F, class... Received>
  static constexpr bool check() {
    return check_call<F, T&, Received...>();
  }
  template <class F, class... Received>
  using Result = std::invoke_result_t<F&, T&, Received...>;
  template <class F, class... Args>
  static const FunctionId& id() {
    return id_of<&execute_call_at<T, F, Args...>>();
  }
  CallTarget target(const CallTarget& options) const {
    return call_target(owner_of(gptr), options);
  }
  void save(OutputArchive& archive) const { archive(gptr); }
};

/// Sends a call.
/// \param place  AtUnit or AtElement  \returns the future of the result, if has_reply
template <bool has_reply, class Place, class F, class... Args>
auto send(const Place& place, const CallTarget& options, const F& f, const Args&... args) {
  const CallTarget target = place.target(options);
  const FunctionId& id = Place::template id<F, ArgumentOf<Args>...>();
  const SentFunction<F> function(f);
  const auto write = [&](OutputArchive& archive) {
    function.save(archive);
    place.save(archive);
    (ArgumentOf<Args>::save(archive, args), ...);
  };
  if constexpr (has_reply) {
    using Result = typename Place::template Result<F, typename ArgumentOf<Args>::Received...>;
    using R = typename CallResult<std::decay_t<Result>>::type;
    static_assert(std::is_void_v<R> || std::is_default_constructible_v<R>,
                  "dash: the result of a remote procedure call needs a default constructor");
    auto state = exec::StatePtr<PendingCall<R>>::adopt(new PendingCall<R>());
    state->retain();  // released when the reply arrives
    send_call(target, id, state.get(), count_bytes(write), write);
    return Future<R>(exec::StatePtr<exec::ValueState<R>>(std::move(state)));
  } else {
    send_call(target, id, nullptr, count_bytes(write), write);
  }
}

/// Evaluates the options that precede the function, then sends the call.
template <bool has_reply, class Place, class F, class... Args>
auto start_with_options(const Place& place, const CallTarget& options, const F& f,
                        const Args&... args) {
  if constexpr (std::is_same_v<F, OnTeam>) {
    CallTarget target = options;
    target.team = f.team;
    return start_with_options<has_reply>(place, target, args...);
  } else if constexpr (std::is_same_v<F, exec::Job::Priority>) {
    static_assert(Place::kind == CallKind::task,
                  "dash: a function of dash::am has no priority: it runs at once");
    CallTarget target = options;
    target.priority = f;
    return start_with_options<has_reply>(place, target, args...);
  } else {
    using Function = std::decay_t<F>;
    if constexpr (Place::template check<Function, typename ArgumentOf<Args>::Received...>()) {
      const Function function = f;
      return send<has_reply>(place, options, function, args...);
    }
  }
}

/// Starts a call. \param args  the options, the function, its arguments
template <bool has_reply, class Place, class... Args>
auto start_call(const Place& place, const Args&... args) {
  return start_with_options<has_reply>(place, {.team = current_call_team(), .kind = Place::kind},
                                       args...);
}

}  // namespace internal
}  // namespace dash
