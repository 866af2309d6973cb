#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <type_traits>

#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_globmem.h"

namespace dash::internal {

/// \throws what the C layer's code means
inline void check(dart_ret_t ret, const char* what) {
  if (ret != DART_OK) [[unlikely]]
    dart::throw_last_error(ret, what);
}

/// Whether global memory is the caller's own.
DASH_API bool is_local(const dart_gptr_t& gptr) noexcept;

/// Blocking get of one element: a load if it is on the caller's node.
template <class T>
std::remove_cv_t<T> load(const dart_gptr_t& gptr) {
  using Value = std::remove_cv_t<T>;
  // As bytes, since a Value need not be default constructible.
  struct alignas(Value) Bytes {
    unsigned char of_value[sizeof(Value)];
  } bytes;
  if (const void* address = dart::uncounted_address(gptr, sizeof(Value))) [[likely]] {
    std::memcpy(&bytes, address, sizeof(Value));
  } else {
    constexpr auto dtype = dart_storage<Value>::dtype;
    check(dart_get_blocking(&bytes, gptr, dart_storage<Value>(1).nelem, dtype, dtype),
          "reading an element");
  }
  return std::bit_cast<Value>(bytes);
}

/// Blocking put of one element, remotely complete: a store if it is on the caller's node.
template <class T>
void store(const dart_gptr_t& gptr, const T& value) {
  if (void* address = dart::uncounted_address(gptr, sizeof(T))) [[likely]] {
    std::memcpy(address, &value, sizeof(T));
  } else {
    constexpr auto dtype = dart_storage<T>::dtype;
    check(dart_put_blocking(gptr, &value, dart_storage<T>(1).nelem, dtype, dtype),
          "writing an element");
  }
}

/// Offset in bytes of a member, which may be of a base of Class.
template <class Class, class Member, class Owner>
std::size_t member_offset(Member Owner::*member) noexcept {
  static_assert(std::is_standard_layout_v<Class>,
                "dash: members can be referred to in types of standard layout only");
  alignas(Class) unsigned char storage[sizeof(Class)];
  const auto* object = reinterpret_cast<const Class*>(storage);
  return static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(&(object->*member)) -
                                  storage);
}

}  // namespace dash::internal
