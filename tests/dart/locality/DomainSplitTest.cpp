// dash-test: serial link=objects

// Splitting of hierarchies and groups by scope, ownership, and random sequences of operations.

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "SampleMachines.h"
#include "dash/dart/if/dart.h"
#include "locality/DomainOwners.h"
#include "support/Catch.h"
#include "support/Runner.h"

using dash::dart::Hierarchy;
using namespace dash::test;
using Domain = dart_domain_locality_t;
using Units = std::vector<dart_unit_t>;

namespace {

Hierarchy two_hosts(const char* shape, int units_per_host) {
  const auto hardware = invented_units(2, shape, units_per_host);
  return dash::dart::build_hierarchy(DART_TEAM_ALL, first_units(hardware.size()), hardware);
}

Hierarchy sixty_four_units() {
  return two_hosts("package:2 numa:4 core:8 pu:1", 32);
}

std::vector<Domain*> scope_domains(const Domain* domain, dart_locality_scope_t scope) {
  int n = 0;
  Domain** domains = nullptr;
  dart_domain_scope_domains(domain, scope, &n, &domains);
  std::vector<Domain*> result(domains, domains + n);
  std::free(domains);
  return result;
}

std::vector<Domain*> all_domains(Domain* domain) {
  std::vector<Domain*> result{domain};
  for (int i = 0; i < domain->num_domains; ++i) {
    const std::vector<Domain*> below = all_domains(domain->children[i]);
    result.insert(result.end(), below.begin(), below.end());
  }
  return result;
}

dart_group_t make_group(const Units& units) {
  dart_group_t group = DART_GROUP_NULL;
  REQUIRE(dart_group_create(&group) == DART_OK);
  for (const dart_unit_t unit : units)
    REQUIRE(dart_group_addmember(group, unit) == DART_OK);
  return group;
}

Units members_of(dart_group_t group) {
  size_t size = 0;
  REQUIRE(dart_group_size(group, &size) == DART_OK);
  std::vector<dart_global_unit_t> ids(size + 1);
  REQUIRE(dart_group_getmembers(group, ids.data()) == DART_OK);
  Units result;
  for (size_t i = 0; i < size; ++i)
    result.push_back(ids[i].id);
  return result;
}

/// Splits, and destroys the parts and the group.
std::vector<Units> locality_split(const Units& units, const Domain* domain,
                                  dart_locality_scope_t scope, size_t n) {
  dart_group_t group = make_group(units);
  std::vector<dart_group_t> parts(n, group);
  size_t nout = 0;
  REQUIRE(dart_group_locality_split(group, domain, scope, n, &nout, parts.data()) == DART_OK);
  std::vector<Units> result;
  for (size_t part = 0; part < n; ++part) {
    REQUIRE((parts[part] == DART_GROUP_NULL) == (part >= nout));
    if (part >= nout) continue;
    result.push_back(members_of(parts[part]));
    REQUIRE(dart_group_destroy(&parts[part]) == DART_OK);
  }
  REQUIRE(dart_group_destroy(&group) == DART_OK);
  return result;
}

Units range(int first, int last) {
  Units units;
  for (; first < last; ++first)
    units.push_back(first);
  return units;
}

}  // namespace

TEST_CASE("A hierarchy is split into parts with equal numbers of domains of a scope") {
  const Hierarchy hierarchy = sixty_four_units();
  const dart_locality_scope_t scope =
      GENERATE(DART_LOCALITY_SCOPE_NODE, DART_LOCALITY_SCOPE_NUMA, DART_LOCALITY_SCOPE_UNIT);
  const auto count = scope_domains(hierarchy.root.get(), scope).size();
  for (const size_t nparts : {size_t{1}, size_t{2}, size_t{3}, size_t{7}, count, count + 2}) {
    std::vector<Domain> parts(nparts);
    REQUIRE(dart_domain_split_scope(hierarchy.root.get(), scope, static_cast<int>(nparts),
                                    parts.data()) == DART_OK);
    Units together;
    size_t most = 0;
    size_t fewest = count;
    for (size_t part = 0; part < nparts; ++part) {
      const Domain& domain = parts[part];
      check_in_order(domain);
      REQUIRE(domain.scope == DART_LOCALITY_SCOPE_GLOBAL);
      REQUIRE(std::string(domain.domain_tag) == ".");
      const auto mine = scope_domains(&domain, scope).size();
      most = std::max(most, mine);
      if (part < count) fewest = std::min(fewest, mine);
      REQUIRE((part < count) == (domain.num_units > 0));
      const Units units = units_of(domain);
      together.insert(together.end(), units.begin(), units.end());
      // Its subdomains are complete and have the tags of the original.
      for (const Domain* const each : scope_domains(&domain, scope)) {
        const Domain* const original = find(hierarchy.root.get(), each->domain_tag);
        REQUIRE(units_of(*each) == units_of(*original));
        REQUIRE(each->num_cores == original->num_cores);
      }
    }
    REQUIRE(together == range(0, 64));
    REQUIRE(most - fewest <= 1);
    for (Domain& part : parts)
      REQUIRE(dart_domain_destroy(&part) == DART_OK);
  }
}

