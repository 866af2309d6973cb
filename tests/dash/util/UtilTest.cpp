// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal

#include <array>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "dash/Annotation.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/LaunchPolicy.h"
#include "dash/Meta.h"
#include "dash/Team.h"
#include "dash/TeamSpec.h"
#include "dash/Version.h"
#include "dash/internal/Config.h"
#include "dash/internal/Math.h"
#include "dash/util/BenchmarkParams.h"
#include "dash/util/Config.h"
#include "dash/util/LocalityJSONPrinter.h"
#include "dash/util/StaticConfig.h"
#include "dash/util/TeamLocality.h"
#include "dash/util/Timer.h"
#include "dash/util/Trace.h"
#include "dash/util/UnitLocality.h"
#include "dash/util/UniversalMember.h"
#include "support/Catch.h"

namespace {

using dash::util::Config;
using dash::util::Locality;

/// Captures the output on std::cout during its lifetime.
class CoutCapture {
 public:
  CoutCapture() : _before(std::cout.rdbuf(_text.rdbuf())) {}
  ~CoutCapture() { std::cout.rdbuf(_before); }
  std::string text() const { return _text.str(); }

 private:
  std::ostringstream _text;
  std::streambuf* _before;
};

template <class Timer>
void check_timer() {
  Timer::Calibrate(0);
  CHECK(Timer::FrequencyScaling() > 0);
  CHECK(std::string(Timer::TimerName()).size() > 0);
  const auto begin = Timer::Now();
  Timer timer;
  while (timer.Elapsed() < 10.0)
    dash::prevent_opt_elimination();
  const auto end = Timer::Now();
  CHECK(Timer::FromInterval(begin, end) >= 9.0);
  CHECK(Timer::FromInterval(end, begin) == -Timer::FromInterval(begin, end));
  CHECK(Timer::ElapsedSince(begin) >= Timer::FromInterval(begin, end));
  CHECK(Timer::TimestampNegInfinity() < begin);
  CHECK(end < Timer::TimestampInfinity());
  const double before = timer.Elapsed();
  timer.Start();
  CHECK(timer.Elapsed() < before + 1e9);
}

}  // namespace

TEST_CASE("Timer: measures microseconds, by clock and by counter") {
  check_timer<dash::util::Timer<dash::util::TimeMeasure::Clock>>();
  using Counter = dash::util::Timer<dash::util::TimeMeasure::Counter>;
  check_timer<Counter>();
  Counter::Calibrate(2000);
  CHECK(Counter::FromInterval(0.0, 4000.0) == 2.0);
  Counter::Calibrate();
}

