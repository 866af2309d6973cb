#pragma once

#include <type_traits>

namespace dash {

/// \addtogroup algorithms
/// @{

/// Types of the execution policies, which determine how the units use their processors in a call of
/// an algorithm.
namespace execution {

/// One thread per unit, in order.
struct sequenced_policy {};
/// Each unit processes its own elements with all of its workers. Functions are called concurrently.
struct parallel_policy {};
/// Like parallel_policy, and calls for different elements may be interleaved on one thread
/// (vectorized): functions must not take locks.
struct parallel_unsequenced_policy {};
/// Like parallel_policy, and units without remaining work take over chunks of other units of their
/// node: functions may be called on any unit of the element's node.
struct node_policy {};

}  // namespace execution

/// \name Execution policies
/// The optional first argument of an algorithm x(...) and of its asynchronous counterpart
/// x_async(...). The default is par, except for generate(), whose default is seq because a generator
/// without arguments has state. Results are bitwise independent of the number of workers if the
/// result of each function call does not depend on previous calls.
/// @{

/// One thread per unit, in order.
inline constexpr execution::sequenced_policy seq;
/// All workers of each unit.
inline constexpr execution::parallel_policy par;
/// All workers of each unit, and vector instructions: functions must not take locks.
inline constexpr execution::parallel_unsequenced_policy par_unseq;
/// All workers of the units of a node share the work on the elements of the node.
inline constexpr execution::node_policy par_node;
/// @}

/// Whether T is the type of an execution policy.
template <class T>
inline constexpr bool is_execution_policy_v = false;
/// \cond internal
template <>
inline constexpr bool is_execution_policy_v<execution::sequenced_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::parallel_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::parallel_unsequenced_policy> = true;
template <>
inline constexpr bool is_execution_policy_v<execution::node_policy> = true;
/// \endcond

/// The types of execution policies, including const and reference types.
template <class T>
concept ExecutionPolicy = is_execution_policy_v<std::remove_cvref_t<T>>;

/// @}

}  // namespace dash