TEST_CASE("Splitting a subdomain by its own scope returns it and parts without units") {
  const Hierarchy hierarchy = sixty_four_units();
  for (const char* tag : {".1.0.2", ".0.0.0.3", ".0.0.0.3.1"}) {
    const Domain* const domain = find(hierarchy.root.get(), tag);
    Domain parts[2];
    REQUIRE(dart_domain_split_scope(domain, domain->scope, 2, parts) == DART_OK);
    CHECK(units_of(parts[0]) == units_of(*domain));
    CHECK(parts[0].num_cores == domain->num_cores);
    CHECK(parts[1].num_units == 0);
    CHECK(parts[1].num_cores == 0);
    CHECK(parts[1].num_domains == 0);
    CHECK(std::string(parts[1].domain_tag) == tag);
    for (Domain& part : parts)
      CHECK(dart_domain_destroy(&part) == DART_OK);
  }
}

TEST_CASE("Splitting by a scope that does not occur, or into no parts, is refused") {
  const Hierarchy hierarchy = sixty_four_units();
  Domain part{};
  CHECK(dart_domain_split_scope(hierarchy.root.get(), DART_LOCALITY_SCOPE_PACKAGE, 1, &part) ==
        DART_ERR_NOTFOUND);
  CHECK(dart_domain_split_scope(hierarchy.root.get(), DART_LOCALITY_SCOPE_GROUP, 1, &part) ==
        DART_ERR_NOTFOUND);
  for (const int nparts : {0, -1}) {
    CHECK(dart_domain_split_scope(hierarchy.root.get(), DART_LOCALITY_SCOPE_NODE, nparts, &part) ==
          DART_ERR_INVAL);
  }
  CHECK(part.num_units == 0);
  CHECK(dart_domain_destroy(&part) == DART_ERR_INVAL);
}

TEST_CASE("A group of units is split at the borders of domains") {
  const Hierarchy hierarchy = sixty_four_units();
  const Domain* const root = hierarchy.root.get();
  using Parts = std::vector<Units>;
  CHECK(locality_split(range(0, 64), root, DART_LOCALITY_SCOPE_NODE, 2) ==
        Parts{range(0, 32), range(32, 64)});
  CHECK(locality_split(range(0, 64), root, DART_LOCALITY_SCOPE_NODE, 9) ==
        Parts{range(0, 32), range(32, 64)});
  CHECK(locality_split(range(0, 64), root, DART_LOCALITY_SCOPE_GLOBAL, 3) == Parts{range(0, 64)});
  // 16 NUMA domains of four units in three parts.
  CHECK(locality_split(range(0, 64), root, DART_LOCALITY_SCOPE_NUMA, 3) ==
        Parts{range(0, 24), range(24, 44), range(44, 64)});
  CHECK(locality_split(range(0, 64), root, DART_LOCALITY_SCOPE_UNIT, 64).size() == 64);
  // Domains without a unit of the group are ignored.
  CHECK(locality_split({1, 2, 63}, root, DART_LOCALITY_SCOPE_NUMA, 2) == Parts{{1, 2}, {63}});
  CHECK(locality_split({1, 2, 63}, root, DART_LOCALITY_SCOPE_MODULE, 5) == Parts{{1, 2}, {63}});
  CHECK(locality_split({}, root, DART_LOCALITY_SCOPE_NUMA, 2).empty());
  // Units outside of the domain are in no part.
  CHECK(locality_split(range(0, 64), find(hierarchy.root.get(), ".1.0.7"), DART_LOCALITY_SCOPE_UNIT,
                       2) == Parts{{60, 61}, {62, 63}});
}

