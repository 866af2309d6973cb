// dash-test: serial link=objects

// Operations on domain hierarchies: 64 units on 2 hosts with 2 packages, 8 NUMA domains, 64 cores.

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "SampleMachines.h"
#include "dash/dart/if/dart.h"
#include "support/Catch.h"

using dash::dart::Hierarchy;
using namespace dash::test;
using Domain = dart_domain_locality_t;
using Tags = std::vector<std::string>;
using Units = std::vector<dart_unit_t>;

namespace {

Hierarchy sixty_four_units() {
  const auto hardware = invented_units(2, "package:2 numa:4 core:8 pu:1", 32);
  return dash::dart::build_hierarchy(DART_TEAM_ALL, first_units(64), hardware);
}

std::vector<const char*> pointers(const Tags& tags) {
  std::vector<const char*> result;
  for (const std::string& tag : tags)
    result.push_back(tag.c_str());
  return result;
}

dart_ret_t select(Domain* domain, const Tags& tags) {
  std::vector<const char*> names = pointers(tags);
  return dart_domain_select(domain, static_cast<int>(tags.size()), names.data());
}

dart_ret_t exclude(Domain* domain, const Tags& tags) {
  std::vector<const char*> names = pointers(tags);
  return dart_domain_exclude(domain, static_cast<int>(tags.size()), names.data());
}

dart_ret_t group(Domain* domain, const Tags& tags, std::string* group_tag) {
  std::vector<const char*> names = pointers(tags);
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE] = "untouched";
  const dart_ret_t result =
      dart_domain_group(domain, static_cast<int>(tags.size()), names.data(), tag);
  *group_tag = tag;
  return result;
}

Tags tags_of(const Domain* domain, dart_locality_scope_t scope) {
  int n = -1;
  char** tags = nullptr;
  const dart_ret_t code = dart_domain_scope_tags(domain, scope, &n, &tags);
  REQUIRE(code == (n == 0 ? DART_ERR_NOTFOUND : DART_OK));
  Tags result(tags, tags + n);
  std::for_each(tags, tags + n, std::free);
  std::free(tags);
  return result;
}

bool has(Domain* domain, const char* tag) {
  Domain* found = nullptr;
  return dart_domain_find(domain, tag, &found) == DART_OK;
}

Units range(int first, int last) {
  Units units;
  for (; first < last; ++first)
    units.push_back(first);
  return units;
}

bool says(const char* part) {
  return std::string(dart_last_error()).find(part) != std::string::npos;
}

void check_equal(const Domain& a, const Domain& b) {
  REQUIRE(std::string(a.domain_tag) == b.domain_tag);
  REQUIRE(std::string(a.host) == b.host);
  REQUIRE(a.scope == b.scope);
  REQUIRE(a.level == b.level);
  REQUIRE(a.global_index == b.global_index);
  REQUIRE(a.relative_index == b.relative_index);
  REQUIRE(a.is_symmetric == b.is_symmetric);
  REQUIRE(a.team == b.team);
  REQUIRE(a.num_nodes == b.num_nodes);
  REQUIRE(a.node_id == b.node_id);
  REQUIRE(a.num_cores == b.num_cores);
  REQUIRE(a.shared_mem_bytes == b.shared_mem_bytes);
  REQUIRE(units_of(a) == units_of(b));
  REQUIRE(a.num_domains == b.num_domains);
  for (int i = 0; i < a.num_domains; ++i)
    check_equal(*a.children[i], *b.children[i]);
}

}  // namespace

TEST_CASE("A created domain is empty") {
  Domain* domain = nullptr;
  REQUIRE(dart_domain_create(&domain) == DART_OK);
  CHECK(domain->scope == DART_LOCALITY_SCOPE_UNDEFINED);
  CHECK(domain->num_domains == 0);
  CHECK(domain->num_units == 0);
  CHECK(domain->parent == nullptr);
  CHECK(domain->team == DART_TEAM_NULL);
  CHECK(std::string(domain->domain_tag) == ".");
  CHECK(dart_domain_destroy(domain) == DART_OK);
}

