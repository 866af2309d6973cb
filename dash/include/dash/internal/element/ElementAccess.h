#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "dash/Types.h"
#include "dash/core/Export.h"
#include "dash/dart/Access.h"
#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/internal/element/GptrWords.h"

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
struct alignas(Value) RawElement {
  unsigned char of_value[sizeof(Value)];
};

template <class Value>
Value value_of(const RawElement<Value>& bytes) noexcept {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    return std::bit_cast<Value>(bytes);
  } else {
    require_container_compatible<Value>();  // the error, and no other
    __builtin_unreachable();
  }
}

template <class Value>
Value load_from(const void* address) noexcept {
  RawElement<Value> bytes;
  std::memcpy(&bytes, address, sizeof(Value));
  return value_of(bytes);
}

// Through the runtime: from another node, or where accesses are counted. The words of the pointer are
// passed one by one, so that the compiler leaves them in registers in the loop that calls it.
template <class Value>
[[gnu::noinline]] Value load_remote(std::uint64_t place, std::uint64_t offset) {
  RawElement<Value> bytes;
  constexpr auto dtype = dart_storage<Value>::dtype;
  check(dart_get_blocking(&bytes, GptrWords(place, offset).gptr(), dart_storage<Value>(1).nelem,
                          dtype, dtype),
        "reading an element");
  return value_of(bytes);
}
template <class Value>
[[gnu::noinline]] void store_remote(std::uint64_t place, std::uint64_t offset, const Value& value) {
  constexpr auto dtype = dart_storage<Value>::dtype;
  check(dart_put_blocking(GptrWords(place, offset).gptr(), &value, dart_storage<Value>(1).nelem,
                          dtype, dtype),
        "writing an element");
}

/// Where an element is.
struct ElementPlace {
  GptrWords words;
  void* known = nullptr;  ///< address in this process, if whoever made this has it

  ElementPlace(const dart_gptr_t& gptr) noexcept : words(gptr) {}  // NOLINT: the same thing
  ElementPlace(GptrWords gptr, void* address) noexcept : words(gptr), known(address) {}

  dart_gptr_t gptr() const noexcept { return words.gptr(); }
  /// In this process; nullptr if the runtime is to make the access.
  void* address(std::size_t nbytes) const noexcept {
    return known != nullptr ? known : uncounted_address(words, nbytes);
  }
};

/// \name Access to one element
/// A load or store if it is on the caller's node, else a blocking transfer, remotely complete.
/// @{
template <class T>
std::remove_cv_t<T> load(const ElementPlace& place) {
  using Value = std::remove_cv_t<T>;
  if (const void* address = place.address(sizeof(Value))) [[likely]] {
    return load_from<Value>(address);
  }
  return load_remote<Value>(place.words.place, place.words.offset);
}

template <class T>
void store(const ElementPlace& place, const T& value) {
  if (void* address = place.address(sizeof(T))) [[likely]] {
    std::memcpy(address, &value, sizeof(T));
  } else {
    store_remote<T>(place.words.place, place.words.offset, value);
  }
}

/// Reads, changes and writes one element; not atomic.
template <class T, class Change>
void update(const ElementPlace& place, Change change) {
  if (void* address = place.address(sizeof(T))) [[likely]] {
    T value = load_from<T>(address);
    change(value);
    std::memcpy(address, &value, sizeof(T));
  } else {
    T value = load_remote<T>(place.words.place, place.words.offset);
    change(value);
    store_remote<T>(place.words.place, place.words.offset, value);
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
