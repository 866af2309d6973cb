#pragma once

#include <type_traits>

namespace dash {

/// How the units of an algorithm's call use their processors. Types of the objects below, by which
/// they are told apart.
namespace execution {

/// One thread, in order.
struct sequenced_policy {};
/// The workers of each unit, for its own elements. Functions are called concurrently.
struct parallel_policy {};
/// The same, and calls for different elements may be interleaved on one thread (vectorised):
/// functions take no locks.
struct parallel_unsequenced_policy {};
/// The same as parallel_policy, and units of a node that have no work left take over chunks of
/// those that have: functions may be called on any unit of the element's node.
struct node_policy {};

}  // namespace execution

/// \name Execution policies
/// The first argument of an algorithm, and of its form x_async(...), which is a task. Without one it
/// is par, but for generate(), which is seq, since a generator without arguments has a state. Results
/// do not depend on the number of workers, to the last bit, if those of the functions do not depend
/// on which calls came before.
/// @{
inline constexpr execution::sequenced_policy seq;
inline constexpr execution::parallel_policy par;
inline constexpr execution::parallel_unsequenced_policy par_unseq;
inline constexpr execution::node_policy par_node;
/// @}

template <class T>
inline constexpr bool is_execution_policy_v = false;
template <>
inline constexpr bool is_execution_policy_v<execution::sequenced_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::parallel_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::parallel_unsequenced_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::node_policy> = true;

template <class T>
concept ExecutionPolicy = is_execution_policy_v<std::remove_cvref_t<T>>;

}  // namespace dash
