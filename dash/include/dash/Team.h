#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
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

namespace dart {
class TeamCollectives;
}  // namespace dart

namespace internal {
class CallQueue;
class NodeWorkTable;
}  // namespace internal

/// A group of units that communicate and own global memory together; a node in a hierarchy of
/// teams, of which Team::All() is the root.
///
/// Teams are referenced, never copied. A split creates sub-teams; each unit belongs to one of them.
/// The team owns its sub-teams. When it is destroyed, it destroys them, the latest first. Moving a
/// Team transfers the ownership; the moved-from object keeps referring to the same team. Containers
/// refer to the Team object that they were constructed with, so move a team before you construct
/// containers with it.
///
/// Team::All() and Team::Null() always exist, even before init() and after finalize(): without a
/// runtime, All has no units. finalize() turns the remaining teams into teams without units, whose
/// destruction has no effect.
/// \threads queries: thread-safe; collective operations: externally synchronized per team
/// \ingroup teams
class DASH_API Team {
 public:
  /// Frees the memory of an object, see register_deallocator().
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

    /// An iterator to unit 0.
    constexpr iterator() noexcept = default;
    /// An iterator to a unit.
    explicit constexpr iterator(int unit) noexcept : _unit(unit) {}

    /// The id of the unit.
    constexpr operator int() const noexcept { return _unit; }  // NOLINT: implicit, as in DASH
    /// The id of the unit.
    constexpr int operator*() const noexcept { return _unit; }
    /// The id of the unit n positions ahead.
    constexpr int operator[](difference_type n) const noexcept {
      return _unit + static_cast<int>(n);
    }
    /// Advances to the next unit.
    constexpr iterator& operator++() noexcept { return *this += 1; }
    /// Advances to the next unit.
    /// \returns the iterator before the call
    constexpr iterator operator++(int) noexcept {
      iterator before = *this;
      *this += 1;
      return before;
    }
    /// Goes back to the previous unit.
    constexpr iterator& operator--() noexcept { return *this -= 1; }
    /// Goes back to the previous unit.
    /// \returns the iterator before the call
    constexpr iterator operator--(int) noexcept {
      iterator before = *this;
      *this -= 1;
      return before;
    }
    /// Advances by n units.
    constexpr iterator& operator+=(difference_type n) noexcept {
      _unit += static_cast<int>(n);
      return *this;
    }
    /// Goes back by n units.
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

  /// The team with an id. \threads thread-safe
  /// \throws exception::InvalidArgument if the caller has no team with that id
  static Team& Get(dart_team_t id);
  /// Whether the caller has a team with an id. \threads thread-safe
  static bool exists(dart_team_t id);

  /// The caller's id among all units; -1 if not initialized.
  static global_unit_t GlobalUnitID() noexcept;

  /// Sets a function that is called after a team with an id has ended, before the id is used again. For subsystems that
  /// keep data of teams. \threads externally synchronized
  static void set_end_hook(void (*hook)(dart_team_t id)) noexcept;

  /// Called by dash::init().
  static void initialize();
  /// Called by dash::finalize().
  static void finalize();

  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;
  /// Takes over the ownership; `other` keeps referring to the same team.
  Team(Team&& other) noexcept;
  /// Destroys the team that this object owns, if any, as the destructor does, then takes over the
  /// ownership of the other team.
  /// \collective over the team that this object owns, if any
  Team& operator=(Team&& other) noexcept;
  /// If this object owns the team, destroys its sub-teams, then the memory of its containers that
  /// still exist, then the team. Errors are logged, since a destructor cannot throw.
  /// \collective over this team, unless finalized  \blocks until all units have called it
  ~Team();

  /// Creates sub-teams of contiguous units with ceil(size() / num_parts) units each; the last may
  /// have fewer. May be called again; sub() returns the sub-team of the latest split.
  /// \returns the caller's sub-team, which exists until this team is destroyed; Team::Null() if
  ///         this team has fewer than two units
  /// \throws exception::InvalidArgument for 0 parts or a team without units
  /// \collective over this team  \blocks until all units have called it
  Team& split(unsigned num_parts);

