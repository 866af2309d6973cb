// dash-test: serial

// The contest of whole programs, with shell scripts in their place.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "BenchPrograms.h"
#include "support/Effort.h"
#include "support/Process.h"
#include "support/Programs.h"
#include "support/TerrainSteps.h"

namespace {

using namespace dash::bench;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;
using dash::test::Programs;
using dash::test::two_units;

/// What it throws.
std::string failure_of(const ProgramRun& program) {
  try {
    run(program);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing is thrown";
}

TEST_CASE("a run of a program gives the samples it has reported") {
  const Programs programs;
  const ProgramReport report = run(two_units(programs.add_timed(
      "one", R"({"total_s": 2, "communication_s": 0.5}, {"total_s": 3, "communication_s": 1})",
      R"(, "rate": 7, "rate_unit": "keys/s")")));
  CHECK(report.total_s == Samples{2, 3});
  CHECK(report.communication_s == Samples{0.5, 1});
  CHECK(report.rate == 7);
  CHECK(report.rate_unit == "keys/s");
}

TEST_CASE("a run gets its arguments and the environment of its layout") {
  const Programs programs;
  ProgramRun program = two_units(programs.add(
      "one", "echo \"$arguments\" >'" + programs.path("arguments") +
                 "'\necho $MPIR_CVAR_NOLOCAL $UCX_TLS $MORE >'" + programs.path("layout") +
                 R"('
echo '{"units": 2, "valid": true, "samples": [{"total_s": 1}]}' >"$report")"));
  program.arguments = {"--name", "it's $HOME", ""};
  program.layout = "tcp";
  program.environment = {"MORE=two words"};
  run(program);
  CHECK_THAT(programs.text("arguments"), Contains("--name it's $HOME  --report /"));
  CHECK(programs.text("layout") == "1 tcp,self two words\n");
}

TEST_CASE("a run that fails is an error with the command, without its folders, and its output") {
  const Programs programs;
  ProgramRun program = two_units(programs.add("one", "echo the sum is wrong\nexit 3"));
  program.arguments = {"--size", "5"};
  CHECK_THAT(failure_of(program), Contains("mpiexec -n 2 one --size 5\nfailed with code 3") &&
                                      Contains("the sum is wrong"));
}

TEST_CASE("a run that hangs is an error") {
  const Programs programs;
  ProgramRun program = two_units(programs.add("one", "echo begin\nexec sleep 60"));
  program.limit_s = 1;
  CHECK_THAT(failure_of(program), Contains("took longer than 1 s") && Contains("begin"));
}

TEST_CASE("a run over TCP that hangs at its end counts if it has reported") {
  const Programs programs;
  ProgramRun program = two_units(programs.add(
      "one", R"(echo '{"units": 2, "valid": true, "samples": [{"total_s": 1}]}' >"$report"
exec sleep 60)"));
  program.limit_s = 1;
  CHECK_THAT(failure_of(program), Contains("took longer than 1 s"));
  program.layout = "tcp";
  CHECK(run(program).total_s == Samples{1});
  program.program = programs.add("two", "exec sleep 60");
  CHECK_THAT(failure_of(program), Contains("took longer than 1 s"));
}

TEST_CASE("a run whose report cannot be used is an error that says why") {
  const Programs programs;
  const auto failure = [&](const std::string& report) {
    return failure_of(
        two_units(programs.add("one", "echo done\necho '" + report + "' >\"$report\"")));
  };
  CHECK_THAT(failure_of(two_units(programs.add("one", "true"))), Contains("has not written"));
  CHECK_THAT(failure("{"), Contains("cannot be used") && Contains("done"));
  CHECK_THAT(failure(R"({"units": 2, "samples": [{"total_s": 1}]})"), Contains("valid"));
  CHECK_THAT(failure(R"({"units": 2, "valid": false, "samples": [{"total_s": 1}]})"),
             Contains("not valid"));
  CHECK_THAT(failure(R"({"units": 1, "valid": true, "samples": [{"total_s": 1}]})"),
             Contains("it had 1 units"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": []})"), Contains("no samples"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": [{"total_s": "1"}]})"),
             Contains("total_s is \"1\""));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": [{"total_s": -1}]})"),
             Contains("total_s is -1"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true,
                         "samples": [{"total_s": 1, "communication_s": 1}, {"total_s": 1}]})"),
             Contains("some samples"));
}

TEST_CASE("steps of terrain are what its report says, in nanoseconds") {
  const Programs programs;
  const auto terrain = [&](const std::string& report) {
    return two_units(programs.add("terrain", "echo '" + report + "' >\"$report\""));
  };
  const TerrainSteps steps = take_terrain_steps(terrain(
      R"({"step_s": 0.5, "progress": "poll",
          "compared": {"steps": 8, "overlapped_s": 2, "first_s": 3, "left_out_s": 1}})"));
  CHECK(steps.step == 5e8);
  CHECK(steps.overlapped == 2e9);
  CHECK(steps.first == 3e9);
  CHECK(steps.left_out == 1e9);
  CHECK(steps.progress == "poll");
  CHECK(take_terrain_steps(terrain(R"({"step_s": 0.5})")).overlapped == 0);
  CHECK_THROWS_WITH(take_terrain_steps(terrain("{}")),
                    Contains("cannot be used") && Contains("step_s"));
}

TEST_CASE("a program that is not there and a layout that is none are errors") {
  CHECK_THAT(failure_of(two_units("no-such-program")),
             Contains("no-such-program") && Contains("build the target"));
  ProgramRun program = two_units("/bin/true");
  program.layout = "star";
  CHECK_THAT(failure_of(program), Contains("'star'") && Contains("node, cliques, nolocal, tcp"));
  program.layout = "node";
  program.units = 0;
  CHECK_THAT(failure_of(program), Contains("0 units"));
}

TEST_CASE("a contest runs in turns, every second round in reverse") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 1})"));
  const ProgramRun twin = two_units(programs.add_timed("twin", R"({"total_s": 1})"));
  const ProgramContest contest(ours, {{"by hand", twin}}, {3, 1000});
  CHECK(contest.rounds() == 3);
  CHECK(programs.text("log") == "ours\ntwin\ntwin\nours\nours\ntwin\n");
}