TEST_CASE("A clone is equal to its original and shares nothing with it") {
  Hierarchy hierarchy = sixty_four_units();
  const OwnDomain clone(hierarchy.root.get());
  check_equal(*clone, *hierarchy.root);
  const OwnDomain again(clone.get());
  REQUIRE(exclude(clone.get(), {".0", ".1.0.7"}) == DART_OK);
  check_equal(*again, *hierarchy.root);
  hierarchy.root.reset();
  check_in_order(*clone);
  check_in_order(*again);
}

TEST_CASE("A clone of a subdomain is a root that keeps its tags") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain clone(find(hierarchy.root.get(), ".1.0.2"));
  check_in_order(*clone);
  CHECK(clone->parent == nullptr);
  CHECK(std::string(clone->domain_tag) == ".1.0.2");
  CHECK(units_of(*find(clone.get(), ".1.0.2.3")) == Units{43});
  CHECK_FALSE(has(clone.get(), "."));
}

TEST_CASE("Assignment replaces the content of a domain, even by a part of itself") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  const OwnDomain other(find(hierarchy.root.get(), ".1"));
  REQUIRE(dart_domain_assign(domain.get(), other.get()) == DART_OK);
  check_equal(*domain, *other);
  REQUIRE(dart_domain_assign(domain.get(), domain.get()) == DART_OK);
  check_equal(*domain, *other);
  REQUIRE(dart_domain_assign(domain.get(), find(domain.get(), ".1.0.4")) == DART_OK);
  check_equal(*domain, *find(hierarchy.root.get(), ".1.0.4"));
  check_in_order(*domain);
}

TEST_CASE("Domains are found by their tags and by their scope") {
  const Hierarchy hierarchy = sixty_four_units();
  Domain* const root = hierarchy.root.get();
  CHECK(find(root, ".") == root);
  CHECK(find(root, ".1.0.3.2.1")->scope == DART_LOCALITY_SCOPE_CORE);
  for (const char* wrong : {"", "0", ".2", ".0.", "..0", ".0.1", ".00", ".0.0.0.0.0.0", " .0"})
    CHECK_FALSE(has(root, wrong));
  CHECK(tags_of(root, DART_LOCALITY_SCOPE_GLOBAL) == Tags{"."});
  CHECK(tags_of(root, DART_LOCALITY_SCOPE_NODE) == Tags{".0", ".1"});
  CHECK(tags_of(find(root, ".0.0.1"), DART_LOCALITY_SCOPE_UNIT) ==
        Tags{".0.0.1.0", ".0.0.1.1", ".0.0.1.2", ".0.0.1.3"});
  CHECK(tags_of(root, DART_LOCALITY_SCOPE_PACKAGE).empty());
  CHECK(says("PACKAGE"));
  int n = -1;
  Domain** domains = nullptr;
  REQUIRE(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_NUMA, &n, &domains) == DART_OK);
  REQUIRE(n == 16);
  CHECK(domains[0] == find(root, ".0.0.0"));
  CHECK(domains[15] == find(root, ".1.0.7"));
  std::free(domains);
  CHECK(dart_domain_scope_domains(root, DART_LOCALITY_SCOPE_CACHE, &n, &domains) ==
        DART_ERR_NOTFOUND);
  CHECK(n == 0);
  CHECK(domains == nullptr);
}

TEST_CASE("Selecting keeps the named domains, those below and those above them") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  REQUIRE(select(domain.get(), {".1.0.3", ".0.0.2.1", ".1.0.3.0"}) == DART_OK);
  check_in_order(*domain);
  CHECK(units_of(*domain) == Units{9, 44, 45, 46, 47});
  CHECK(tags_of(domain.get(), DART_LOCALITY_SCOPE_NUMA) == Tags{".0.0.2", ".1.0.3"});
  CHECK(domain->num_cores == 10);
  CHECK(domain->num_nodes == 2);
  CHECK(domain->is_symmetric == 0);
  CHECK(find(domain.get(), ".0.0.2")->global_index == 2);
  REQUIRE(select(domain.get(), {".0.0.2.1"}) == DART_OK);
  CHECK(units_of(*domain) == Units{9});
  CHECK(domain->num_nodes == 1);
  CHECK(domain->shared_mem_bytes == find(domain.get(), ".0")->shared_mem_bytes);
  REQUIRE(select(domain.get(), {"."}) == DART_OK);
  CHECK(units_of(*domain) == Units{9});
}

