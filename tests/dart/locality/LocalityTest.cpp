// dash-test: parallel units=1,2,3,4,7 layouts=node,cliques,nolocal,pairs modes=auto,thread,poll smoke=yes

// The locality of units on the machine of the test run. Its structure is unknown to the test, which checks
// that all units report the same and that nodes are those of MPI.

#include "dash/dart/if/dart_locality.h"

#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "dart/support/Fixture.h"
#include "dash/core/Topology.h"
#include "support/Catch.h"

using namespace dash::test;
using Domain = dart_domain_locality_t;

namespace {

Domain* team_domain(dart_team_t team, const char* tag = ".") {
  Domain* domain = nullptr;
  REQUIRE(dart_domain_team_locality(team, tag, &domain) == DART_OK);
  return domain;
}

dart_unit_locality_t* unit_locality(dart_team_t team, int unit) {
  dart_unit_locality_t* locality = nullptr;
  REQUIRE(dart_unit_locality(team, unit, &locality) == DART_OK);
  return locality;
}

std::vector<Domain*> scope_domains(const Domain* domain, dart_locality_scope_t scope) {
  int n = 0;
  Domain** domains = nullptr;
  REQUIRE(dart_domain_scope_domains(domain, scope, &n, &domains) == DART_OK);
  std::vector<Domain*> result(domains, domains + n);
  std::free(domains);
  return result;
}

/// Number of nodes, according to the environment of the run.
int expected_nodes() {
  if (std::getenv("MPIR_CVAR_NOLOCAL") != nullptr) return num_units();
  if (std::getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") != nullptr) return std::min(num_units(), 2);
  if (const char* const units = std::getenv("DART_NODE_UNITS"); units != nullptr) {
    return (num_units() + std::atoi(units) - 1) / std::atoi(units);
  }
  return 1;
}

/// All data of a hierarchy as text, for comparison between units.
std::string describe(const Domain& domain) {
  std::string text =
      std::string(domain.domain_tag) + " " + std::to_string(domain.scope) + " " + domain.host +
      " " + std::to_string(domain.level) + " " + std::to_string(domain.global_index) + " " +
      std::to_string(domain.node_id) + " " + std::to_string(domain.num_nodes) + " " +
      std::to_string(domain.num_cores) + " " + std::to_string(domain.shared_mem_bytes) + ":";
  for (int i = 0; i < domain.num_units; ++i)
    text += " " + std::to_string(domain.unit_ids[i].id);
  text += "\n";
  for (int i = 0; i < domain.num_domains; ++i)
    text += describe(*domain.children[i]);
  return text;
}

/// Whether all units of the team pass the same text.
bool same_on_all(const std::string& text, dart_team_t team) {
  unsigned long length = text.size();
  REQUIRE(dart_bcast(&length, 1, DART_TYPE_ULONG, 0, team) == DART_OK);
  std::vector<char> first(length);
  std::copy_n(text.begin(), std::min<std::size_t>(length, text.size()), first.begin());
  REQUIRE(dart_bcast(first.data(), length, DART_TYPE_BYTE, 0, team) == DART_OK);
  const int mine = text == std::string(first.begin(), first.end()) ? 1 : 0;
  int all = 0;
  REQUIRE(dart_allreduce(&mine, &all, 1, DART_TYPE_INT, DART_OP_MIN, team) == DART_OK);
  return all == 1;
}

}  // namespace

TEST_CASE("A unit knows its hardware", "[Locality]") {
  const dart_unit_locality_t& locality = *unit_locality(DART_TEAM_ALL, my_id());
  const dart_hwinfo_t& info = locality.hwinfo;
  CHECK(locality.unit.id == my_id());
  CHECK(locality.team == DART_TEAM_ALL);
  char host[256] = "";
  REQUIRE(gethostname(host, sizeof host - 1) == 0);
  CHECK(std::string(info.host) == std::string(host).substr(0, DART_LOCALITY_HOST_MAX_SIZE - 1));
  CHECK(info.num_cores >= 1);
  CHECK(info.num_numa >= 1);
  CHECK(info.num_sockets >= 1);
  CHECK(info.min_threads >= 1);
  CHECK(info.max_threads >= info.min_threads);
  CHECK(info.system_memory_bytes > 1);
  CHECK(info.numa_id >= 0);
  CHECK(info.core_id >= 0);
  const auto machine = dash::core::Topology::load();
  CHECK(info.num_cores <= machine.num_cores());
  CHECK(std::any_of(machine.processors().begin(), machine.processors().end(),
                    [&](const auto& processor) {
                      return processor.os_index == info.cpu_id && processor.core == info.core_id;
                    }));
  REQUIRE(info.num_scopes >= 4);
  for (int i = 1; i < info.num_scopes; ++i)
    CHECK(info.scopes[i].index >= 0);
}

TEST_CASE("The hierarchy has the nodes of MPI and all units", "[Locality]") {
  Domain* const root = team_domain(DART_TEAM_ALL);
  CHECK(root->scope == DART_LOCALITY_SCOPE_GLOBAL);
  CHECK(root->num_nodes == expected_nodes());
  CHECK(root->num_domains == expected_nodes());
  REQUIRE(root->num_units == num_units());
  for (int unit = 0; unit < num_units(); ++unit)
    CHECK(root->unit_ids[unit].id == unit);
  CHECK(root->num_cores >= 1);
  for (const Domain* const node : scope_domains(root, DART_LOCALITY_SCOPE_NODE)) {
    CHECK(node->num_domains == 1);  // a node is on one host
    CHECK(std::string(node->host) == node->children[0]->host);
    for (int i = 1; i < node->num_units; ++i) {
      const int between = node->unit_ids[i].id - node->unit_ids[i - 1].id;
      CHECK(between == (std::getenv("MPIR_CVAR_ODD_EVEN_CLIQUES") != nullptr ? 2 : 1));
    }
  }
  CHECK(scope_domains(root, DART_LOCALITY_SCOPE_UNIT).size() ==
        static_cast<std::size_t>(num_units()));
}

TEST_CASE("All units see the same hierarchy, and find each other in it", "[Locality]") {
  Domain* const root = team_domain(DART_TEAM_ALL);
  CHECK(same_on_all(describe(*root), DART_TEAM_ALL));
  for (int unit = 0; unit < num_units(); ++unit) {
    const dart_unit_locality_t& locality = *unit_locality(DART_TEAM_ALL, unit);
    const Domain& core = *team_domain(DART_TEAM_ALL, locality.domain_tag);
    REQUIRE(core.scope == DART_LOCALITY_SCOPE_CORE);
    const Domain& domain = *core.parent;
    CHECK(domain.scope == DART_LOCALITY_SCOPE_UNIT);
    REQUIRE(domain.num_units == 1);
    CHECK(domain.unit_ids[0].id == unit);
    CHECK(domain.num_cores == locality.hwinfo.num_cores);
    CHECK(std::string(domain.host) == locality.hwinfo.host);
  }
}

TEST_CASE("Repeated queries return the same domain, even from several threads", "[Locality]") {
  REQUIRE(dart_team_locality_finalize(DART_TEAM_ALL) == DART_OK);
  std::vector<Domain*> seen(4, nullptr);
  std::vector<std::thread> threads;
  for (Domain*& result : seen) {
    threads.emplace_back([&result] { dart_domain_team_locality(DART_TEAM_ALL, ".0", &result); });
  }
  for (std::thread& thread : threads)
    thread.join();
  CHECK(seen.front() != nullptr);
  CHECK(std::count(seen.begin(), seen.end(), seen.front()) == 4);
  REQUIRE(dart_team_locality_init(DART_TEAM_ALL) == DART_OK);
  CHECK(team_domain(DART_TEAM_ALL, ".0") == seen.front());
}

TEST_CASE("A team has a separate hierarchy until it is destroyed", "[Locality]") {
  // All units except 0; then all with an odd id; then all.
  for (int first : {1, 2, 0}) {
    dart_group_t group = DART_GROUP_NULL;
    REQUIRE(dart_group_create(&group) == DART_OK);
    std::vector<int> members;
    for (int unit = first == 2 ? 1 : first; unit < num_units(); unit += first == 2 ? 2 : 1) {
      members.push_back(unit);
      REQUIRE(dart_group_addmember(group, unit) == DART_OK);
    }
    dart_team_t team = DART_TEAM_NULL;
    REQUIRE(dart_team_create(DART_TEAM_ALL, group, &team) == DART_OK);
    REQUIRE(dart_group_destroy(&group) == DART_OK);
    if (team == DART_TEAM_NULL) continue;
    Domain* const root = team_domain(team);
    CHECK(root->team == team);
    REQUIRE(root->num_units == static_cast<int>(members.size()));
    for (std::size_t unit = 0; unit < members.size(); ++unit) {
      CHECK(root->unit_ids[unit].id == members[unit]);
      const dart_unit_locality_t& locality = *unit_locality(team, static_cast<int>(unit));
      CHECK(locality.team == team);
      CHECK(locality.unit.id == static_cast<int>(unit));
      CHECK(team_domain(team, locality.domain_tag)->unit_ids[0].id == members[unit]);
      CHECK(std::memcmp(&locality.hwinfo, &unit_locality(DART_TEAM_ALL, members[unit])->hwinfo,
                        sizeof locality.hwinfo) == 0);
    }
    CHECK(same_on_all(describe(*root), team));
    const dart_team_t gone = team;
    REQUIRE(dart_team_destroy(&team) == DART_OK);
    Domain* domain = nullptr;
    CHECK(dart_domain_team_locality(gone, ".", &domain) == DART_ERR_INVAL);
    CHECK(domain == nullptr);
    // The hierarchy was freed with the team: the runtime no longer owns this address.
    CHECK(dart_domain_destroy(root) == DART_ERR_INVAL);
    CHECK(last_error_has("freed"));
  }
}

namespace {

/// Values of all units of a team.
std::vector<int> from_all(dart_team_t team, int value) {
  std::size_t size = 0;
  REQUIRE(dart_team_size(team, &size) == DART_OK);
  std::vector<int> all(size);
  REQUIRE(dart_allgather(&value, all.data(), 1, DART_TYPE_INT, team) == DART_OK);
  return all;
}

bool all_equal(const std::vector<int>& values) {
  return std::all_of(values.begin(), values.end(), [&](int each) { return each == values[0]; });
}

}  // namespace

TEST_CASE("The performance of units is measured once for a team and equal on all units",
          "[Locality]") {
  dart_team_t team = DART_TEAM_NULL;
  REQUIRE(dart_team_clone(DART_TEAM_ALL, &team) == DART_OK);
  REQUIRE(dart_team_locality_init(team) == DART_OK);
  CHECK(unit_locality(team, 0)->hwinfo.max_shmem_mbps == -1);
  REQUIRE(dart_team_locality_measure(team) == DART_OK);
  std::vector<int> memory;
  for (int unit = 0; unit < num_units(); ++unit) {
    const dart_hwinfo_t& hardware = unit_locality(team, unit)->hwinfo;
    memory.push_back(hardware.max_shmem_mbps);
    CHECK(hardware.max_shmem_mbps > 0);
    CHECK(hardware.max_cpu_mhz > 0);
    CHECK(all_equal(from_all(team, hardware.max_shmem_mbps)));
    CHECK(all_equal(from_all(team, hardware.max_cpu_mhz)));
    const dart_hwinfo_t& first = unit_locality(team, 0)->hwinfo;
    if (hardware.num_cores == first.num_cores) CHECK(memory.back() == memory.front());
  }
  // Also after a single unit has rebuilt the hierarchy.
  if (my_id() == 0) {
    REQUIRE(dart_team_locality_finalize(team) == DART_OK);
    REQUIRE(dart_team_locality_measure(team) == DART_OK);
    for (int unit = 0; unit < num_units(); ++unit)
      CHECK(unit_locality(team, unit)->hwinfo.max_shmem_mbps ==
            memory[static_cast<std::size_t>(unit)]);
  }
  REQUIRE(dart_team_destroy(&team) == DART_OK);
  CHECK(dart_team_locality_measure(DART_TEAM_NULL) == DART_ERR_INVAL);
}

TEST_CASE("A group of units is split by the components of their first processors", "[Locality]") {
  dart_group_t all = DART_GROUP_NULL;
  REQUIRE(dart_team_get_group(DART_TEAM_ALL, &all) == DART_OK);
  for (const auto scope : {DART_LOCALITY_SCOPE_PACKAGE, DART_LOCALITY_SCOPE_CORE}) {
    std::vector<dart_group_t> parts(static_cast<std::size_t>(num_units()));
    size_t nout = 0;
    REQUIRE(dart_group_locality_split(all, team_domain(DART_TEAM_ALL), scope, parts.size(), &nout,
                                      parts.data()) == DART_OK);
    REQUIRE(nout >= static_cast<size_t>(expected_nodes()));
    size_t units = 0;
    for (size_t part = 0; part < nout; ++part) {
      size_t size = 0;
      REQUIRE(dart_group_size(parts[part], &size) == DART_OK);
      CHECK(size > 0);
      units += size;
      REQUIRE(dart_group_destroy(&parts[part]) == DART_OK);
    }
    CHECK(units == static_cast<size_t>(num_units()));
  }
  dart_group_t part = DART_GROUP_NULL;
  size_t nout = 0;
  CHECK(dart_group_locality_split(all, team_domain(DART_TEAM_ALL), DART_LOCALITY_SCOPE_UNCORE, 1,
                                  &nout, &part) == DART_ERR_NOTFOUND);
  CHECK(last_error_has("UNCORE"));
  REQUIRE(dart_group_destroy(&all) == DART_OK);
}

TEST_CASE("A team is split by node", "[Locality]") {
  dart_group_t all = DART_GROUP_NULL;
  REQUIRE(dart_team_get_group(DART_TEAM_ALL, &all) == DART_OK);
  std::vector<dart_group_t> parts(static_cast<std::size_t>(num_units()) + 1);
  size_t nout = 0;
  REQUIRE(dart_group_locality_split(all, team_domain(DART_TEAM_ALL), DART_LOCALITY_SCOPE_NODE,
                                    parts.size(), &nout, parts.data()) == DART_OK);
  REQUIRE(nout == static_cast<size_t>(expected_nodes()));
  size_t units = 0;
  for (size_t part = 0; part < nout; ++part) {
    size_t size = 0;
    REQUIRE(dart_group_size(parts[part], &size) == DART_OK);
    units += size;
    dart_team_t team = DART_TEAM_NULL;
    REQUIRE(dart_team_create(DART_TEAM_ALL, parts[part], &team) == DART_OK);
    if (team != DART_TEAM_NULL) {
      CHECK(team_domain(team)->num_nodes == 1);
      REQUIRE(dart_team_destroy(&team) == DART_OK);
    }
    REQUIRE(dart_group_destroy(&parts[part]) == DART_OK);
  }
  CHECK(units == static_cast<size_t>(num_units()));
  REQUIRE(dart_group_destroy(&all) == DART_OK);
}

TEST_CASE("Invalid teams, units and tags are refused", "[Locality]") {
  Domain* domain = nullptr;
  dart_unit_locality_t* locality = nullptr;
  for (const dart_team_t team : {DART_TEAM_NULL, dart_team_t{-5}, dart_team_t{12345}}) {
    CHECK(dart_team_locality_init(team) == DART_ERR_INVAL);
    CHECK(dart_team_locality_finalize(team) == DART_ERR_INVAL);
    CHECK(dart_domain_team_locality(team, ".", &domain) == DART_ERR_INVAL);
    CHECK(dart_unit_locality(team, 0, &locality) == DART_ERR_INVAL);
    CHECK(last_error_has(std::to_string(team)));
  }
  for (const int unit : {-1, num_units(), INT_MAX, INT_MIN}) {
    CHECK(dart_unit_locality(DART_TEAM_ALL, unit, &locality) == DART_ERR_INVAL);
    CHECK(last_error_has(std::to_string(unit)));
  }
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, ".99", &domain) == DART_ERR_NOTFOUND);
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, nullptr, &domain) == DART_ERR_INVAL);
  CHECK(dart_domain_team_locality(DART_TEAM_ALL, ".", nullptr) == DART_ERR_INVAL);
  CHECK(dart_unit_locality(DART_TEAM_ALL, 0, nullptr) == DART_ERR_INVAL);
  CHECK(domain == nullptr);
  CHECK(locality == nullptr);
}

TEST_CASE("The caller cannot change the team's hierarchy, but a clone of it", "[Locality]") {
  Domain* const root = team_domain(DART_TEAM_ALL);
  const char* tags[] = {".0"};
  CHECK(dart_domain_exclude(root, 1, tags) == DART_ERR_INVAL);
  CHECK(last_error_has("clone"));
  CHECK(dart_domain_destroy(root) == DART_ERR_INVAL);
  Domain* clone = nullptr;
  REQUIRE(dart_domain_clone(root, &clone) == DART_OK);
  CHECK(describe(*clone) == describe(*root));
  REQUIRE(dart_domain_select(clone, 1, tags) == DART_OK);
  CHECK(clone->num_nodes == 1);
  CHECK(dart_domain_destroy(clone) == DART_OK);
}
