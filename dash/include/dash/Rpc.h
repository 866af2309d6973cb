#pragma once

/// \file
/// Remote procedure calls: functions that run as tasks at another unit, where the data is.
///
///     auto answer = dash::rpc(unit, [](int a, std::vector<double> b) { return a * b.at(0); }, 2, values);
///     dash::am_ff(unit, [](std::string line) { log.push_back(line); }, "step " + std::to_string(step));
///     dash::quiesce();   // all calls have ended, and those that they have started
///     std::cout << answer.get();
///
/// See docs/how-to/remote-calls.md.

#include <exception>
#include <type_traits>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/rpc/Calls.h"
#include "dash/rpc/Invoke.h"

namespace dash {

/// \addtogroup rpc
/// @{

/// Runs f(args...) as a task at another unit, and returns a future of its result.
///
///     dash::rpc(unit, f, args...)
///     dash::rpc(unit, dash::on(team), f, args...)
///     dash::rpc(unit, dash::tasks::priority::high, f, args...)
///
/// The task may wait for futures, locks, transfers and further calls. Its unit runs it on a worker; a unit with one
/// processor runs it when one of its threads waits, tests or calls dash::progress(). So every function that waits may run
/// tasks of other units.
/// \param unit  a number or team_unit_t, relative to the team of the call; or a global_unit_t; also the caller itself
/// \param args  the options, then f, then its arguments. f is a function pointer, or a function object without state; if
///              it returns a future or a dash::Task, the call ends when that does. The program or library that contains
///              f must be loaded at the target. The arguments are serialized (OutputArchive). A std::span, a
///              std::string_view or dash::make_view(first, last) is received as a view of the message, valid until the
///              call ends; elements that are not trivially copyable as a std::vector
/// \returns a future of the result, of the type that f returns, or of the value of its future; it fails with the exception
///          of f: of the same type if that is registered (register_exception), otherwise exception::Remote. Cancelling it
///          drops the result; destroying it does not end the call
/// \throws exception::InvalidArgument if the team has no such unit; exception::RuntimeError if the function cannot be
///         identified, or if not initialized
/// \completion the future: the call has ended, and its result is available
/// \threads thread-safe   \blocks while too many earlier calls of this unit have not been received (limits:
///          docs/how-to/remote-calls.md); it runs other tasks in the meantime, so the caller must not hold a lock that
///          they acquire
/// \cost one message for the call and one for the reply; on a node through shared memory
template <class... Args>
auto rpc(internal::CallUnit unit, const Args&... args) {
  return internal::start_call<true>(internal::AtUnit{unit}, args...);
}

/// As rpc(), without a result. An exception of f is logged, and the next quiesce() of the team throws it.
template <class... Args>
void rpc_ff(internal::CallUnit unit, const Args&... args) {
  internal::start_call<false>(internal::AtUnit{unit}, args...);
}

/// As rpc(), but f runs on the thread of the target that receives the message, which may be its progress thread while the
/// target computes. A call to the caller itself, or for an object or a team that does not exist there yet, runs as a
/// task. The functions of am() at a unit run one at a time, but at the same time as its other threads. They must be
/// short, and must not wait: a wait throws exception::RuntimeError. They have no priority, and return no future.
template <class... Args>
auto am(internal::CallUnit unit, const Args&... args) {
  return internal::start_call<true>(internal::HandlerAtUnit{{unit}}, args...);
}

/// As am(), without a result; see rpc_ff().
template <class... Args>
void am_ff(internal::CallUnit unit, const Args&... args) {
  internal::start_call<false>(internal::HandlerAtUnit{{unit}}, args...);
}

/// As rpc(), at the unit that owns an element: f gets a reference to the element, then the arguments.
///
///     dash::async_at(particles.begin() + i, [](Particle& p, Vector force) { p.accelerate(force); }, force);
///
/// Tasks of a unit may run at the same time: if several calls change an element, they need a lock or atomic operations.
/// \param element  a global pointer, iterator or reference; the element must exist until the call has ended
/// \param args     the options of rpc(), the function, its further arguments. The owner has to belong to the team of the
///                 call
/// \throws as rpc()
template <class Element, class... Args>
requires requires(const Element& element) {
  element.dart_gptr();
}
auto async_at(const Element& element, const Args&... args) {
  using Place = internal::AtElement<std::remove_cv_t<typename Element::value_type>>;
  return internal::start_call<true>(Place{element.dart_gptr()}, args...);
}

/// Returns when no call of the team is pending, and none of the team that these calls have started: the functions have
/// ended, with the futures that they have returned, and the futures of the calls are ready. Runs calls in the meantime.
/// It does not wait for tasks of dash::async that a function has started and has not waited for, nor for continuations.
/// \throws the exception of a function of rpc_ff() or am_ff() that failed at this unit since the last call, on the other
///         units of the team exception::RuntimeError; exception::RuntimeError in a task, which might wait for itself
/// \collective over the team   \blocks until all units have called it and all calls have ended
/// \cost at least two reductions of 24 bytes
DASH_API void quiesce(const Team& team = Team::All());

/// Makes exceptions of type E keep their type when a remote procedure call throws them. To be called on all units.
/// The types of the header stdexcept, std::bad_alloc and those of dash::exception are registered, except
/// exception::Remote: if a function passes it on, the caller gets another one, with the unit of that function.
/// \tparam E     an exception with a constructor from a std::string or const char*
/// \param name  the same on all units
/// \threads thread-safe
template <class E>
void register_exception(const char* name) {
  internal::add_exception_type(typeid(E), name,
                               [](const char* text) { return std::make_exception_ptr(E(text)); });
}

/// @}

}  // namespace dash
