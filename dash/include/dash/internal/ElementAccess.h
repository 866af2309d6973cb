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

/// As bytes, since a Value need not be default constructible.
template <class Value>
struct alignas(Value) ElementBytes {
  unsigned char of_value[sizeof(Value)];
};

template <class Value>
Value value_of(const ElementBytes<Value>& bytes) noexcept {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    return std::bit_cast<Value>(bytes);
  } else {
    require_container_compatible<Value>();  // the error, and no other
    __builtin_unreachable();
  }
}

template <class Value>
Value load_from(const void* address) noexcept {
  ElementBytes<Value> bytes;
  std::memcpy(&bytes, address, sizeof(Value));
  return value_of(bytes);
}

/// Through the runtime: from another node, or where accesses are counted.
template <class Value>
[[gnu::noinline]] Value load_remote(const dart_gptr_t& gptr) {
  ElementBytes<Value> bytes;
  constexpr auto dtype = dart_storage<Value>::dtype;
  check(dart_get_blocking(&bytes, gptr, dart_storage<Value>(1).nelem, dtype, dtype),
        "reading an element");
  return value_of(bytes);
}
template <class Value>
[[gnu::noinline]] void store_remote(const dart_gptr_t& gptr, const Value& value) {
  constexpr auto dtype = dart_storage<Value>::dtype;
  check(dart_put_blocking(gptr, &value, dart_storage<Value>(1).nelem, dtype, dtype),
        "writing an element");
}

/// \name Access to one element
/// A load or store if it is on the caller's node, else a blocking transfer, remotely complete.
/// \param known  the address of the element in this process if the caller has it, else nullptr
/// @{
inline void* element_address(const dart_gptr_t& gptr, std::size_t nbytes, void* known) noexcept {
  return known != nullptr ? known : dart::uncounted_address(gptr, nbytes);
}

template <class T>
std::remove_cv_t<T> load(const dart_gptr_t& gptr, void* known = nullptr) {
  using Value = std::remove_cv_t<T>;
  if (const void* address = element_address(gptr, sizeof(Value), known)) [[likely]] {
    return load_from<Value>(address);
  }
  return load_remote<Value>(gptr);
}

template <class T>
void store(const dart_gptr_t& gptr, const T& value, void* known = nullptr) {
  if (void* address = element_address(gptr, sizeof(T), known)) [[likely]] {
    std::memcpy(address, &value, sizeof(T));
  } else {
    store_remote<T>(gptr, value);
  }
}

/// Reads, changes and writes one element; not atomic.
template <class T, class Change>
void update(const dart_gptr_t& gptr, Change change, void* known = nullptr) {
  if (void* address = element_address(gptr, sizeof(T), known)) [[likely]] {
    T value = load_from<T>(address);
    change(value);
    std::memcpy(address, &value, sizeof(T));
  } else {
    T value = load_remote<T>(gptr);
    change(value);
    store_remote<T>(gptr, value);
  }
}
/// @}

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