TEST_CASE("Units that alternate between nodes are grouped by node") {
  std::vector<dash::dart::UnitHardware> hardware = invented_units(1, "core:8 pu:1", 8);
  for (std::size_t unit = 0; unit < hardware.size(); ++unit)
    hardware[unit].node = static_cast<int>(unit % 2);
  const Hierarchy hierarchy = dash::dart::build_hierarchy(DART_TEAM_ALL, first_units(8), hardware);
  CHECK(locality_split(range(0, 8), hierarchy.root.get(), DART_LOCALITY_SCOPE_NODE, 2) ==
        std::vector<Units>{{0, 2, 4, 6}, {1, 3, 5, 7}});
}

TEST_CASE("Splitting a group of units refuses invalid arguments") {
  const Hierarchy hierarchy = sixty_four_units();
  const Domain* const root = hierarchy.root.get();
  dart_group_t group = make_group({0, 1});
  dart_group_t part = DART_GROUP_NULL;
  size_t nout = 42;
  const auto split = [&](dart_group_t which, const Domain* domain, dart_locality_scope_t scope,
                         size_t n) {
    return dart_group_locality_split(which, domain, scope, n, &nout, &part);
  };
  CHECK(split(DART_GROUP_NULL, root, DART_LOCALITY_SCOPE_NODE, 1) == DART_ERR_INVAL);
  CHECK(split(group, nullptr, DART_LOCALITY_SCOPE_NODE, 1) == DART_ERR_INVAL);
  // The hardware of units is known only to the runtime, which does not run here.
  CHECK(split(group, root, DART_LOCALITY_SCOPE_CORE, 1) == DART_ERR_NOTINIT);
  CHECK(split(group, root, DART_LOCALITY_SCOPE_NETWORK, 1) == DART_ERR_NOTFOUND);
  CHECK(split(group, root, DART_LOCALITY_SCOPE_NODE, 0) == DART_ERR_INVAL);
  CHECK(split(group, root, DART_LOCALITY_SCOPE_NODE, size_t{1} << 40) == DART_ERR_INVAL);
  CHECK(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_NODE, 1, nullptr, &part) ==
        DART_ERR_INVAL);
  CHECK(dart_group_locality_split(group, root, DART_LOCALITY_SCOPE_NODE, 1, &nout, nullptr) ==
        DART_ERR_INVAL);
  CHECK(nout == 42);
  CHECK(part == DART_GROUP_NULL);
  CHECK(dart_group_destroy(&group) == DART_OK);
}

TEST_CASE("Splitting by groups counts a group that contains groups once") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char* inner[] = {".0.0.0", ".0.0.1"};
  REQUIRE(dart_domain_group(domain.get(), 2, inner, tag) == DART_OK);
  const char* outer[] = {tag, ".0.0.2"};
  char outer_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  REQUIRE(dart_domain_group(domain.get(), 2, outer, outer_tag) == DART_OK);
  const char* other[] = {".1.0.0"};
  REQUIRE(dart_domain_group(domain.get(), 1, other, tag) == DART_OK);
  CHECK(locality_split(range(0, 64), domain.get(), DART_LOCALITY_SCOPE_GROUP, 3) ==
        std::vector<Units>{range(0, 12), range(32, 36)});
  Domain parts[3];
  REQUIRE(dart_domain_split_scope(domain.get(), DART_LOCALITY_SCOPE_GROUP, 3, parts) == DART_OK);
  CHECK(units_of(parts[0]) == range(0, 12));
  CHECK(units_of(parts[1]) == range(32, 36));
  CHECK(parts[2].num_units == 0);
  for (Domain& part : parts)
    CHECK(dart_domain_destroy(&part) == DART_OK);
}