TEST_CASE("Config: a value is set: it can be read as any type") {
  Config::set("DASH_TEST_NUMBER", 42);
  Config::set("DASH_TEST_REAL", 0.5);
  Config::set("DASH_TEST_TEXT", "some text");
  CHECK(Config::get<int>("DASH_TEST_NUMBER") == 42);
  CHECK(Config::get<std::string>("DASH_TEST_NUMBER") == "42");
  CHECK(Config::get<double>("DASH_TEST_REAL") == 0.5);
  CHECK(Config::get<std::string>("DASH_TEST_TEXT") == "some text");
  CHECK(Config::is_set("DASH_TEST_TEXT"));
  CHECK_FALSE(Config::is_set("DASH_TEST_MISSING"));
  CHECK(Config::get<int>("DASH_TEST_MISSING") == 0);
  CHECK_FALSE(Config::get<bool>("DASH_TEST_MISSING"));
  CHECK_THROWS_AS(Config::get<double>("DASH_TEST_MISSING"), std::invalid_argument);
  for (const char* yes : {"true", "Yes", "t", "Y", "on"}) {
    Config::set("DASH_TEST_FLAG", yes);
    CHECK(Config::get<bool>("DASH_TEST_FLAG"));
    CHECK(Config::get<int>("DASH_TEST_FLAG_BOOL") == 1);
  }
  for (const char* no : {"false", "No", "f", "n", "off"}) {
    Config::set("DASH_TEST_FLAG", no);
    CHECK_FALSE(Config::get<bool>("DASH_TEST_FLAG"));
    CHECK(Config::get<std::string>("DASH_TEST_FLAG_BOOL") == "0");
  }
  Config::set("DASH_TEST_FLAG2", true);
  CHECK(Config::get<bool>("DASH_TEST_FLAG2"));
  Config::set("DASH_TEST_FLAG2", "yes");
  Config::set("DASH_TEST_FLAG2", false);
  CHECK_FALSE(Config::get<bool>("DASH_TEST_FLAG2"));
  Config::set("DASH_TEST_REAL", 12345678.1);
  CHECK(Config::get<double>("DASH_TEST_REAL") == 12345678.1);
  const std::map<std::string, long> sizes{
      {"7", 7}, {"64K", 65536}, {"3M", 3L << 20}, {"2G", 2L << 30}, {"1.5K", 1536}};
  for (const auto& [text, nbytes] : sizes) {
    Config::set("DASH_TEST_SIZE", text);
    CHECK(Config::get<long>("DASH_TEST_SIZE_BYTES") == nbytes);
  }
  Config::set("DASH_TEST_SIZE", "as much as there is");
  CHECK_FALSE(Config::is_set("DASH_TEST_SIZE_BYTES"));
  CHECK(std::string(Config::get<std::string>("DART_MPI_IMPL")) == "mpich");
  bool found = false;
  for (const auto& [name, value] :
       std::map<std::string, std::string>(Config::begin(), Config::end()))
    found = found || (name == "DASH_TEST_TEXT" && value == "some text");
  CHECK(found);
}

TEST_CASE("Config: initialised: contains the environment variables") {
  ::setenv("DASH_TEST_ENVIRONMENT", "on", 1);
  ::setenv("MP_FIFO_MTU", "4K", 1);
  Config::init();
  CHECK(Config::get<bool>("DASH_TEST_ENVIRONMENT"));
  CHECK(Config::get<long>("DASH_FIFO_MTU_SIZE_BYTES") == 4096);
  CHECK(Config::get<bool>("DASH_ENABLE_HWLOC") == dash::util::DashConfig.avail_hwloc);
  ::unsetenv("DASH_TEST_ENVIRONMENT");
  ::unsetenv("MP_FIFO_MTU");
}

TEST_CASE("Trace: recorded by all units: written by the first") {
  using dash::util::TraceStore;
  Config::set("DASH_ENABLE_TRACE", "no");
  CHECK_FALSE(TraceStore::on());
  dash::util::Trace silent("test");
  silent.enter_state("a");
  silent.exit_state("a");
  CHECK(TraceStore::context_trace("test").empty());
  Config::set("DASH_ENABLE_TRACE", "yes");
  CHECK(TraceStore::on());
  dash::util::Trace trace("test");
  trace.enter_state("compute");
  trace.exit_state("compute");
  trace.exit_state("never entered");
  trace.enter_state("wait");
  trace.exit_state("wait");
  const std::string context = "test";
  const auto& events = TraceStore::context_trace(context);
  REQUIRE(events.size() == 2);
  CHECK(events[0].state == "compute");
  CHECK(events[0].begin_ns <= events[0].end_ns);
  CHECK(events[0].end_ns <= events[1].begin_ns);
  std::ostringstream text;
  TraceStore::write(text);
  if (dash::myid() == 0) {
    std::istringstream lines(text.str());
    std::string line;
    std::getline(lines, line);
    CHECK(line == "context; unit; begin_us; end_us; state");
    for (std::size_t unit = 0; unit < dash::size(); ++unit) {
      for (const char* state : {"compute", "wait"}) {
        std::getline(lines, line);
        CHECK(line.find("test; " + std::to_string(unit) + "; ") == 0);
        CHECK(line.find(state) != std::string::npos);
      }
    }
    CHECK_FALSE(std::getline(lines, line));
  } else {
    CHECK(text.str().empty());
  }
  TraceStore::clear("test");
  CHECK(TraceStore::context_trace("test").empty());
  TraceStore::context_trace("test") = {{0, 1000, "first"}, {12345678901, 12345678912, "late"}};
  std::ostringstream late;
  TraceStore::write(late, false);
  const std::string line_of_late = "test; 0; 12345678.901; 12345678.912; late\n";
  CHECK((late.str().find(line_of_late) != std::string::npos) == (dash::myid() == 0));
  TraceStore::clear("test");
  CHECK(TraceStore::context_trace("test").empty());
  TraceStore::off();
  CHECK_FALSE(TraceStore::enabled());
  TraceStore::clear();
}