TEST_CASE("Excluding removes the named domains and domains that become empty") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  REQUIRE(exclude(domain.get(), {}) == DART_OK);
  check_equal(*domain, *hierarchy.root);
  REQUIRE(exclude(domain.get(), {".0.0.1", ".0.0.2.3", ".0.0.0.0.1"}) == DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 64 - 5);
  CHECK(domain->num_cores == 128 - 8 - 2 - 1);
  CHECK(find(domain.get(), ".0.0.0.0")->num_cores == 1);
  CHECK(has(domain.get(), ".0.0.3"));
  CHECK_FALSE(has(domain.get(), ".0.0.1"));
  // The four units of a NUMA domain, one by one; then both nodes.
  REQUIRE(exclude(domain.get(), {".1.0.7.0", ".1.0.7.1", ".1.0.7.2", ".1.0.7.3"}) == DART_OK);
  CHECK_FALSE(has(domain.get(), ".1.0.7"));
  REQUIRE(exclude(domain.get(), {".0", ".1"}) == DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 0);
  CHECK(domain->num_cores == 0);
  CHECK(domain->num_nodes == 0);
  CHECK(domain->num_domains == 0);
}

TEST_CASE("Operations on a subdomain update the domains above it") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  REQUIRE(select(find(domain.get(), ".0.0"), {".0.0.1", ".0.0.2"}) == DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 32 + 8);
  REQUIRE(exclude(find(domain.get(), ".1"), {".1.0.0"}) == DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 28 + 8);
  CHECK(exclude(find(domain.get(), ".1"), {".0.0.1"}) == DART_ERR_NOTFOUND);
}

TEST_CASE("A subdomain that is added belongs to the hierarchy") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  REQUIRE(exclude(domain.get(), {".1"}) == DART_OK);
  Domain* second = nullptr;
  REQUIRE(dart_domain_clone(find(hierarchy.root.get(), ".1"), &second) == DART_OK);
  SECTION("at the end") {
    REQUIRE(dart_domain_add_subdomain(domain.get(), second, -1) == DART_OK);
    check_in_order(*domain);
    check_equal(*domain, *hierarchy.root);
  }
  SECTION("at the begin, where the others move up") {
    REQUIRE(dart_domain_add_subdomain(domain.get(), second, 0) == DART_OK);
    check_in_order(*domain);
    CHECK(std::string(find(domain.get(), ".0")->host) == "host1");
    CHECK(units_of(*find(domain.get(), ".1.0.0")) == range(0, 4));
  }
  SECTION("into a gap, so that no sibling moves") {
    REQUIRE(exclude(domain.get(), {".0.0.2"}) == DART_OK);
    REQUIRE(dart_domain_add_subdomain(find(domain.get(), ".0.0"), second, 2) == DART_OK);
    check_in_order(*domain);
    CHECK(units_of(*find(domain.get(), ".0.0.2")) == range(32, 64));
    CHECK(units_of(*find(domain.get(), ".0.0.3")) == range(12, 16));
    CHECK(domain->num_units == 60);
  }
  // The caller no longer owns it.
  CHECK(dart_domain_destroy(second) == DART_ERR_INVAL);
  CHECK(dart_domain_add_subdomain(domain.get(), second, -1) == DART_ERR_INVAL);
}

TEST_CASE("A domain that the program fills can be added") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(find(hierarchy.root.get(), ".0"));
  Domain* made = nullptr;
  REQUIRE(dart_domain_create(&made) == DART_OK);
  made->scope = DART_LOCALITY_SCOPE_UNIT;
  made->num_units = 1;
  made->unit_ids = static_cast<dart_global_unit_t*>(std::malloc(sizeof(dart_global_unit_t)));
  made->unit_ids[0].id = 1000;
  made->num_cores = 3;
  REQUIRE(dart_domain_add_subdomain(find(domain.get(), ".0.0.5"), made, -1) == DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 33);
  CHECK(domain->unit_ids[32].id == 1000);
  CHECK(domain->num_cores == 64 + 3);
  CHECK(std::string(made->domain_tag) == ".0.0.5.4");
}