TEST_CASE("A hierarchy of the runtime cannot be changed or freed") {
  const Hierarchy hierarchy = sixty_four_units();
  Domain* const root = hierarchy.root.get();
  dash::dart::mark_as_runtime_owned(root);
  const OwnDomain own(root);
  Domain* const node = find(root, ".0");
  const char* tags[] = {".0"};
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  CHECK(dart_domain_destroy(root) == DART_ERR_INVAL);
  CHECK(std::string(dart_last_error()).find("runtime") != std::string::npos);
  CHECK(dart_domain_destroy(node) == DART_ERR_INVAL);
  CHECK(dart_domain_assign(root, own.get()) == DART_ERR_INVAL);
  CHECK(dart_domain_select(root, 1, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_exclude(root, 1, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_group(root, 1, tags, tag) == DART_ERR_INVAL);
  CHECK(dart_domain_remove_subdomain(node) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(node, own.get(), -1) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(find(own.get(), ".0"), root, -1) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(own.get(), root, -1) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(root, own.get(), -1) == DART_ERR_INVAL);
  check_in_order(*root);
  CHECK(root->num_units == 64);
  CHECK(own->num_units == 64);
  dash::dart::forget_owner(root);
}

TEST_CASE("A domain that was freed, is part of another one, or is in an array cannot be inserted") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain own(hierarchy.root.get());
  Domain* domain = nullptr;
  REQUIRE(dart_domain_create(&domain) == DART_OK);
  REQUIRE(dart_domain_destroy(domain) == DART_OK);
  CHECK(dart_domain_destroy(domain) == DART_ERR_INVAL);
  CHECK(dart_domain_destroy(find(own.get(), ".0.0")) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(own.get(), own.get(), -1) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(find(own.get(), ".0"), own.get(), -1) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(own.get(), find(own.get(), ".0"), -1) == DART_ERR_INVAL);
  Domain parts[1];
  REQUIRE(dart_domain_split_scope(own.get(), DART_LOCALITY_SCOPE_NODE, 1, parts) == DART_OK);
  CHECK(dart_domain_add_subdomain(own.get(), parts, -1) == DART_ERR_INVAL);
  const char* tags[] = {".1"};
  CHECK(dart_domain_exclude(parts, 1, tags) == DART_OK);
  CHECK(parts[0].num_units == 32);
  CHECK(dart_domain_assign(parts, own.get()) == DART_OK);
  CHECK(parts[0].num_units == 64);
  check_in_order(parts[0]);
  CHECK(dart_domain_destroy(parts) == DART_OK);
  CHECK(parts[0].num_units == 0);
  CHECK(dart_domain_destroy(parts) == DART_ERR_INVAL);
  check_in_order(*own);
}

TEST_CASE("Null pointers and invalid counts are refused") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain own(hierarchy.root.get());
  Domain* out = nullptr;
  Domain** outs = nullptr;
  char** names = nullptr;
  int n = 0;
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char* tags[] = {".0", nullptr};
  CHECK(dart_domain_create(nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_clone(nullptr, &out) == DART_ERR_INVAL);
  CHECK(dart_domain_clone(own.get(), nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_destroy(nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_assign(nullptr, own.get()) == DART_ERR_INVAL);
  CHECK(dart_domain_assign(own.get(), nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_find(nullptr, ".", &out) == DART_ERR_INVAL);
  CHECK(dart_domain_find(own.get(), nullptr, &out) == DART_ERR_INVAL);
  CHECK(dart_domain_find(own.get(), ".", nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_select(nullptr, 1, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_select(own.get(), 1, nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_select(own.get(), 2, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_select(own.get(), 0, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_exclude(nullptr, 1, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_exclude(own.get(), 1, nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_exclude(own.get(), 2, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_exclude(own.get(), -1, tags) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(nullptr, own.get(), -1) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(own.get(), nullptr, -1) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(nullptr, own.get(), -1) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(own.get(), nullptr, -1) == DART_ERR_INVAL);
  CHECK(dart_domain_remove_subdomain(nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_split_scope(nullptr, DART_LOCALITY_SCOPE_NODE, 1, own.get()) == DART_ERR_INVAL);
  CHECK(dart_domain_split_scope(own.get(), DART_LOCALITY_SCOPE_NODE, 1, nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_scope_tags(nullptr, DART_LOCALITY_SCOPE_NODE, &n, &names) == DART_ERR_INVAL);
  CHECK(dart_domain_scope_tags(own.get(), DART_LOCALITY_SCOPE_NODE, nullptr, &names) ==
        DART_ERR_INVAL);
  CHECK(dart_domain_scope_tags(own.get(), DART_LOCALITY_SCOPE_NODE, &n, nullptr) == DART_ERR_INVAL);
  CHECK(dart_domain_scope_domains(nullptr, DART_LOCALITY_SCOPE_NODE, &n, &outs) == DART_ERR_INVAL);
  CHECK(dart_domain_scope_domains(own.get(), DART_LOCALITY_SCOPE_NODE, nullptr, &outs) ==
        DART_ERR_INVAL);
  CHECK(dart_domain_scope_domains(own.get(), DART_LOCALITY_SCOPE_NODE, &n, nullptr) ==
        DART_ERR_INVAL);
  CHECK(dart_domain_group(nullptr, 1, tags, tag) == DART_ERR_INVAL);
  CHECK(dart_domain_group(own.get(), 1, nullptr, tag) == DART_ERR_INVAL);
  CHECK(dart_domain_group(own.get(), 2, tags, tag) == DART_ERR_INVAL);
  CHECK(dart_domain_group(own.get(), 1, tags, nullptr) == DART_ERR_INVAL);
  CHECK(out == nullptr);
  CHECK(own->num_units == 64);
}

TEST_CASE("Random sequences of operations keep hierarchies valid") {
  INFO("seed " << dash::test::seed());
  std::mt19937 random(dash::test::seed());
  const auto below = [&random](size_t n) { return static_cast<size_t>(random()) % n; };
  const Hierarchy hierarchy = two_hosts("package:1 numa:2 core:2 pu:1", 6);
  std::vector<std::unique_ptr<OwnDomain>> roots;
  for (int step = 0; step < 3000; ++step) {
    if (roots.size() < 3) roots.push_back(std::make_unique<OwnDomain>(hierarchy.root.get()));
    const OwnDomain& own = *roots[below(roots.size())];
    const std::vector<Domain*> all = all_domains(own.get());
    Domain* const some = all[below(all.size())];
    Domain* const other = all[below(all.size())];
    const char* tags[] = {some->domain_tag, other->domain_tag};
    const auto index = static_cast<int>(below(6)) - 2;
    const int units_before = own->num_units;
    char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
    dart_ret_t code = DART_OK;
    switch (below(8)) {
      case 0:
        code = dart_domain_group(own.get(), 2, tags, tag);
        break;
      case 1:
        code = dart_domain_group(own.get(), 1, tags, tag);
        break;
      case 2:
        code = dart_domain_move_subdomain(some, other, index);
        break;
      case 3:
        code = dart_domain_exclude(own.get(), 1, tags);
        break;
      case 4:
        code = below(4) == 0 ? dart_domain_select(own.get(), 2, tags) : DART_OK;
        break;
      case 5: {
        Domain* copy = nullptr;
        REQUIRE(dart_domain_clone(some, &copy) == DART_OK);
        code = all.size() < 200 ? dart_domain_add_subdomain(other, copy, index) : DART_ERR_INVAL;
        if (code != DART_OK) REQUIRE(dart_domain_destroy(copy) == DART_OK);
        break;
      }
      case 6: {
        code = dart_domain_remove_subdomain(some);
        if (code == DART_OK) REQUIRE(dart_domain_destroy(some) == DART_OK);
        break;
      }
      default: {
        std::vector<Domain> parts(1 + below(4));
        code = dart_domain_split_scope(own.get(), DART_LOCALITY_SCOPE_NUMA,
                                       static_cast<int>(parts.size()), parts.data());
        if (code != DART_OK) break;
        for (Domain& part : parts) {
          check_in_order(part);
          REQUIRE(dart_domain_destroy(&part) == DART_OK);
        }
        break;
      }
    }
    REQUIRE((code == DART_OK || code == DART_ERR_INVAL || code == DART_ERR_NOTFOUND));
    if (code != DART_OK) REQUIRE(own->num_units == units_before);
    check_in_order(*own);
    if (own->num_units == 0 || below(50) == 0) {
      roots.erase(std::find_if(roots.begin(), roots.end(),
                               [&](const auto& root) { return root.get() == &own; }));
    }
  }
}