TEST_CASE("a contest that would take too long ends after three rounds") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 1})"));
  CHECK(ProgramContest(ours, {}, {9, 0}).rounds() == 3);
}

TEST_CASE("a contest of programs that do not compute the same is an error that names two of them") {
  const Programs programs;
  const auto program = [&](const std::string& name, const std::string& more) {
    return two_units(programs.add_timed(name, R"({"total_s": 1})", more));
  };
  const ProgramRun ours = program("ours", R"(, "result": 4000000000000)");
  const ProgramRun close = program("close", R"(, "result": 4000000000001)");
  const ProgramRun silent = program("silent", "");
  CHECK_NOTHROW(ProgramContest(ours, {{"close", close}, {"silent", silent}}, {1, 1000}));
  const ProgramRun wrong = program("wrong", R"(, "result": 4000000000008)");
  CHECK_THROWS_WITH(ProgramContest(ours, {{"close", close}, {"wrong", wrong}}, {1, 1000}),
                    Contains("wrong") && Contains("ours") && Contains("4000000000008"));
}

TEST_CASE("a contest compares ours with the best twin, round by round") {
  const Programs programs;
  // The n-th run of each takes n times as long.
  const auto program = [&](const std::string& name, const std::string& each,
                           const std::string& communication) {
    return two_units(programs.add_timed(name,
                                        R"({"total_s": '$((n * )" + each +
                                            R"())', "communication_s": '$((n * )" + communication +
                                            "))'}",
                                        R"(, "rate": '$n')"));
  };
  const ProgramContest contest(
      program("ours", "3", "1"),
      {{"slow", program("slow", "12", "8")}, {"fast", program("fast", "6", "4")}}, {3, 1000});
  CHECK(contest.best_twin() == "fast");
  const Outcome total = contest.total();
  CHECK(total.ratio.low == 0.5);
  CHECK(total.ratio.high == 0.5);
  CHECK(total.ours_ns.median == 6e9);
  CHECK(total.twin_ns == 12e9);
  CHECK(contest.total("slow").ratio.median == 0.25);
  CHECK(contest.communication("slow").ratio.median == 0.125);
  CHECK(contest.rate() == 2);

  const Row row = contest.total_row("sum", "5", speed_at_least(2.1));
  CHECK(row.what == "sum");
  CHECK(row.twin_name == "fast");
  CHECK(row.met == false);
  CHECK(contest.communication_row("sum", "5", "slow", ratio_at_most(0.2)).met == true);
  CHECK_THROWS_WITH(contest.total("none"), Contains("no twin 'none'"));
}