TEST_CASE("A subdomain that is removed belongs to the caller") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  Domain* const module = find(domain.get(), ".1.0");
  REQUIRE(dart_domain_remove_subdomain(module) == DART_OK);
  check_in_order(*domain);
  check_in_order(*module);
  CHECK(module->parent == nullptr);
  CHECK(std::string(module->domain_tag) == ".1.0");
  CHECK(module->num_units == 32);
  CHECK(domain->num_units == 32);
  CHECK(find(domain.get(), ".1")->num_units == 0);
  CHECK(find(domain.get(), ".1")->num_cores == 0);
  CHECK(dart_domain_remove_subdomain(module) == DART_ERR_INVAL);
  CHECK(says("not a subdomain"));
  REQUIRE(dart_domain_add_subdomain(find(domain.get(), ".1"), module, -1) == DART_OK);
  check_equal(*domain, *hierarchy.root);
}

TEST_CASE("A subdomain moves to another parent, or to another position") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  Domain* const numa = find(domain.get(), ".0.0.7");
  REQUIRE(dart_domain_move_subdomain(numa, find(domain.get(), ".1.0"), 1) == DART_OK);
  check_in_order(*domain);
  CHECK(std::string(numa->domain_tag) == ".1.0.1");
  CHECK(units_of(*find(domain.get(), ".1.0.2")) == range(36, 40));
  CHECK(find(domain.get(), ".0")->num_units == 28);
  CHECK(find(domain.get(), ".1")->num_units == 36);
  CHECK(find(domain.get(), ".1")->num_cores == 72);
  REQUIRE(dart_domain_move_subdomain(numa, find(domain.get(), ".1.0"), -1) == DART_OK);
  check_in_order(*domain);
  CHECK(units_of(*find(domain.get(), ".1.0.9")) == range(28, 32));
  // Up and down along one branch.
  REQUIRE(dart_domain_move_subdomain(find(domain.get(), ".0.0.3"), domain.get(), 0) == DART_OK);
  check_in_order(*domain);
  CHECK(units_of(*find(domain.get(), ".0")) == range(12, 16));
  CHECK(find(domain.get(), ".1")->num_units == 24);
  REQUIRE(dart_domain_move_subdomain(find(domain.get(), ".0"), find(domain.get(), ".1.0"), -1) ==
          DART_OK);
  check_in_order(*domain);
  CHECK(domain->num_units == 64);
  CHECK(domain->num_cores == 128);
}

TEST_CASE("A subdomain does not move into itself, nor to an invalid position") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  Domain* const node = find(domain.get(), ".0");
  CHECK(dart_domain_move_subdomain(node, node, -1) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(node, find(node, ".0.0.3"), -1) == DART_ERR_INVAL);
  CHECK(says(".0.0.3"));
  CHECK(dart_domain_move_subdomain(domain.get(), node, -1) == DART_ERR_INVAL);
  for (const int index : {-2, 3, 1000}) {
    CHECK(dart_domain_move_subdomain(node, domain.get(), index) == DART_ERR_INVAL);
    CHECK(says(std::to_string(index).c_str()));
  }
  check_equal(*domain, *hierarchy.root);
}

TEST_CASE("Grouped siblings follow the other domains, which keep their tags") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  std::string tag;
  REQUIRE(group(domain.get(), {".0.0.3", ".0.0.1"}, &tag) == DART_OK);
  CHECK(tag == ".0.0.8");
  check_in_order(*domain);
  const Domain& first = *find(domain.get(), tag.c_str());
  CHECK(first.scope == DART_LOCALITY_SCOPE_GROUP);
  CHECK(first.global_index == 0);
  CHECK(first.num_units == 8);
  CHECK(first.num_cores == 16);
  CHECK(first.node_id == 0);
  CHECK(std::string(first.host) == "host0");
  CHECK(first.is_symmetric == 1);
  CHECK(units_of(*find(domain.get(), ".0.0.8.0")) == range(12, 16));
  CHECK(units_of(*find(domain.get(), ".0.0.8.1")) == range(4, 8));
  CHECK(find(domain.get(), ".0.0.8.1")->level == 4);
  // With the previous tags.
  REQUIRE(group(domain.get(), {".0.0.5", ".0.0.6"}, &tag) == DART_OK);
  CHECK(tag == ".0.0.9");
  CHECK(find(domain.get(), ".0.0.9")->global_index == 1);
  check_in_order(*domain);
  CHECK(domain->num_units == 64);
  CHECK(domain->num_cores == 128);
  CHECK(tags_of(domain.get(), DART_LOCALITY_SCOPE_NUMA).size() == 16);
}

