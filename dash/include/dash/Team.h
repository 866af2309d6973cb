#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <iterator>
#include <memory>
#include <vector>

#include "dash/Future.h"
#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/dart/if/dart_team_group.h"
#include "dash/dart/if/dart_types.h"
#include "dash/internal/Unit.h"
#include "dash/util/Locality.h"

namespace dash {

namespace internal {
class CallQueue;
class NodeBoard;
}  // namespace internal

/// A group of units that communicate and own global memory together; a node in a hierarchy of teams,
/// of which Team::All() is the root.
///
/// Teams are referred to, and never copied. Splitting a team makes its sub-teams, one on each unit
/// for each split; the team owns them and ends them with itself, the latest first. Who moves a
/// Team takes it over and ends it when the object goes; the one moved from goes on referring to the
/// same team. Containers refer to the Team object that they were made with: move a team before.
///
/// Team::All() and Team::Null() exist at any time, also before init() and after finalize(): without
/// a runtime, All has no units. Of teams that are left, finalize() makes teams without units, whose
/// destruction does nothing.
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

  /// The team of an id. \threads any
  /// \throws exception::InvalidArgument if the caller has none of that id
  static Team& Get(dart_team_t id);

  /// The caller's id among all units; -1 when not initialised.
  static global_unit_t GlobalUnitID() noexcept;

  /// Called by dash::init() and dash::finalize().
  static void initialize();
  static void finalize();

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  Team(Team&& other) noexcept;
  /// \collective over the team that this one owns, if any
  Team& operator=(Team&& other) noexcept;
  /// Ends the team if this object owns it: its sub-teams, then the memory of its containers that are
  /// alive, then itself. What goes wrong then cannot be thrown, and is logged.
  /// \collective over this team, unless finalized  \blocks until all units have called it
  ~Team();

  /// Makes sub-teams of contiguous units, ceil(size() / num_parts) each, of which the last may have
  /// fewer. May be called again; sub() is the sub-team of the latest split.
  /// \returns the one with the caller, which lives until this team ends; Team::Null() if this team
  ///          has less than two units
  /// \throws exception::InvalidArgument for 0 parts or a team without units
  /// \collective over this team  \blocks until all units have called it
  Team& split(unsigned num_parts);

  /// Makes sub-teams along the hardware: the domains of a scope that the team's units are in are
  /// shared out in order, in equal numbers (they differ by one at most), and none is divided. A unit
  /// that is in several is counted to the first one; of caches, those of the last level count.
  /// \param num_parts  wanted; fewer are made if there are fewer domains
  /// \returns the sub-team with the caller; Team::Null() if this team has less than two units
  /// \throws exception::InvalidArgument for 0 parts or a team without units,
  ///         exception::RuntimeError for a scope of which there are no domains
  /// \collective over this team  \blocks until all units have called it
  Team& locality_split(dart_locality_scope_t scope, unsigned num_parts);
  /// \overload
  Team& locality_split(util::Locality::Scope scope, unsigned num_parts) {
    return locality_split(static_cast<dart_locality_scope_t>(scope), num_parts);
  }

  /// Makes a sub-team of the same units for neighbours on a grid: unit i of it is at position i, in
  /// row-major order, as TeamSpec has it, and the units are ordered so that neighbours are close at
  /// every level of the machine: NUMA domain, node, network. A TeamSpec of the sub-team has the grid,
  /// and so have patterns that distribute all of its dimensions. This team stays as it is.
  ///
  ///     dash::Team& grid = dash::Team::All().mapped(dash::TeamSpec<2>(4, 6));
  ///     dash::Matrix<double, 2> a(rows, columns, dash::BLOCKED, dash::BLOCKED, grid);
  ///
  /// \param spec      a TeamSpec, an array or list of the units in each dimension
  /// \param periodic  for each dimension, whether its ends are neighbours; empty: none
  /// \param weights   for each dimension, how much a unit sends to a neighbour there; empty: as much
  ///                  in all
  /// \returns the sub-team, which lives until this team ends
  /// \throws exception::InvalidArgument on all units alike, as dart_team_create_mapped
  /// \collective over this team  \blocks until all units have called it
  template <class Spec>
  requires requires(const Spec& spec) { spec.extents().size(); }
  Team& mapped(const Spec& spec, const std::vector<bool>& periodic = {},
               const std::vector<double>& weights = {}) {
    return mapped(spec.extents(), periodic, weights);
  }
  /// \overload
  template <class Extent, std::size_t NumDimensions>
  Team& mapped(const std::array<Extent, NumDimensions>& extents,
               const std::vector<bool>& periodic = {}, const std::vector<double>& weights = {}) {
    return mapped(std::vector<std::size_t>(extents.begin(), extents.end()), periodic, weights);
  }
  /// \overload
  Team& mapped(const std::vector<std::size_t>& extents, const std::vector<bool>& periodic = {},
               const std::vector<double>& weights = {});

  /// The units in each dimension of the grid that the team was mapped for; empty if it was not.
  const std::vector<std::size_t>& grid() const noexcept { return _node->grid; }

  /// \name Neighbours in the hierarchy
  /// \collective no  \blocks never
  /// @{

  /// The team that this one is a part of; Team::Null() if it is a root.
  Team& parent() const noexcept;
  /// So many levels down, or as far as there are sub-teams.
  Team& sub(std::size_t level = 1) const noexcept;
  /// The lowest sub-team with the caller; this team if there is none.
  Team& bottom() const noexcept;
  /// Which of the parts this team is, of the split that made it.
  std::size_t position() const noexcept { return _node->position; }
  std::size_t relative_id() const noexcept { return _node->position; }
  /// The number of these parts, this one included.
  std::size_t num_siblings() const noexcept { return _node->num_siblings; }
  bool is_root() const noexcept { return _node->parent == nullptr; }
  bool is_leaf() const noexcept { return _node->children.empty(); }
  /// @}