  /// Creates sub-teams that follow the hardware: assigns whole hardware domains of a scope to the
  /// sub-teams, in order. The numbers of domains of two sub-teams differ by at most one. A unit
  /// that belongs to several domains counts for the first one. For caches, the last level is
  /// used.
  /// \param num_parts  requested number of sub-teams; limited by the number of domains
  /// \returns the caller's sub-team; Team::Null() if this team has fewer than two units
  /// \throws exception::InvalidArgument for 0 parts or a team without units,
  ///         exception::RuntimeError for a scope without domains
  /// \collective over this team  \blocks until all units have called it
  Team& locality_split(dart_locality_scope_t scope, unsigned num_parts);
  /// \overload
  Team& locality_split(util::Locality::Scope scope, unsigned num_parts) {
    return locality_split(static_cast<dart_locality_scope_t>(scope), num_parts);
  }

  /// Creates a sub-team of the same units whose order suits a grid: unit i is at position i in
  /// row-major order, as in TeamSpec, and grid neighbours are close at every level of the machine:
  /// NUMA domain, node, network. A TeamSpec of the sub-team has this grid, and so do patterns that
  /// distribute all of its dimensions. This team does not change.
  ///
  ///     dash::Team& grid = dash::Team::All().mapped(dash::TeamSpec<2>(4, 6));
  ///     dash::Matrix<double, 2> a(rows, columns, dash::BLOCKED, dash::BLOCKED, grid);
  ///
  /// \param spec      a TeamSpec, an array or a list with the number of units in each dimension
  /// \param periodic  for each dimension, whether its first and last unit are neighbours; empty:
  ///         none
  /// \param weights   for each dimension, the amount of data that a unit sends to a neighbour in
  ///         it; empty: equal
  /// \returns the sub-team, which exists until this team is destroyed
  /// \throws exception::InvalidArgument on all units, in the cases of dart_team_create_mapped
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

  /// The number of units in each dimension of the grid passed to mapped(); empty for other teams.
  const std::vector<std::size_t>& grid() const noexcept { return _node->grid; }

  /// \name Neighbours in the hierarchy
  /// \collective no  \blocks never
  /// @{

  /// The team that was split to create this one; Team::Null() for a root.
  Team& parent() const noexcept;
  /// The caller's sub-team `level` levels below this team, or its lowest sub-team if there are
  /// fewer levels. At each level, the latest split counts.
  Team& sub(std::size_t level = 1) const noexcept;
  /// The lowest sub-team of the caller; this team if it was not split.
  Team& bottom() const noexcept;
  /// The position of this team among the sub-teams of the split that created it.
  std::size_t position() const noexcept { return _node->position; }
  /// As position().
  std::size_t relative_id() const noexcept { return _node->position; }
  /// The number of sub-teams of that split, including this one.
  std::size_t num_siblings() const noexcept { return _node->num_siblings; }
  /// Whether no split created this team.
  bool is_root() const noexcept { return _node->parent == nullptr; }
  /// Whether this team has no sub-teams.
  bool is_leaf() const noexcept { return _node->children.empty(); }
  /// @}

  /// Completes the caller's pending operations, then waits until all units of the team have called
  /// it. Without effect for Team::Null() and when not initialized.
  /// \completion remote, for all operations that the caller has started
  /// \collective over this team  \blocks until all have called it
  /// \throws on the caller only, after the barrier: the error of a failed operation of the caller
  ///         that no wait has reported
  void barrier() const;

  /// Non-blocking barrier; for mixing it with other collectives, see dash/Collectives.h.
  /// \returns a future; ready when all units of the team have called the function and the transfers
  ///         that each had started before are complete. Ready immediately for Team::Null() and when
  ///         not initialized
  /// \collective over this team  \blocks never
  Future<void> barrier_async() const;

  /// The caller's id in this team; -1 if it is not a member.
  team_unit_t myid() const noexcept { return _node->myid; }
  /// The number of units.
  std::size_t size() const noexcept { return _node->size; }
  /// The id of the team in the C interface.
  dart_team_t dart_id() const noexcept { return _node->dart_id; }

  /// Id in this team of a unit given by its global id; -1 if it is not a member.
  team_unit_t relative_id(internal::GlobalUnitArgument global_id) const;
  /// Global id of a unit of this team.
  /// \throws exception::InvalidArgument if the team has no such unit
  global_unit_t global_id(internal::TeamUnitArgument local_id) const;

  /// Whether a unit of this team shares memory with the caller, so that its elements have addresses
  /// in the caller's process (GlobPtr::on_node_address). True for the caller itself. For more about
  /// the location of units see util::UnitLocality.
  /// \throws exception::InvalidArgument if the team has no such unit
  bool is_on_node(team_unit_t unit) const;