TEST_CASE("BenchmarkParams: prints on the first unit only") {
  dash::util::BenchmarkParams params("bench.test");
  params.set_output_width(60);
  CHECK(params.output_width() == 60);
  CHECK(params.config().env_hwloc);
  std::string text;
  {
    const CoutCapture capture;
    std::array<char, 5> name{"prog"};
    std::array<char*, 1> arguments{name.data()};
    params.parse_args(1, arguments.data());
    params.print_header();
    params.print_pinning();
    params.print_section_start("Parameters");
    params.print_param("size", 1024);
    params.print_param("-s", "number of steps", 7);
    params.print_section_end();
    text = capture.text();
  }
  if (dash::myid() == 0) {
    CHECK(text.find("bench.test") != std::string::npos);
    CHECK(text.find("-- Parameters") != std::string::npos);
    CHECK(text.find("1024\n") != std::string::npos);
    CHECK(text.find("-- -s  number of steps") != std::string::npos);
    CHECK(text.find("unit " + std::to_string(dash::size() - 1)) != std::string::npos);
  } else {
    CHECK(text.empty());
  }
}

TEST_CASE("UnitLocality: any unit: matches the runtime") {
  for (const int unit : dash::Team::All()) {
    const dash::util::UnitLocality location{dash::global_unit_t(unit)};
    CHECK(location.unit_id() == unit);
    CHECK(location.team().is_all());
    CHECK(location.host() == location.hostname());
    CHECK(location.domain().scope == DART_LOCALITY_SCOPE_UNIT);
    CHECK(location.domain_tag() == location.domain().domain_tag);
    CHECK(location.node_domain().scope == DART_LOCALITY_SCOPE_NODE);
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

TEST_CASE("math: functions of numbers: known results") {
  namespace math = dash::math;
  CHECK(math::NextPowerOf2(0) == 1);
  CHECK(math::NextPowerOf2(17) == 32);
  CHECK(math::NextPowerOf2(64) == 64);
  for (int a = 0; a < 20; ++a) {
    for (int b = 1; b < 7; ++b)
      CHECK(math::div_ceil(a, b) == (a + b - 1) / b);
  }
  CHECK(math::max(3, 5) == 5);
  for (int n = 1; n < 200; ++n) {
    int product = 1;
    for (const auto& [factor, count] : math::factorize(n)) {
      CHECK(math::factors(factor) == std::set<int>{factor});
      for (int i = 0; i < count; ++i)
        product *= factor;
    }
    CHECK(product == n);
    const auto balanced = math::balance_extents(std::array<int, 3>{n, 1, 1});
    CHECK(balanced[0] * balanced[1] * balanced[2] == n);
    CHECK(balanced[0] >= balanced[1]);
    CHECK(balanced[1] >= balanced[2]);
  }
  CHECK(math::balance_extents(std::array<int, 2>{8, 1}) == std::array<int, 2>{4, 2});
  CHECK(math::balance_extents(std::array<int, 2>{20, 1}, {5})[0] % 5 == 0);
  const std::vector<int> values{2, 4, 4, 4, 5, 5, 7, 9};
  CHECK(math::div_mean(values.begin(), values.end()) == 5.0);
  CHECK(math::sigma(values.begin(), values.end()) == 2.0);
  math::sdrand(5);
  const double first = math::drand();
  CHECK(first >= 0.0);
  CHECK(first < 1.0);
  math::sdrand(5);
  CHECK(math::drand() == first);
  math::slrand(5);
  const auto narrow = math::lrand();
  math::slrand(5);
  CHECK(math::lrand() == narrow);
  math::sxrand(5);
  const auto wide = math::xrand();
  math::sxrand(5);
  CHECK(math::xrand() == wide);
}

TEST_CASE("Meta: type traits: have the specified values") {
  static_assert(dash::has_type_iterator<std::vector<int>>::value);
  static_assert(!dash::has_type_iterator<int>::value);
  static_assert(dash::has_type_const_reference<std::string>::value);
  static_assert(dash::conjunction<std::true_type, std::true_type>::value);
  static_assert(std::is_same_v<dash::reference_t<int>, int&>);
  const auto lambda = [](int a, double) { return a > 0; };
  using traits = dash::functional::closure_traits<decltype(lambda)>;
  static_assert(traits::arity == 2);
  static_assert(traits::is_const::value && !traits::is_variadic::value);
  static_assert(std::is_same_v<traits::result_type, bool>);
  static_assert(std::is_same_v<traits::arg<1>, double>);
  CHECK(dash::typestr<std::vector<int>>().find("vector<int") != std::string::npos);
  CHECK(dash::typestr(5) == "int");
  CHECK(dash::typestr(dash::Team::All()) == "dash::Team");
  int value = 5;
  auto named = dash::make_adv(value);
  named.get() = 6;
  CHECK(value == 6);
  auto owned = dash::make_adv(7);
  CHECK(owned.get() == 7);
  static_assert(static_cast<std::uint16_t>(dash::launch::sync) == 0x1);
  static_assert(static_cast<std::uint16_t>(dash::launch::async) == 0x2);
  static_assert(std::is_same_v<std::underlying_type_t<dash::launch>, std::uint16_t>);
  CHECK(std::string(DASH_VERSION_STRING) == "0.4.0");
  CHECK(DASH_VERSION_MAJOR + DASH_VERSION_MINOR + DASH_VERSION_PATCH == 4);
  CHECK(DASH__ARCH__CACHE_LINE_SIZE == 64);
  CHECK(DASH__ARCH__PAGE_SIZE == 0x1000);
  CHECK(std::string(DASH_COMPILER_ID).size() > 0);
  CHECK(std::string(DASH_MPI_IMPL_ID).size() > 0);
#if !defined(DASH__PLATFORM__LINUX) || !defined(DASH__PLATFORM__POSIX) || \
    !defined(DASH_ENABLE_HWLOC) || !defined(DASH_ENABLE_THREADSUPPORT)
  FAIL("a macro of the specification is missing");
#endif
}

TEST_CASE("UniversalMember: owns a temporary, refers to an lvalue") {
  using dash::UniversalMember;
  std::string text = "named";
  UniversalMember<std::string> alias(text);
  text = "changed";
  CHECK(static_cast<const std::string&>(alias) == "changed");
  CHECK(&static_cast<std::string&>(alias) == &text);
  UniversalMember<std::string> owner(std::string("temporary"));
  UniversalMember<std::string> copy(owner);
  static_cast<std::string&>(copy) = "shared";
  CHECK(static_cast<const std::string&>(owner) == "shared");
  owner = std::string("own");
  CHECK(static_cast<const std::string&>(owner) == "own");
  CHECK(static_cast<const std::string&>(copy) == "shared");
  CHECK(owner.shared().use_count() == 1);
}
