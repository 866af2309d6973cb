#pragma once

#include <utility>

#include "dash/view/Origin.h"

namespace dash {

/// Applies a view expression without a domain, such as sub(2, 8), to one.
template <class Expression, class X>
constexpr decltype(auto) apply(Expression&& expression, X&& x) {
  return std::forward<Expression>(expression).apply(std::forward<X>(x));
}

/// The elements of a view as a view of its origin, without what is between them in the expression.
template <class View>
constexpr auto apply(const View& view) {
  return view.apply();
}

}  // namespace dash