  /// Completes the caller's own pending_operations operations, then returns when all units of the team
  /// have called it. Without effect for Team::Null() and when not initialised.
  /// \completion remote, for all operations that the caller has started
  /// \collective over this team  \blocks until all have called it
  /// \throws on the caller alone, after the barrier, what an operation failed with that nobody has
  ///         waited for
  void barrier() const;

  /// The same without waiting; collectives that are mixed with it, see dash/Collectives.h.
  /// \returns ready when all units of the team have called it, and the transfers that each had
  ///          started before are complete. At once for Team::Null() and when not initialised
  /// \collective over this team  \blocks never
  Future<void> barrier_async() const;

  /// The caller's id in this team; -1 if it is not a member.
  team_unit_t myid() const noexcept { return _node->myid; }
  /// The number of units.
  std::size_t size() const noexcept { return _node->size; }
  dart_team_t dart_id() const noexcept { return _node->dart_id; }

  /// Id in this team of a unit given by its global id; -1 if it is not a member.
  team_unit_t relative_id(global_unit_t global_id) const;
  /// Global id of a unit of this team.
  /// \throws exception::InvalidArgument if the team has no such unit
  global_unit_t global_id(team_unit_t local_id) const;

  /// Whether a unit of this team shares memory with the caller: then its elements have addresses in
  /// the caller's process (GlobPtr::on_node_address). The caller itself does. More of where units are
  /// says util::UnitLocality.
  /// \throws exception::InvalidArgument if the team has no such unit
  bool is_on_node(team_unit_t unit) const;

  bool is_all() const noexcept { return dart_id() == DART_TEAM_ALL; }
  bool is_null() const noexcept { return dart_id() == DART_TEAM_NULL; }
  bool is_member(global_unit_t global_id) const { return relative_id(global_id) >= 0; }

  iterator begin() const noexcept { return iterator(0); }
  iterator end() const noexcept { return iterator(static_cast<int>(size())); }

  /// Has `dealloc` run when the team ends, at finalize() at the latest, for an object that allocated
  /// memory of this team and is still alive then. All units have to register in the same order.
  void register_deallocator(void* object, deallocator dealloc);
  /// Undoes register_deallocator() for the object.
  void unregister_deallocator(void* object, const deallocator& dealloc = {});
  /// Runs all registered deallocators, the latest first, each after a barrier.
  /// \collective over this team
  /// \throws what the first of them threw that did, after the others
  void free();

  friend bool operator==(const Team& a, const Team& b) noexcept {
    return a.dart_id() == b.dart_id();
  }

  /// What collective algorithms that run as tasks wait in, made by the first of them.
  /// \collective the first time
  /// \throws exception::InvalidArgument if the team has no units
  internal::CallQueue& call_queue(const char* called) const;
  /// What its units share out work with on a node, made by the first call that does so.
  /// \param for_tasks  another one, for calls that run as tasks
  /// \collective the first time
  /// \throws exception::InvalidArgument if the team has no units
  internal::NodeBoard& node_board(const char* called, bool for_tasks) const;

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const Team& team) {
    os << "dash::Team(id " << team.dart_id() << ", unit " << team.myid() << " of " << team.size();
    if (!team.is_root()) {
      os << ", part " << team.position() << " of " << team.num_siblings() << " of team "
         << team.parent().dart_id();
    }
    return os << ')';
  }

 private:
  struct Registration {
    void* object;
    deallocator dealloc;
  };

  /// The team itself, which the Team objects of it share: one that owns it, and those moved from.
  struct Node {
    dart_team_t dart_id;
    team_unit_t myid{DART_UNDEFINED_UNIT_ID};
    std::size_t size = 0;
    std::size_t position = 0;
    std::size_t num_siblings = 0;
    std::vector<std::size_t> grid;
    Team* self = nullptr;  // the object that others are given
    Node* parent = nullptr;
    std::vector<Node*> children;               // in the order of the splits
    std::vector<std::unique_ptr<Team>> owned;  // objects that split() has handed out references to
    std::vector<Registration> deallocators;
    std::shared_ptr<internal::CallQueue> calls;
    std::array<std::shared_ptr<internal::NodeBoard>, 2> boards;  // of calls, of those as tasks
  };
  explicit Team(dart_team_t static_team);
  explicit Team(std::shared_ptr<Node> node) noexcept;

  /// A team of the same units, which is in no hierarchy.
  Team clone() const;
  friend class internal::CallQueue;

  /// The shared part of both splits: makes the team of the caller's part.
  Team& make_part(dart_group_t group, std::size_t position, std::size_t num_siblings);
  /// Takes a new team in as the latest sub-team.
  Team& adopt(dart_team_t id, std::size_t position, std::size_t num_siblings);
  void check_split(const char* called, unsigned num_parts) const;
  static void end(Node& node);
  void end_owned() noexcept;

  std::shared_ptr<Node> _node;
  bool _owner = false;
};

namespace internal {

/// For each unit of a team, whether it shares the caller's part of the machine of a scope.
/// \throws as Team::locality_split()
DASH_API std::vector<bool> units_in_scope(const Team& team, util::Locality::Scope scope);

}  // namespace internal

}  // namespace dash
