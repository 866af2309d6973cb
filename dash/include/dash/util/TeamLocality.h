#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "dash/Team.h"
#include "dash/core/Export.h"
#include "dash/util/Locality.h"
#include "dash/util/LocalityDomain.h"
#include "dash/util/UnitLocality.h"

namespace dash::util {

/// The locations of a team's units: a copy of the hierarchy of hardware domains that they run on,
/// which the caller may split and group.
/// \collective no  \threads externally synchronized per object
/// \ingroup locality
class DASH_API TeamLocality {
 public:
  /// \param scope  splits the domain into parts(), one for each domain of the scope; Global: no
  ///         split
  /// \param tag    tag of the domain to start from
  /// \throws exception::RuntimeError for a scope or tag that does not occur
  explicit TeamLocality(const Team& team, Locality::Scope scope = Locality::Global,
                        const std::string& tag = ".");
  /// Starts from a copy of a domain.
  TeamLocality(const Team& team, const LocalityDomain& domain);

  /// The domain from which the object was constructed, with all changes.
  LocalityDomain& domain() noexcept { return _domain; }
  /// \overload
  const LocalityDomain& domain() const noexcept { return _domain; }

  /// As LocalityDomain::split().
  TeamLocality& split(Locality::Scope scope, int num_parts = 0);
  /// As LocalityDomain::split_groups().
  TeamLocality& split_groups();
  /// As LocalityDomain::parts().
  std::vector<LocalityDomain>& parts() noexcept { return _domain.parts(); }
  /// \overload
  const std::vector<LocalityDomain>& parts() const noexcept { return _domain.parts(); }
  /// As LocalityDomain::groups().
  std::vector<LocalityDomain> groups() const { return _domain.groups(); }
  /// As LocalityDomain::group().
  LocalityDomain group(const std::vector<std::string>& tags) { return _domain.group(tags); }
  /// As LocalityDomain::select().
  TeamLocality& select(const std::vector<std::string>& tags);
  /// As LocalityDomain::exclude().
  TeamLocality& exclude(const std::vector<std::string>& tags);

  /// Number of nodes of the units in the domain.
  std::size_t num_nodes() const noexcept { return static_cast<std::size_t>(_domain.num_nodes()); }
  /// Number of cores of the units in the domain; a core that several of them share counts once.
  std::size_t num_cores() const noexcept { return static_cast<std::size_t>(_domain.num_cores()); }
  /// The team given at construction.
  Team& team() const noexcept { return *_team; }
  /// The units in the domain, ascending.
  std::vector<global_unit_t> global_units() const { return _domain.units(); }
  /// The location of a unit of the team.
  /// \throws exception::InvalidArgument if there is no such unit
  UnitLocality unit_locality(team_unit_t unit) const { return {*_team, unit}; }
  /// \overload
  UnitLocality unit_locality(global_unit_t unit) const {
    return {*_team, _team->relative_id(unit)};
  }

 private:
  Team* _team;
  LocalityDomain _domain;
};

}  // namespace dash::util
