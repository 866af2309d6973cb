#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace dash::exec {

template <class Signature>
class FunctionRef;

/// A non-owning reference to something callable: two words, no allocation.
/// Valid as long as what it refers to; meant for parameters of functions that do not keep it.
template <class Result, class... Args>
class FunctionRef<Result(Args...)> {
 public:
  template <class F>
  requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef> &&
           std::is_invocable_r_v<Result, F&, Args...>) FunctionRef(F&& f)
  noexcept  // NOLINT(google-explicit-constructor): converts like std::function
      : _object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
        _call([](void* object, Args... args) -> Result {
          return (*static_cast<std::remove_reference_t<F>*>(object))(std::forward<Args>(args)...);
        }) {}

  Result operator()(Args... args) const { return _call(_object, std::forward<Args>(args)...); }

 private:
  void* _object;
  Result (*_call)(void*, Args...);
};

}  // namespace dash::exec
