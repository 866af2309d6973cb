#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "dash/core/Export.h"
#include "dash/dart/if/dart_locality_types.h"
#include "dash/internal/Unit.h"
#include "dash/util/Locality.h"
#include "dash/util/UnitLocality.h"

namespace dash::util {

/// A hardware domain with its units and subdomains. The object is a copy, which may be modified and
/// outlives the library.
/// \threads externally synchronized per object
/// \ingroup locality
class DASH_API LocalityDomain {
 public:
  using iterator = std::vector<LocalityDomain>::iterator;
  using const_iterator = std::vector<LocalityDomain>::const_iterator;

  /// Copies a domain and all of its subdomains.
  explicit LocalityDomain(const dart_domain_locality_t& domain);
  /// Copies all subdomains and the parts().
  LocalityDomain(const LocalityDomain& other);
  /// Copies all subdomains and the parts().
  LocalityDomain& operator=(const LocalityDomain& other);
  /// Afterwards `other` may only be assigned or destroyed.
  LocalityDomain(LocalityDomain&& other) noexcept;
  /// Afterwards `other` may only be assigned or destroyed.
  LocalityDomain& operator=(LocalityDomain&& other) noexcept;
  ~LocalityDomain();

  /// Keeps only the subdomains with the given tags and their ancestors.
  /// \throws exception::RuntimeError for a tag that does not occur; nothing is changed then
  LocalityDomain& select(const std::vector<std::string>& tags);
  /// Removes the subdomains with the given tags.
  /// \throws as select(), and exception::InvalidArgument for the tag of this domain
  LocalityDomain& exclude(const std::vector<std::string>& tags);
  /// Moves the subdomains with the given tags into a new one, of scope Group.
  /// \returns a copy of the group
  /// \throws as select(), and exception::InvalidArgument for the tag of this domain or of a domain
  ///         that contains another one of them
  LocalityDomain group(const std::vector<std::string>& tags);

  /// Splits the domain into parts() with equal numbers of domains of a scope.
  /// \param num_parts  0: one for each domain
  /// \throws exception::RuntimeError for a scope that does not occur
  LocalityDomain& split(Locality::Scope scope, int num_parts = 0);
  /// Makes each group one of the parts().
  LocalityDomain& split_groups();
  /// The results of the last split() or split_groups(), as copies; empty after select(), exclude()
  /// and group().
  std::vector<LocalityDomain>& parts() noexcept { return _parts; }
  /// \overload
  const std::vector<LocalityDomain>& parts() const noexcept { return _parts; }
  /// The domains of scope Group in this domain.
  std::vector<LocalityDomain> groups() const { return scope_domains(Locality::Group); }
  /// The domains of a scope in it, in order; empty if there is none.
  std::vector<LocalityDomain> scope_domains(Locality::Scope scope) const;

  /// The domain with a tag: this one or a subdomain at any level.
  /// \throws exception::RuntimeError if there is none
  LocalityDomain find(const std::string& tag) const;
  /// \name The immediate subdomains of this domain
  /// They are copies: changes do not affect this domain.
  /// @{

  /// The subdomain at a position, from 0 to size() - 1.
  /// \throws exception::OutOfRange if there is no such subdomain
  LocalityDomain& at(int relative_index);
  /// \overload
  const LocalityDomain& at(int relative_index) const;
  /// The first subdomain.
  iterator begin() { return children().begin(); }
  /// The end of the subdomains.
  iterator end() { return children().end(); }
  /// \overload
  const_iterator begin() const { return children().begin(); }
  /// \overload
  const_iterator end() const { return children().end(); }
  /// Number of subdomains.
  std::size_t size() const noexcept { return static_cast<std::size_t>(_domain->num_domains); }
  /// @}

  /// The location of a unit in Team::All().
  /// \throws exception::InvalidArgument if there is no such unit
  UnitLocality unit_locality(global_unit_t unit) const { return UnitLocality(unit); }
  /// Global ids of the units, ascending.
  std::vector<global_unit_t> units() const;
  /// The lowest global id of a unit; -1 if there is no unit.
  global_unit_t leader_unit() const;

  /// The domain in the C interface; owned by this object.
  const dart_domain_locality_t& dart_type() const noexcept { return *_domain; }
  /// Id of the team to whose hierarchy the domain belongs.
  dart_team_t dart_team() const noexcept { return _domain->team; }
  /// The name of the domain in the team's hierarchy, for example "." (the root) or ".0.1".
  std::string domain_tag() const { return _domain->domain_tag; }
  /// The name of the host; empty above Node.
  std::string host() const { return _domain->host; }
  /// Size in MiB of the nearest main memory that the whole domain shares; 0 if there is none.
  int shared_mem_bytes() const noexcept { return _domain->shared_mem_bytes; }
  /// Distance from the root of the team's hierarchy.
  int level() const noexcept { return _domain->level; }
  /// The kind of hardware domain.
  Locality::Scope scope() const noexcept { return static_cast<Locality::Scope>(_domain->scope); }
  /// The node's number in the team's hierarchy; -1 if there may be several nodes.
  int node_id() const noexcept { return _domain->node_id; }
  /// Number of nodes of the domain's units.
  int num_nodes() const noexcept { return _domain->num_nodes; }
  /// Number of cores of the domain's units; a core that several of them share counts once.
  int num_cores() const noexcept { return _domain->num_cores; }
  /// Number among the domains of the same scope in the team's hierarchy.
  int global_index() const noexcept { return _domain->global_index; }
  /// Number among its siblings when the hierarchy was built.
  int relative_index() const noexcept { return _domain->relative_index; }

  template <class Char, class Traits>
  friend std::basic_ostream<Char, Traits>& operator<<(std::basic_ostream<Char, Traits>& os,
                                                      const LocalityDomain& domain) {
    return os << "dash::util::LocalityDomain(" << domain.scope() << ' '
              << domain._domain->domain_tag << ", " << domain._domain->num_units << " units)";
  }

 private:
  struct Deleter {
    DASH_API void operator()(dart_domain_locality_t* domain) const noexcept;
  };
  using Handle = std::unique_ptr<dart_domain_locality_t, Deleter>;

  static Handle clone(const dart_domain_locality_t& domain);
  std::vector<LocalityDomain>& children() const;
  void changed();

  Handle _domain;
  std::vector<LocalityDomain> _parts;
  mutable std::vector<LocalityDomain> _children;  // copies, created at the first access
};

}  // namespace dash::util