TEST_CASE("all twins have rows, and the best one the bar") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 6})"));
  const ProgramRun slow = two_units(programs.add_timed("slow", R"({"total_s": 24})"));
  const ProgramRun fast = two_units(programs.add_timed("fast", R"({"total_s": 12})"));
  Table table;
  const ProgramContest contest(ours, {{"slow", slow}, {"fast", fast}}, {3, 1000});
  ::setenv("DASH_BENCH_ROWS", programs.path("rows").c_str(), 1);
  contest.add_total_rows(table, "sum", "5", speed_at_least(1));
  table.keep();
  ::unsetenv("DASH_BENCH_ROWS");
  std::ifstream file(programs.path("rows"));
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(file, line);)
    rows.push_back(nlohmann::json::parse(line));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["twin"]["name"] == "slow");
  CHECK(rows[0]["met"].is_null());
  CHECK(rows[1]["twin"]["name"] == "fast");
  CHECK(rows[1]["met"] == true);
}

TEST_CASE("a row says what was started, and what the programs say of their progress") {
  const Programs programs;
  ProgramRun ours = two_units(programs.add_timed(
      "ours", R"({"total_s": 6})",
      R"(, "progress": "poll", "rate": '$n', "rate_unit": "thousand zone updates/s")"));
  ours.arguments = {"--size", "5"};
  ours.layout = "nolocal";
  ProgramRun twin = two_units(programs.add_timed("twin", R"({"total_s": 12})"));
  twin.is_bound = true;
  const ProgramContest contest(ours, {{"rma", twin}}, {3, 1000});
  const Row row = contest.total_row("sum", "5");
  CHECK_THAT(row.figures.ours_from.command,
             StartsWith("GLIBC_TUNABLES=glibc.malloc.hugetlb=1:") &&
                 Contains(" MPIR_CVAR_NOLOCAL=1 mpiexec -n 2 ours --size 5"));
  CHECK(row.figures.ours_from.progress == "poll");
  CHECK_THAT(row.figures.twin_from.command, Contains("mpiexec -n 2 -bind-to core twin"));
  CHECK(row.figures.twin_from.progress.empty());
  CHECK(row.figures.twin_again.empty());
  CHECK_FALSE(row.noise.empty());

  const Figures rates = contest.rates();
  CHECK(rates.ours == Samples{1, 2, 3});
  CHECK(rates.unit == "thousand zone updates/s");
  CHECK(rates.ours_from.command == row.figures.ours_from.command);
}

/// Whether a process runs: neither gone, nor waiting for someone to ask how it ended.
bool is_running(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  return file >> id >> name >> state && state != "Z";
}

TEST_CASE("what was started ends with who has started it") {
  const Programs programs;
  const std::string id = programs.path("id");
  const pid_t starter = ::fork();
  REQUIRE(starter >= 0);
  if (starter == 0) {
    run(Command{
        {"sh", "-c", "echo $$ >" + id + ".new && mv " + id + ".new " + id + "; exec sleep 100"},
        {},
        50});
    ::_exit(0);
  }
  while (programs.text("id").empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const pid_t started = std::stoi(programs.text("id"));
  CHECK(is_running(started));
  ::kill(starter, SIGKILL);
  ::waitpid(starter, nullptr, 0);
  while (is_running(started))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_CASE("communication of a program that does not report it is an error") {
  const Programs programs;
  const ProgramRun ours =
      two_units(programs.add_timed("ours", R"({"total_s": 1, "communication_s": 0.5})"));
  const ProgramRun twin = two_units(programs.add_timed("twin", R"({"total_s": 1})"));
  const ProgramContest contest(ours, {{"twin", twin}}, {3, 1000});
  CHECK_THROWS_WITH(contest.communication("twin"), Contains("does not report communication_s"));
}

TEST_CASE("twins by MPI are the program's neighbours with a way of exchange") {
  ProgramRun ours = two_units("isx");
  ours.arguments = {"--keys", "100"};
  const auto twins = twins_by_mpi(ours, {"two-sided", "rma"});
  REQUIRE(twins.size() == 2);
  CHECK(twins[1].name == "rma");
  CHECK(twins[1].run.program == "isx_mpi");
  CHECK(twins[1].run.arguments == std::vector<std::string>{"--keys", "100", "--via", "rma"});
  CHECK(twins[1].run.units == 2);
}

TEST_CASE("quick effort takes a third of the rounds, three at least") {
  ::setenv("DASH_BENCH_EFFORT", "quick", 1);
  CHECK(rounds_at_effort(21) == 7);
  CHECK(rounds_at_effort(5) == 3);
  CHECK(rounds_at_effort(1) == 1);
  ::setenv("DASH_BENCH_EFFORT", "lazy", 1);
  CHECK_THROWS_WITH(rounds_at_effort(21), Contains("'lazy'") && Contains("full or quick"));
  ::unsetenv("DASH_BENCH_EFFORT");
  CHECK(rounds_at_effort(21) == 21);
}

}  // namespace