  /// Whether this is the team of all units.
  bool is_all() const noexcept { return dart_id() == DART_TEAM_ALL; }
  /// Whether this is the team without units. Teams that finalize() or a destructor has ended are
  /// null, too.
  bool is_null() const noexcept { return dart_id() == DART_TEAM_NULL; }
  /// Whether a unit, given by its global id, belongs to this team.
  bool is_member(internal::GlobalUnitArgument global_id) const {
    return relative_id(global_id) >= 0;
  }

  /// Iterator to the id of the first unit, 0.
  iterator begin() const noexcept { return iterator(0); }
  /// The end of the ids, size().
  iterator end() const noexcept { return iterator(static_cast<int>(size())); }

  /// Registers a function that runs when the team is destroyed, at finalize() at the latest, if the
  /// object has not unregistered by then. The function frees memory that this team allocated. All
  /// units must register in the same order.
  void register_deallocator(void* object, deallocator dealloc);
  /// Removes the registration of the object.
  void unregister_deallocator(void* object, const deallocator& dealloc = {});
  /// Runs all registered deallocators, in reverse order of registration, each after a barrier.
  /// \collective over this team
  /// \throws the first exception of a deallocator, after all others have run
  void free();

  /// The number of the next distributed object of the team, for DistObject.
  std::uint32_t next_object_number() const noexcept { return _node->num_objects++; }

  friend bool operator==(const Team& a, const Team& b) noexcept {
    return a.dart_id() == b.dart_id();
  }

  /// The blocking collectives of the runtime. Their calls throw if the team has no units.
  dart::TeamCollectives& collectives() const noexcept { return *_node->collectives; }
  /// The queue of collective algorithms that run as tasks; created by the first such call.
  /// \param called  name of the calling function, for error messages
  /// \collective the first time
  /// \throws exception::InvalidArgument if the team has no units
  internal::CallQueue& call_queue(const char* called) const;
  /// The table through which units of a node share work; created by the first call that uses it.
  /// \param for_tasks  selects a separate table for calls that run as tasks
  /// \collective the first time
  /// \throws exception::InvalidArgument if the team has no units
  internal::NodeWorkTable& node_work_table(const char* called, bool for_tasks) const;

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

  /// The state of a team, shared by its Team objects: the owner and moved-from objects.
  struct Node {
    dart_team_t dart_id;
    team_unit_t myid{DART_UNDEFINED_UNIT_ID};
    std::size_t size = 0;
    std::size_t position = 0;
    std::size_t num_siblings = 0;
    std::vector<std::size_t> grid;
    std::uint32_t num_objects = 0;
    Team* self = nullptr;  // the object to which functions return references
    Node* parent = nullptr;
    std::vector<Node*> children;               // in the order of the splits
    std::vector<std::unique_ptr<Team>> owned;  // objects to which split() has returned references
    std::vector<Registration> deallocators;
    std::shared_ptr<dart::TeamCollectives> collectives;
    std::shared_ptr<internal::CallQueue> calls;
    std::array<std::shared_ptr<internal::NodeWorkTable>, 2>
        work_tables;  // for blocking calls, and for calls that run as tasks
  };
  /// Assigns id, size and collectives of a live team.
  static void bind(Node& node, dart_team_t id);
  explicit Team(dart_team_t static_team);
  explicit Team(std::shared_ptr<Node> node) noexcept;

  /// Creates a team of the same units that is not part of the hierarchy.
  Team clone() const;
  friend class internal::CallQueue;

  /// Creates the caller's sub-team of a split.
  Team& make_part(dart_group_t group, std::size_t position, std::size_t num_siblings);
  /// Registers a new team as the latest sub-team.
  Team& adopt(dart_team_t id, std::size_t position, std::size_t num_siblings);
  void check_split(const char* called, unsigned num_parts) const;
  static void end(Node& node);
  void destroy_owned() noexcept;

  std::shared_ptr<Node> _node;
  bool _owner = false;
};

namespace internal {

/// For each unit of a team, whether it is in the caller's hardware domain of a scope.
/// \throws exception::InvalidArgument for a scope below Unit, if the domain of a unit is unknown
DASH_API std::vector<bool> units_in_scope(const Team& team, util::Locality::Scope scope);

}  // namespace internal

}  // namespace dash