TEST_CASE("A group of domains of several parents is in the nearest common ancestor") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  std::string tag;
  REQUIRE(group(domain.get(), {".0.0.0", ".1.0.0"}, &tag) == DART_OK);
  CHECK(tag == ".2");
  check_in_order(*domain);
  CHECK(find(domain.get(), ".2")->num_nodes == 2);
  CHECK(find(domain.get(), ".2")->node_id == -1);
  CHECK(find(domain.get(), ".2")->shared_mem_bytes == 0);
  CHECK(find(domain.get(), ".0")->num_units == 28);
  // A unit and a NUMA domain, which have different depths; and the remaining domains of a node.
  REQUIRE(group(domain.get(), {".0.0.1.0", ".0.0.2"}, &tag) == DART_OK);
  CHECK(tag == ".0.0.8");
  REQUIRE(group(domain.get(),
                {".1.0.1", ".1.0.2", ".1.0.3", ".1.0.4", ".1.0.5", ".1.0.6", ".1.0.7", ".0.0.7"},
                &tag) == DART_OK);
  CHECK(tag == ".3");
  CHECK_FALSE(has(domain.get(), ".1"));
  check_in_order(*domain);
  CHECK(domain->num_units == 64);
  CHECK(domain->num_nodes == 2);
}

TEST_CASE("Groups may be nested; overlapping domains are refused") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  std::string tag;
  CHECK(group(domain.get(), {"."}, &tag) == DART_ERR_INVAL);
  CHECK(group(domain.get(), {".0", ".0.0.1"}, &tag) == DART_ERR_INVAL);
  CHECK(says(".0.0.1"));
  CHECK(group(domain.get(), {".0", ".0"}, &tag) == DART_ERR_INVAL);
  CHECK(group(domain.get(), {}, &tag) == DART_ERR_INVAL);
  CHECK(group(domain.get(), {".0", ".7"}, &tag) == DART_ERR_NOTFOUND);
  CHECK(tag == "untouched");
  check_equal(*domain, *hierarchy.root);
  REQUIRE(group(domain.get(), {".0", ".1"}, &tag) == DART_OK);
  CHECK(tag == ".2");
  REQUIRE(group(domain.get(), {".2.0", ".2.1"}, &tag) == DART_OK);
  CHECK(tag == ".2.2");
  check_in_order(*domain);
  CHECK(domain->num_domains == 1);
  CHECK(tags_of(domain.get(), DART_LOCALITY_SCOPE_GROUP) == Tags{".2", ".2.2"});
}

TEST_CASE("A change that needs too long a tag is refused and has no effect") {
  const Hierarchy hierarchy = sixty_four_units();
  const OwnDomain domain(hierarchy.root.get());
  std::string tag;
  Tags inner{".0.0.0.0.0"};
  dart_ret_t code = DART_OK;
  int depth = 0;
  while ((code = group(domain.get(), inner, &tag)) == DART_OK && ++depth < 100)
    inner = {tag + ".0"};
  CHECK(code == DART_ERR_INVAL);
  CHECK(says("too deep"));
  CHECK(depth == 10);
  check_in_order(*domain);
  const OwnDomain before(domain.get());
  Domain* copy = nullptr;
  REQUIRE(dart_domain_clone(domain.get(), &copy) == DART_OK);
  CHECK(dart_domain_add_subdomain(domain.get(), copy, 0) == DART_ERR_INVAL);
  CHECK(dart_domain_move_subdomain(find(domain.get(), ".1"),
                                   find(domain.get(), inner.front().c_str()),
                                   -1) == DART_ERR_INVAL);
  check_equal(*domain, *before);
  CHECK(dart_domain_destroy(copy) == DART_OK);
}
