#pragma once

#include <type_traits>
#include <utility>

#include "dash/rpc/FunctionId.h"

namespace dash {

template <class Signature>
class GlobalFunction;

/// A function that all units of the job can call: the value may be stored in global memory, and sent as an argument.
///
///     dash::GlobalFunction<double(double)> f = [](double x) { return x * x; };
///     dash::rpc(unit, [](dash::GlobalFunction<double(double)> f) { return f(2.0); }, f);
///
/// \tparam R     result type
/// \tparam Args  parameter types
/// \ingroup rpc
template <class R, class... Args>
class GlobalFunction<R(Args...)> {
 public:
  /// The address of such a function.
  using Pointer = R (*)(Args...);

  /// No function; a call throws exception::RuntimeError.
  GlobalFunction() = default;
  /// \param f  a function, or a lambda without captures
  /// \throws exception::RuntimeError if its program or library has no build id (link with -Wl,--build-id)
  /// \cost a search of the loaded libraries
  template <class F>
  requires std::is_convertible_v<F, Pointer> GlobalFunction(const F& f)  // NOLINT: as std::function
      : _id(internal::function_id(reinterpret_cast<const void*>(static_cast<Pointer>(f)))) {}

  /// Calls the function in this process.
  /// \throws exception::RuntimeError if this process has not loaded its library
  /// \cost a search of the loaded libraries
  R operator()(Args... args) const { return address()(std::forward<Args>(args)...); }

  /// The address in this process, for many calls. \throws as the call
  Pointer address() const { return reinterpret_cast<Pointer>(internal::find_function(_id)); }

  /// Whether there is a function.
  explicit operator bool() const noexcept { return _id.object != 0; }
  /// Whether both are the same function.
  bool operator==(const GlobalFunction&) const = default;

 private:
  internal::FunctionId _id;
};

}  // namespace dash
