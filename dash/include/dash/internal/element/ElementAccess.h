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

/// \throws the exception that corresponds to the return code
inline void check(dart_ret_t ret, const char* what) {
  if (ret != DART_OK) [[unlikely]]
    dart::throw_last_error(ret, what);
}

/// Whether global memory is local to the caller.
DASH_API bool is_local(const dart_gptr_t& gptr) noexcept;

/// An element as bytes, since Value need not be default constructible.
template <class Value>
struct alignas(Value) RawElement {
  unsigned char of_value[sizeof(Value)];
};

/// Fails to compile for a wrong type. A separate function, because clang rejects further calls of a function whose body
/// has an error.
template <class Value>
void require_element() {
  static_assert(ContainerElement<Value>::value);
}

template <class Value>
Value value_of(const RawElement<Value>& bytes) noexcept {
  if constexpr (std::is_trivially_copyable_v<Value>) {
    return std::bit_cast<Value>(bytes);
  } else {
    require_element<Value>();  // reports this error and no other
    __builtin_unreachable();
  }
}

template <class Value>
Value load_from(const void* address) noexcept {
  RawElement<Value> bytes;
  std::memcpy(&bytes, address, sizeof(Value));
  return value_of(bytes);
}

// Access through the runtime: for elements on other nodes and counted accesses. Passes the words of
// the pointer separately, so that the compiler can keep them in registers in the caller's loop.
template <class Value>
[[gnu::noinline]] Value load_remote(std::uint64_t ids, std::uint64_t offset) {
  RawElement<Value> bytes;
  dart::get_blocking(&bytes, GptrWords(ids, offset).gptr(), sizeof(Value));
  return value_of(bytes);
}
template <class Value>
[[gnu::noinline]] void store_remote(std::uint64_t ids, std::uint64_t offset, const Value& value) {
  dart::put_blocking(GptrWords(ids, offset).gptr(), &value, sizeof(Value));
}

/// The location of an element.
struct ElementLocation {
  GptrWords words;
  void* mapped = nullptr;  ///< address in this process if known at construction

  ElementLocation(const dart_gptr_t& gptr) noexcept
      : words(gptr) {}  // NOLINT: an equivalent representation
  ElementLocation(GptrWords gptr, void* address) noexcept : words(gptr), mapped(address) {}

  dart_gptr_t gptr() const noexcept { return words.gptr(); }
  /// Address in this process; nullptr if the access must go through the runtime.
  void* address(std::size_t nbytes) const noexcept {
    return mapped != nullptr ? mapped : uncounted_address(words, nbytes);
  }
};

/// \name Access to one element
/// A load or store if the element is on the caller's node, otherwise a blocking transfer with
/// remote completion.
template <class T>
std::remove_cv_t<T> load(const ElementLocation& location) {
  using Value = std::remove_cv_t<T>;
  if (const void* address = location.address(sizeof(Value))) [[likely]] {
    return load_from<Value>(address);
  }
  return load_remote<Value>(location.words.ids, location.words.offset);
}

template <class T>
void store(const ElementLocation& location, const T& value) {
  if (void* address = location.address(sizeof(T))) [[likely]] {
    std::memcpy(address, &value, sizeof(T));
  } else {
    store_remote<T>(location.words.ids, location.words.offset, value);
  }
}

/// Reads, changes and writes one element; not atomic.
template <class T, class Change>
void update(const ElementLocation& location, Change change) {
  if (void* address = location.address(sizeof(T))) [[likely]] {
    T value = load_from<T>(address);
    change(value);
    std::memcpy(address, &value, sizeof(T));
  } else {
    T value = load_remote<T>(location.words.ids, location.words.offset);
    change(value);
    store_remote<T>(location.words.ids, location.words.offset, value);
  }
}
/// @}

/// Offset in bytes of a base in its derived class.
template <class Base, class Derived>
std::ptrdiff_t base_offset() noexcept {
  alignas(Derived) unsigned char storage[sizeof(Derived)];
  const auto* object = reinterpret_cast<const Derived*>(storage);
  return reinterpret_cast<const unsigned char*>(static_cast<const Base*>(object)) - storage;
}

/// Offset in bytes of a member, which may be of a base of Class.
template <class Class, class Member, class Owner>
std::size_t member_offset(Member Owner::*member) noexcept {
  static_assert(std::is_trivially_copyable_v<Class> && !std::is_polymorphic_v<Class>,
                "dash: members can be referred to in trivially copyable types without virtual "
                "functions only");
  alignas(Class) unsigned char storage[sizeof(Class)];
  const auto* object = reinterpret_cast<const Class*>(storage);
  return static_cast<std::size_t>(reinterpret_cast<const unsigned char*>(&(object->*member)) -
                                  storage);
}

}  // namespace dash::internal
