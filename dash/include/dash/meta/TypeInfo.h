#pragma once

#include <string>
#include <typeinfo>

#include "dash/core/Export.h"

namespace dash {

namespace internal {
/// The name of a type in source code, as far as the compiler provides it.
DASH_API std::string demangle(const char* name);
}  // namespace internal

/// The name of a type.
/// \ingroup utilities
template <class T>
std::string typestr() {
  return internal::demangle(typeid(T).name());
}
/// The name of the type of an object; that of the derived class, if it is polymorphic.
/// \ingroup utilities
template <class T>
std::string typestr(const T& object) {
  return internal::demangle(typeid(object).name());
}

}  // namespace dash
