#pragma once

#include <cstddef>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <vector>

#include "dash/Future.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_types.h"
#include "dash/internal/Unit.h"

namespace dash {

/// A group of units that communicate and own global memory together.
///
/// Teams are referred to, never copied. Team::All() and Team::Null() exist at any time, also before
/// init() and after finalize(): without a runtime, All has no units.
/// \threads queries: any; collective operations: one at a time per team
class DASH_API Team {
 public:
  using deallocator = std::function<void()>;
  using index_type = int;

  /// Iterates over the team-relative ids 0 ... size() - 1, as plain integers.
  class iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int*;
    using reference = int;

    constexpr iterator() noexcept = default;
    explicit constexpr iterator(int unit) noexcept : _unit(unit) {}

    constexpr operator int() const noexcept { return _unit; }  // NOLINT: as DASH's
    constexpr int operator*() const noexcept { return _unit; }
    constexpr int operator[](difference_type n) const noexcept {
      return _unit + static_cast<int>(n);
    }
    constexpr iterator& operator++() noexcept { return *this += 1; }
    constexpr iterator operator++(int) noexcept {
      iterator before = *this;
      *this += 1;
      return before;
    }
    constexpr iterator& operator--() noexcept { return *this -= 1; }
    constexpr iterator operator--(int) noexcept {
      iterator before = *this;
      *this -= 1;
      return before;
    }
    constexpr iterator& operator+=(difference_type n) noexcept {
      _unit += static_cast<int>(n);
      return *this;
    }
    constexpr iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    friend constexpr iterator operator+(iterator it, difference_type n) noexcept { return it += n; }
    friend constexpr iterator operator+(difference_type n, iterator it) noexcept { return it += n; }
    friend constexpr iterator operator-(iterator it, difference_type n) noexcept { return it -= n; }
    friend constexpr difference_type operator-(iterator a, iterator b) noexcept {
      return a._unit - b._unit;
    }
    friend constexpr bool operator==(iterator a, iterator b) noexcept = default;
    friend constexpr auto operator<=>(iterator a, iterator b) noexcept = default;

   private:
    int _unit = 0;
  };

  /// The team of all units.
  static Team& All();
  /// The team without units.
  static Team& Null();

  /// The caller's id among all units; -1 when not initialised.
  static global_unit_t GlobalUnitID() noexcept;

  /// Called by dash::init() and dash::finalize().
  static void initialize();
  static void finalize();

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  /// Completes the caller's own outstanding operations, then returns when all units of the team
  /// have called it. Without effect for Team::Null() and when not initialised.
  /// \completion remote, for all operations that the caller has started
  /// \collective over this team  \blocks until all have called it
  void barrier() const;

  /// The same without waiting; collectives that are mixed with it, see dash/Collectives.h.
  /// \returns ready when all units of the team have called it, and the transfers that each had
  ///          started before are complete. At once for Team::Null() and when not initialised
  /// \collective over this team  \blocks never
  Future<void> barrier_async() const;

  /// The caller's id in this team; -1 if it is not a member.
  team_unit_t myid() const noexcept { return _myid; }
  /// The number of units.
  std::size_t size() const noexcept { return _size; }
  dart_team_t dart_id() const noexcept { return _dart_id; }

  /// Id in this team of a unit given by its global id; -1 if it is not a member.
  team_unit_t relative_id(global_unit_t global_id) const;
  /// Global id of a unit of this team.
  /// \throws exception::InvalidArgument if the team has no such unit
  global_unit_t global_id(team_unit_t local_id) const;

  bool is_all() const noexcept { return _dart_id == DART_TEAM_ALL; }
  bool is_null() const noexcept { return _dart_id == DART_TEAM_NULL; }
  bool is_member(global_unit_t global_id) const { return relative_id(global_id) >= 0; }

  iterator begin() const noexcept { return iterator(0); }
  iterator end() const noexcept { return iterator(static_cast<int>(_size)); }

  /// Has `dealloc` run at finalize(), for an object that allocated memory of this team and is still
  /// alive then. All units have to register in the same order.
  void register_deallocator(void* object, deallocator dealloc);
  /// Undoes register_deallocator() for the object.
  void unregister_deallocator(void* object, const deallocator& dealloc = {});
  /// Runs all registered deallocators, the latest first, each after a barrier.
  /// \collective over this team
  void free();

  friend bool operator==(const Team& a, const Team& b) noexcept { return a._dart_id == b._dart_id; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const Team& team) {
    return os << "dash::Team(id " << team._dart_id << ", unit " << team._myid << " of "
              << team._size << ')';
  }

 private:
  struct Registration {
    void* object;
    deallocator dealloc;
  };

  explicit Team(dart_team_t dart_id) noexcept : _dart_id(dart_id) {}
  ~Team() = default;

  dart_team_t _dart_id;
  team_unit_t _myid{DART_UNDEFINED_UNIT_ID};
  std::size_t _size = 0;
  std::vector<Registration> _deallocators;
};

}  // namespace dash
