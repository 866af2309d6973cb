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
class DASH_API TeamLocality {
 public:
  /// \param scope  splits the domain into parts(), one for each domain of the scope; Global: no
  ///         split
  /// \param tag    tag of the domain to start from
  /// \throws exception::RuntimeError for a scope or tag that does not occur
  explicit TeamLocality(const Team& team, Locality::Scope scope = Locality::Global,
                        const std::string& tag = ".");
  TeamLocality(const Team& team, const LocalityDomain& domain);

  LocalityDomain& domain() noexcept { return _domain; }
  const LocalityDomain& domain() const noexcept { return _domain; }

  /// See LocalityDomain.
  /// @{
  TeamLocality& split(Locality::Scope scope, int num_parts = 0);
  TeamLocality& split_groups();
  std::vector<LocalityDomain>& parts() noexcept { return _domain.parts(); }
  const std::vector<LocalityDomain>& parts() const noexcept { return _domain.parts(); }
  std::vector<LocalityDomain> groups() const { return _domain.groups(); }
  LocalityDomain group(const std::vector<std::string>& tags) { return _domain.group(tags); }
  TeamLocality& select(const std::vector<std::string>& tags);
  TeamLocality& exclude(const std::vector<std::string>& tags);
  /// @}

  std::size_t num_nodes() const noexcept { return static_cast<std::size_t>(_domain.num_nodes()); }
  std::size_t num_cores() const noexcept { return static_cast<std::size_t>(_domain.num_cores()); }
  Team& team() const noexcept { return *_team; }
  /// The units in the domain, ascending.
  std::vector<global_unit_t> global_units() const { return _domain.units(); }
  UnitLocality unit_locality(team_unit_t unit) const { return {*_team, unit}; }
  UnitLocality unit_locality(global_unit_t unit) const {
    return {*_team, _team->relative_id(unit)};
  }

 private:
  Team* _team;
  LocalityDomain _domain;
};

}  // namespace dash::util
