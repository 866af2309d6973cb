// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal

#include <array>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "dash/Annotation.h"
#include "dash/Exception.h"
#include "dash/Init.h"
#include "dash/LaunchPolicy.h"
#include "dash/Meta.h"
#include "dash/Team.h"
#include "dash/Version.h"
#include "dash/internal/Config.h"
#include "dash/internal/Math.h"
#include "dash/util/Config.h"
#include "dash/util/StaticConfig.h"
#include "dash/util/Timer.h"
#include "dash/util/UniversalMember.h"
#include "support/Catch.h"

namespace {

using dash::util::Config;

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

TEST_CASE("Config: initialized: contains the environment variables") {
  ::setenv("DASH_TEST_ENVIRONMENT", "on", 1);
  ::setenv("MP_FIFO_MTU", "4K", 1);
  Config::init();
  CHECK(Config::get<bool>("DASH_TEST_ENVIRONMENT"));
  CHECK(Config::get<long>("DASH_FIFO_MTU_SIZE_BYTES") == 4096);
  CHECK(Config::get<bool>("DASH_ENABLE_HWLOC") == dash::util::DashConfig.avail_hwloc);
  ::unsetenv("DASH_TEST_ENVIRONMENT");
  ::unsetenv("MP_FIFO_MTU");
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
  owner = std::string("assigned");
  CHECK(static_cast<const std::string&>(owner) == "assigned");
  CHECK(static_cast<const std::string&>(copy) == "assigned");
  CHECK(owner.shared().use_count() == 2);
}
