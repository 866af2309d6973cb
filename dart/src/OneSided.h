#pragma once

#include <cstddef>
#include <cstring>

#include "Runtime.h"
#include "dash/async/Operation.h"
#include "dash/dart/Access.h"

namespace dash::dart {

/// Copies to or from memory of the node. The sizes of single elements are worth a case each: a
/// call of memmove would cost more than the access.
inline void copy_on_node(void* dest, const void* src, std::size_t nbytes) noexcept {
  switch (nbytes) {
    case 0:
      return;
    case 1:
      std::memcpy(dest, src, 1);
      return;
    case 2:
      std::memcpy(dest, src, 2);
      return;
    case 4:
      std::memcpy(dest, src, 4);
      return;
    case 8:
      std::memcpy(dest, src, 8);
      return;
    default:
      std::memmove(dest, src, nbytes);
  }
}

/// The same at the size of a blocking transfer: non-temporal where that is faster.
void copy_on_node_large(void* dest, const void* src, std::size_t nbytes) noexcept;

/// Starts a transfer; what is not complete on return is registered as outstanding.
/// \throws Error if the access is not valid
async::Operation start_get(void* dest, const dart_gptr_t& src, std::size_t nbytes);
async::Operation start_put(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

/// Transfers between nodes, complete on return; a put remotely.
void get_from_other_node(void* dest, const dart_gptr_t& src, std::size_t nbytes);
void put_to_other_node(const dart_gptr_t& dest, const void* src, std::size_t nbytes);

}  // namespace dash::dart
