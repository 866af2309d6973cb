#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <type_traits>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/internal/ElementAccess.h"
#include "dash/internal/Unit.h"

namespace dash::internal {

/// Gathers `nbytes` bytes of each unit, in unit order, on all units.
/// \collective over the team  \blocks until all units have called it
DASH_API void allgather_bytes(const void* send, void* receive, std::size_t nbytes,
                              const Team& team);

/// Copies `nbytes` bytes of the root to the same place of all units.
/// \throws exception::InvalidArgument if the root is not in the team
/// \collective over the team  \blocks until the root has called it
DASH_API void broadcast_bytes(void* data, std::size_t nbytes, team_unit_t root, const Team& team);

/// The values that the units of a team contribute, in unit order. A unit may have none.
/// \tparam T  trivially copyable; need not be default constructible
template <class T>
class Gathered {
  static_assert(std::is_trivially_copyable_v<T>,
                "dash: values that units exchange have to be trivially copyable");

 public:
  /// \param value  the caller's, or nullptr
  /// \collective over the team  \blocks until all units have called it
  Gathered(const T* value, const Team& team) : _slots(team.size()) {
    Slot own{};
    own.filled = value != nullptr;
    if (value != nullptr) std::memcpy(own.bytes, value, sizeof(T));
    allgather_bytes(&own, _slots.data(), sizeof(Slot), team);
  }

  std::size_t size() const { return _slots.size(); }
  bool has_value(std::size_t unit) const { return _slots[unit].filled; }
  /// \pre has_value(unit)
  T operator[](std::size_t unit) const { return load_from<T>(_slots[unit].bytes); }

 private:
  struct Slot {
    unsigned char bytes[sizeof(T)];
    bool filled;
  };
  std::vector<Slot> _slots;
};

/// A barrier that also tells all units whether one of them has failed.
/// \param error  what the caller failed with; nullptr if it has not
/// \completion remote, for all operations that the caller has started
/// \throws exception::RuntimeError on all units, naming the first unit that failed and its text
/// \collective over the team  \blocks until all units have called it
DASH_API void agree(const Team& team, const char* operation, const char* error);

/// Calls f() on each unit; an exception of one of them becomes an exception on all, so that none
/// waits for a unit that has left. Ends as a barrier does.
/// \throws exception::RuntimeError, see agree()
/// \collective over the team  \blocks until f has returned on all units
template <class F>
void run_collectively(const Team& team, const char* operation, F&& f) {
  try {
    f();
  } catch (const std::exception& error) {
    agree(team, operation, error.what());
    return;
  } catch (...) {
    agree(team, operation, "an exception that is no std::exception");
    return;
  }
  agree(team, operation, nullptr);
}

}  // namespace dash::internal
