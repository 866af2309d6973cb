#pragma once

/// \file
/// Units on simulated machines, and checks of hierarchies. For link=objects.

#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "dash/core/Topology.h"
#include "dash/dart/if/dart_locality.h"
#include "launch/UnitHardware.h"
#include "locality/Domain.h"
#include "locality/Hierarchy.h"
#include "support/Catch.h"

namespace dash::test {

/// The units of `nhosts` machines of one shape with different names, in order. Each host is a node unless
/// nodes_per_host is larger.
inline std::vector<dart::UnitHardware> invented_units(int nhosts, const std::string& shape,
                                                      int units_per_host, int nodes_per_host = 1) {
  const core::Topology machine = core::Topology::from_synthetic(shape);
  std::vector<dart::UnitHardware> units;
  for (int host = 0; host < nhosts; ++host) {
    for (int unit = 0; unit < units_per_host; ++unit) {
      units.push_back(dart::describe_unit(
          machine, core::preferred_processors(machine, machine.allowed(), unit, units_per_host)));
      std::snprintf(units.back().hwinfo.host, sizeof units.back().hwinfo.host, "host%d", host);
      units.back().host = host;
      units.back().node = host * nodes_per_host + unit * nodes_per_host / units_per_host;
    }
  }
  return units;
}

inline std::vector<dart_unit_t> first_units(std::size_t n) {
  std::vector<dart_unit_t> units;
  for (std::size_t unit = 0; unit < n; ++unit)
    units.push_back(static_cast<dart_unit_t>(unit));
  return units;
}

inline std::vector<dart_unit_t> units_of(const dart_domain_locality_t& domain) {
  std::vector<dart_unit_t> units;
  for (int i = 0; i < domain.num_units; ++i)
    units.push_back(domain.unit_ids[i].id);
  return units;
}

/// Checks the invariants of a domain and of all domains below it.
inline void check_in_order(const dart_domain_locality_t& domain) {
  const std::string tag = domain.domain_tag;
  REQUIRE(tag.size() < DART_LOCALITY_DOMAIN_TAG_MAX_SIZE);
  REQUIRE(std::is_sorted(domain.unit_ids, domain.unit_ids + domain.num_units,
                         [](auto a, auto b) { return a.id <= b.id; }));
  std::set<dart_unit_t> units;
  int before = -1;
  int max_cores = 0;
  int all_cores = 0;
  for (int i = 0; i < domain.num_domains; ++i) {
    const dart_domain_locality_t& child = *domain.children[i];
    REQUIRE(child.parent == &domain);
    REQUIRE(child.relative_index > before);
    REQUIRE(child.level == domain.level + 1);
    REQUIRE(child.domain_tag ==
            (tag == "." ? "" : tag) + "." + std::to_string(child.relative_index));
    before = child.relative_index;
    check_in_order(child);
    for (int unit = 0; unit < child.num_units; ++unit)
      units.insert(child.unit_ids[unit].id);
    max_cores = std::max(max_cores, child.num_cores);
    all_cores += child.num_cores;
  }
  if (domain.num_domains == 0) return;
  if (domain.scope < DART_LOCALITY_SCOPE_UNIT) {
    REQUIRE(units_of(domain) == std::vector<dart_unit_t>(units.begin(), units.end()));
  }
  REQUIRE(domain.num_cores >= max_cores);
  REQUIRE(domain.num_cores <= all_cores);
}

inline dart_domain_locality_t* find(dart_domain_locality_t* domain, const char* tag) {
  dart_domain_locality_t* found = nullptr;
  REQUIRE(dart_domain_find(domain, tag, &found) == DART_OK);
  return found;
}

/// A hierarchy that the test owns; destroyed at the end of its scope.
class OwnDomain {
 public:
  explicit OwnDomain(const dart_domain_locality_t* original) {
    REQUIRE(dart_domain_clone(original, &_domain) == DART_OK);
  }
  ~OwnDomain() { CHECK(dart_domain_destroy(_domain) == DART_OK); }
  OwnDomain(const OwnDomain&) = delete;
  OwnDomain& operator=(const OwnDomain&) = delete;

  dart_domain_locality_t* get() const { return _domain; }
  dart_domain_locality_t* operator->() const { return _domain; }
  dart_domain_locality_t& operator*() const { return *_domain; }

 private:
  dart_domain_locality_t* _domain = nullptr;
};

}  // namespace dash::test
