#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

namespace terrain {

/// Broadcasts bytes from unit 0 to all units.
/// \collective over all units
void broadcast_bytes(void* bytes, std::size_t nbytes);

/// \returns the value of unit 0
/// \collective over all units
template <class T>
T broadcast(T value) {
  static_assert(std::is_trivially_copyable_v<T>);
  broadcast_bytes(&value, sizeof value);
  return value;
}

/// Runs \p work on unit 0 and reports its error to all units, so that no unit waits for a unit that
/// has failed.
/// \collective over all units
/// \throws apps::UserError on all units if work throws; only the exception of unit 0 has a text
void on_unit_0(const std::function<void()>& work);

}  // namespace terrain
