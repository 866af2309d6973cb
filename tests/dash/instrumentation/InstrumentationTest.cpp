// dash-test: parallel units=1,2,3,4,7 layouts=node,nolocal

#include <array>
#include <cstddef>
#include <iostream>
#include <sstream>
#include <string>

#include "dash/Init.h"
#include "dash/util/BenchmarkParams.h"
#include "dash/util/Config.h"
#include "dash/util/Trace.h"
#include "support/Catch.h"

namespace {

using dash::util::Config;

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

}  // namespace

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
