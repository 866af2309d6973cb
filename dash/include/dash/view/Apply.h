#pragma once

#include <utility>

#include "dash/view/Origin.h"

namespace dash {

/// Applies a view expression without an operand, such as sub(2, 8), to an operand.
/// \ingroup views
template <class Expression, class X>
constexpr decltype(auto) apply(Expression&& expression, X&& x) {
  return std::forward<Expression>(expression).apply(std::forward<X>(x));
}

/// The elements of a view as a direct view of its origin, without the intermediate expressions.
/// \ingroup views
template <class View>
constexpr auto apply(const View& view) {
  return view.apply();
}

}  // namespace dash
