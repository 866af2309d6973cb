// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal

#include <cstddef>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <type_traits>

#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/Team.h"
#include "dash/util/LocalityJSONPrinter.h"
#include "dash/util/TeamLocality.h"
#include "dash/util/UnitLocality.h"
#include "support/Catch.h"

using dash::util::Locality;

TEST_CASE("UnitLocality: any unit: matches the runtime") {
  for (const int unit : dash::Team::All()) {
    const dash::util::UnitLocality location{dash::global_unit_t(unit)};
    CHECK(location.unit_id() == unit);
    CHECK(location.team().is_all());
    CHECK(location.host() == location.hostname());
    CHECK(location.domain().scope == DART_LOCALITY_SCOPE_CORE);
    CHECK(location.parent().scope == DART_LOCALITY_SCOPE_UNIT);
    CHECK(location.domain_tag() == location.domain().domain_tag);
    CHECK(location.node_domain().scope() == Locality::Node);
    CHECK(&location.parent() == location.domain().parent);
    CHECK(location.parent_in_scope(Locality::Global).parent == nullptr);
    CHECK(location.num_threads() >= 1);
    CHECK(location.num_cores() == location.hwinfo().num_cores);
    CHECK(location.cache_line_size(0) == location.hwinfo().cache_line_sizes[0]);
    CHECK_THROWS_AS(location.cache_line_size(-1), dash::exception::OutOfRange);
  }
  CHECK(dash::util::UnitLocality().unit_id() == dash::myid().id);
  static_assert(std::is_constructible_v<dash::util::UnitLocality, int>);
  static_assert(!std::is_constructible_v<dash::util::UnitLocality, dash::team_unit_t>);
  CHECK_THROWS_AS(dash::util::UnitLocality(dash::Team::All(),
                                           dash::team_unit_t(static_cast<int>(dash::size()))),
                  dash::exception::InvalidArgument);
}

TEST_CASE("TeamLocality: split, selected, grouped: contains the units of its parts") {
  using dash::util::LocalityDomain;
  using dash::util::TeamLocality;
  const TeamLocality all(dash::Team::All());
  CHECK(all.global_units().size() == dash::size());
  CHECK(all.num_nodes() == Locality::NumNodes());
  CHECK(all.domain().leader_unit() == 0);
  CHECK(all.unit_locality(dash::team_unit_t(0)).unit_id() == 0);
  TeamLocality by_node(dash::Team::All(), Locality::Node);
  CHECK(by_node.parts().size() == all.num_nodes());
  TeamLocality by_unit(dash::Team::All());
  for (int parts = 1; parts <= static_cast<int>(dash::size()); ++parts) {
    by_unit.split(Locality::Unit, parts);
    REQUIRE(by_unit.parts().size() == static_cast<std::size_t>(parts));
    std::set<int> seen;
    for (const LocalityDomain& part : by_unit.parts()) {
      for (const auto unit : part.units())
        CHECK(seen.insert(unit.id).second);
    }
    CHECK(seen.size() == dash::size());
  }
  LocalityDomain domain = all.domain();
  const auto units = domain.scope_domains(Locality::Unit);
  CHECK(units.size() == dash::size());
  CHECK(domain.scope_domains(Locality::Group).empty());
  CHECK_THROWS_WITH(domain.split(Locality::Group),
                    Catch::Matchers::ContainsSubstring("there is no domain of scope"));
  CHECK(domain.find(units[0].domain_tag()).units() == units[0].units());
  CHECK(domain.at(0).level() == 1);
  CHECK(static_cast<std::size_t>(std::distance(domain.begin(), domain.end())) == domain.size());
  CHECK_THROWS_AS(domain.at(static_cast<int>(domain.size())), dash::exception::OutOfRange);
  CHECK_THROWS_AS(domain.select({"no such tag"}), dash::exception::RuntimeError);
  if (dash::size() > 1) {
    const LocalityDomain group = domain.group({units[0].domain_tag(), units[1].domain_tag()});
    CHECK(group.scope() == Locality::Group);
    CHECK(group.units().size() == 2);
    CHECK(domain.split_groups().parts().size() == 1);
    domain = all.domain();
    domain.exclude({units[0].domain_tag()});
    CHECK(domain.units().size() == dash::size() - 1);
    domain = all.domain();
    domain.select({units[1].domain_tag()});
    CHECK(domain.units() == units[1].units());
  }
  std::ostringstream text;
  text << all.domain();
  CHECK(text.str() ==
        "dash::util::LocalityDomain(Global ., " + std::to_string(dash::size()) + " units)");
}

TEST_CASE("LocalityJSONPrinter: any domain: balanced brackets, contains all members") {
  dash::util::LocalityJSONPrinter json;
  json << dash::util::TeamLocality(dash::Team::All()).domain();
  int depth = 0;
  bool quoted = false;
  for (const char c : json.str()) {
    if (c == '"') quoted = !quoted;
    if (quoted) continue;
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    REQUIRE(depth >= 0);
  }
  CHECK(depth == 0);
  CHECK_FALSE(quoted);
  CHECK(json.str().find(", ]") == std::string::npos);
  CHECK(json.str().find("\"scope\": \"Unit\"") != std::string::npos);
  dash::util::LocalityJSONPrinter text;
  text << std::string("a\"b\\c\n") << 5 << Locality::Node << dash::util::UnitLocality();
  CHECK(text.str().find("\"a\\\"b\\\\c\\u000a\"5\"Node\"{\"host\": ") == 0);
}
