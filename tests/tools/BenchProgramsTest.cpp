// dash-test: serial

// Runs and comparisons of whole programs, with shell scripts as programs.

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "BenchPrograms.h"
#include "support/Catch.h"
#include "support/Process.h"
#include "support/ProgramComparison.h"
#include "support/ProgramRun.h"
#include "support/Sampling.h"
#include "support/TerrainSteps.h"

namespace {

using namespace dash::bench;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;
using dash::test::Programs;
using dash::test::two_units;

/// \returns the message of the exception that the run throws
std::string failure_of(const ProgramRun& program) {
  try {
    run(program);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no exception";
}

TEST_CASE("run: returns the samples that the program reports") {
  const Programs programs;
  const ProgramReport report = run(two_units(programs.add_timed(
      "one", R"({"total_s": 2, "communication_s": 0.5}, {"total_s": 3, "communication_s": 1})",
      R"(, "rate": 7, "rate_unit": "keys/s")")));
  CHECK(report.total_s == Samples{2, 3});
  CHECK(report.communication_s == Samples{0.5, 1});
  CHECK(report.rate == 7);
  CHECK(report.rate_unit == "keys/s");
}

TEST_CASE("run: passes the arguments and the environment of the layout") {
  const Programs programs;
  ProgramRun program = two_units(
      programs.add("one", "echo \"$arguments\" >'" + programs.path("arguments") +
                              "'\necho $MPIR_CVAR_NOLOCAL $DART_NODE_UNITS $UCX_TLS $MORE >'" +
                              programs.path("layout") +
                              R"('
echo '{"units": 2, "valid": true, "samples": [{"total_s": 1}]}' >"$report")"));
  program.arguments = {"--name", "it's $HOME", ""};
  program.layout = "tcp";
  program.environment = {"MORE=two words"};
  run(program);
  CHECK_THAT(programs.text("arguments"), ContainsSubstring("--name it's $HOME  --report /"));
  CHECK(programs.text("layout") == "1 1 tcp,self two words\n");
}

TEST_CASE("run: the units are divided into the nodes of the layout") {
  CHECK(dash::bench::layout_environment("node", 3).empty());
  // Also with Open MPI, which does not divide a host into nodes.
  CHECK(dash::bench::layout_environment("cliques", 3).front() == "DART_NODE_UNITS=2");
  CHECK(dash::bench::layout_environment("nolocal", 3).front() == "DART_NODE_UNITS=1");
}

TEST_CASE("run: progress processes are started in addition to the units") {
  const auto command = [](int units, const char* layout, const char* mode) {
    return dash::bench::command_of_units(units, layout, mode, {"program"}).text();
  };
  CHECK_THAT(command(3, "node", "auto"), EndsWith("-n 3 program"));
  CHECK_THAT(command(3, "node", "ranks"), EndsWith("-n 4 program"));
  CHECK_THAT(command(3, "node", "ranks"), StartsWith("DART_PROGRESS=ranks"));
  CHECK_THAT(command(4, "cliques", "ranks"), EndsWith("-n 6 program"));
  CHECK_THAT(command(3, "node", "mpich-thread"),
             StartsWith("DART_PROGRESS=poll MPIR_CVAR_ASYNC_PROGRESS=1"));
  CHECK_THAT(command(2, "nolocal", "ranks"),
             StartsWith("DART_NODE_UNITS=1 MPIR_CVAR_ODD_EVEN_CLIQUES=1 DART_PROGRESS=ranks"));
  CHECK_THAT(command(2, "nolocal", "ranks"), EndsWith("-n 4 program"));
  CHECK_THROWS_WITH(command(3, "nolocal", "ranks"), ContainsSubstring("nolocal with two"));
  CHECK_THROWS_WITH(command(3, "cliques", "ranks"),
                    ContainsSubstring("cliques with an even number"));
  CHECK_THROWS_WITH(command(2, "tcp", "ranks"), ContainsSubstring("expected one node"));
}

TEST_CASE("run: a failed program throws with its output and its command without folders") {
  const Programs programs;
  ProgramRun program = two_units(programs.add("one", "echo the sum is wrong\nexit 3"));
  program.arguments = {"--size", "5"};
  CHECK_THAT(failure_of(program), ContainsSubstring(" -n 2 one --size 5\nfailed with code 3") &&
                                      ContainsSubstring("the sum is wrong"));
}

TEST_CASE("run: a program that exceeds its time limit throws") {
  const Programs programs;
  ProgramRun program = two_units(programs.add("one", "echo begin\nexec sleep 60"));
  program.limit_s = 1;
  CHECK_THAT(failure_of(program),
             ContainsSubstring("took longer than 1 s") && ContainsSubstring("begin"));
}

TEST_CASE("run: over TCP, a program that hangs after its report counts") {
  const Programs programs;
  ProgramRun program = two_units(programs.add(
      "one", R"(echo '{"units": 2, "valid": true, "samples": [{"total_s": 1}]}' >"$report"
exec sleep 60)"));
  program.limit_s = 1;
  CHECK_THAT(failure_of(program), ContainsSubstring("took longer than 1 s"));
  program.layout = "tcp";
  CHECK(run(program).total_s == Samples{1});
  program.program = programs.add("two", "exec sleep 60");
  CHECK_THAT(failure_of(program), ContainsSubstring("took longer than 1 s"));
}

TEST_CASE("run: a malformed report throws and names the reason") {
  const Programs programs;
  const auto failure = [&](const std::string& report) {
    return failure_of(
        two_units(programs.add("one", "echo done\necho '" + report + "' >\"$report\"")));
  };
  CHECK_THAT(failure_of(two_units(programs.add("one", "true"))),
             ContainsSubstring("has not written"));
  CHECK_THAT(failure("{"), ContainsSubstring("cannot be used") && ContainsSubstring("done"));
  CHECK_THAT(failure(R"({"units": 2, "samples": [{"total_s": 1}]})"), ContainsSubstring("valid"));
  CHECK_THAT(failure(R"({"units": 2, "valid": false, "samples": [{"total_s": 1}]})"),
             ContainsSubstring("not valid"));
  CHECK_THAT(failure(R"({"units": 1, "valid": true, "samples": [{"total_s": 1}]})"),
             ContainsSubstring("it ran with 1 units"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": []})"),
             ContainsSubstring("no samples"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": [{"total_s": "1"}]})"),
             ContainsSubstring("total_s is \"1\""));
  CHECK_THAT(failure(R"({"units": 2, "valid": true, "samples": [{"total_s": -1}]})"),
             ContainsSubstring("total_s is -1"));
  CHECK_THAT(failure(R"({"units": 2, "valid": true,
                         "samples": [{"total_s": 1, "communication_s": 1}, {"total_s": 1}]})"),
             ContainsSubstring("some samples"));
}

TEST_CASE("measure_terrain_steps: converts the times of the report to nanoseconds") {
  const Programs programs;
  const auto terrain = [&](const std::string& report) {
    return two_units(programs.add("terrain", "echo '" + report + "' >\"$report\""));
  };
  const TerrainSteps steps = measure_terrain_steps(terrain(
      R"({"step_s": 0.5, "progress": "poll",
          "compared": {"steps": 8, "overlapped_s": 2, "first_s": 3, "left_out_s": 1}})"));
  CHECK(steps.step == 5e8);
  CHECK(steps.overlapped == 2e9);
  CHECK(steps.exchange_first == 3e9);
  CHECK(steps.without_exchange == 1e9);
  CHECK(steps.progress == "poll");
  CHECK(measure_terrain_steps(terrain(R"({"step_s": 0.5})")).overlapped == 0);
  CHECK_THROWS_WITH(measure_terrain_steps(terrain("{}")),
                    ContainsSubstring("cannot be used") && ContainsSubstring("step_s"));
}

TEST_CASE("run: a missing program and an unknown layout throw") {
  CHECK_THAT(failure_of(two_units("no-such-program")),
             ContainsSubstring("no-such-program") && ContainsSubstring("build the target"));
  ProgramRun program = two_units("/bin/true");
  program.layout = "star";
  CHECK_THAT(failure_of(program),
             ContainsSubstring("'star'") && ContainsSubstring("node, cliques, nolocal or tcp"));
  program.layout = "node";
  program.units = 0;
  CHECK_THAT(failure_of(program), ContainsSubstring("0 units"));
}

TEST_CASE("ProgramComparison: interleaves the programs, every second round in reverse") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 1})"));
  const ProgramRun baseline = two_units(programs.add_timed("baseline", R"({"total_s": 1})"));
  const ProgramComparison comparison(ours, {{"plain MPI", baseline}}, {3, 1000});
  CHECK(comparison.rounds() == 3);
  CHECK(programs.text("log") == "ours\nbaseline\nbaseline\nours\nours\nbaseline\n");
}

TEST_CASE("ProgramComparison: exceeding the time budget ends it after three rounds") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 1})"));
  CHECK(ProgramComparison(ours, {}, {9, 0}).rounds() == 3);
}

TEST_CASE("ProgramComparison: different results throw and name two of the programs") {
  const Programs programs;
  const auto program = [&](const std::string& name, const std::string& more) {
    return two_units(programs.add_timed(name, R"({"total_s": 1})", more));
  };
  const ProgramRun ours = program("ours", R"(, "result": 4000000000000)");
  const ProgramRun close = program("close", R"(, "result": 4000000000001)");
  const ProgramRun silent = program("silent", "");
  CHECK_NOTHROW(ProgramComparison(ours, {{"close", close}, {"silent", silent}}, {1, 1000}));
  const ProgramRun wrong = program("wrong", R"(, "result": 4000000000008)");
  CHECK_THROWS_WITH(ProgramComparison(ours, {{"close", close}, {"wrong", wrong}}, {1, 1000}),
                    ContainsSubstring("wrong") && ContainsSubstring("ours") &&
                        ContainsSubstring("4000000000008"));
}

TEST_CASE("ProgramComparison: compares ours with the best baseline, round by round") {
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
  const ProgramComparison comparison(
      program("ours", "3", "1"),
      {{"slow", program("slow", "12", "8")}, {"fast", program("fast", "6", "4")}}, {3, 1000});
  CHECK(comparison.best_baseline() == "fast");
  const Outcome total = comparison.total();
  CHECK(total.ratio.low == 0.5);
  CHECK(total.ratio.high == 0.5);
  CHECK(total.ours_ns.median == 6e9);
  CHECK(total.baseline_ns == 12e9);
  CHECK(comparison.total("slow").ratio.median == 0.25);
  CHECK(comparison.communication("slow").ratio.median == 0.125);
  CHECK(comparison.rate() == 2);

  const Row row = comparison.total_row("sum", "5", speed_at_least(2.1));
  CHECK(row.name == "sum");
  CHECK(row.baseline_name == "fast");
  CHECK(row.met == false);
  CHECK(comparison.communication_row("sum", "5", "slow", ratio_at_most(0.2)).met == true);
  CHECK_THROWS_WITH(comparison.total("none"), ContainsSubstring("no baseline 'none'"));
}

TEST_CASE("ProgramComparison: each baseline has a row, and the best one has the goal") {
  const Programs programs;
  const ProgramRun ours = two_units(programs.add_timed("ours", R"({"total_s": 6})"));
  const ProgramRun slow = two_units(programs.add_timed("slow", R"({"total_s": 24})"));
  const ProgramRun fast = two_units(programs.add_timed("fast", R"({"total_s": 12})"));
  Table table;
  const ProgramComparison comparison(ours, {{"slow", slow}, {"fast", fast}}, {3, 1000});
  ::setenv("DASH_BENCH_ROWS", programs.path("rows").c_str(), 1);
  comparison.add_total_rows(table, "sum", "5", speed_at_least(1));
  table.flush();
  ::unsetenv("DASH_BENCH_ROWS");
  std::ifstream file(programs.path("rows"));
  std::vector<nlohmann::json> rows;
  for (std::string line; std::getline(file, line);)
    rows.push_back(nlohmann::json::parse(line));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["baseline"]["name"] == "slow");
  CHECK(rows[0]["met"].is_null());
  CHECK(rows[1]["baseline"]["name"] == "fast");
  CHECK(rows[1]["met"] == true);
}

TEST_CASE("ProgramComparison: a row contains the commands and the progress modes") {
  const Programs programs;
  ProgramRun ours = two_units(programs.add_timed(
      "ours", R"({"total_s": 6})",
      R"(, "progress": "poll", "rate": '$n', "rate_unit": "thousand zone updates/s")"));
  ours.arguments = {"--size", "5"};
  ours.layout = "nolocal";
  ProgramRun baseline = two_units(programs.add_timed("baseline", R"({"total_s": 12})"));
  baseline.is_bound = true;
  const ProgramComparison comparison(ours, {{"rma", baseline}}, {3, 1000});
  const Row row = comparison.total_row("sum", "5");
  CHECK_THAT(row.figures.ours_origin.command,
             StartsWith("GLIBC_TUNABLES=glibc.malloc.hugetlb=1:") &&
                 ContainsSubstring(" MPIR_CVAR_NOLOCAL=1 mpiexec") &&
                 ContainsSubstring(" -n 2 ours --size 5"));
  CHECK(row.figures.ours_origin.progress == "poll");
  CHECK_THAT(row.figures.baseline_origin.command,
             ContainsSubstring(" -n 2 -bind-to core baseline"));
  CHECK(row.figures.baseline_origin.progress.empty());
  CHECK(row.figures.baseline_repeated.empty());
  CHECK_FALSE(row.noise.empty());

  const Figures rates = comparison.rates();
  CHECK(rates.ours == Samples{1, 2, 3});
  CHECK(rates.unit == "thousand zone updates/s");
  CHECK(rates.ours_origin.command == row.figures.ours_origin.command);
}

/// Whether a process is running: neither gone nor a zombie.
bool is_running(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string id;
  std::string name;
  std::string state;
  return file >> id >> name >> state && state != "Z";
}

TEST_CASE("run: the command is terminated when the process that started it dies") {
  const Programs programs;
  const std::string id = programs.path("id");
  const pid_t parent = ::fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    run(Command{
        {"sh", "-c", "echo $$ >" + id + ".new && mv " + id + ".new " + id + "; exec sleep 100"},
        {},
        50});
    ::_exit(0);
  }
  while (programs.text("id").empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  const pid_t child = std::stoi(programs.text("id"));
  CHECK(is_running(child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  while (is_running(child))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

TEST_CASE("ProgramComparison: communication() throws if a program does not report it") {
  const Programs programs;
  const ProgramRun ours =
      two_units(programs.add_timed("ours", R"({"total_s": 1, "communication_s": 0.5})"));
  const ProgramRun baseline = two_units(programs.add_timed("baseline", R"({"total_s": 1})"));
  const ProgramComparison comparison(ours, {{"baseline", baseline}}, {3, 1000});
  CHECK_THROWS_WITH(comparison.communication("baseline"), ContainsSubstring("no communication_s"));
}

TEST_CASE("mpi_baselines: <program>_mpi with the exchange method as an argument") {
  ProgramRun ours = two_units("isx");
  ours.arguments = {"--keys", "100"};
  const auto baselines = mpi_baselines(ours, {"two-sided", "rma"});
  REQUIRE(baselines.size() == 2);
  CHECK(baselines[1].name == "rma");
  CHECK(baselines[1].run.program == "isx_mpi");
  CHECK(baselines[1].run.arguments == std::vector<std::string>{"--keys", "100", "--via", "rma"});
  CHECK(baselines[1].run.units == 2);
}

TEST_CASE("scaled_rounds: quick sampling takes a third of the rounds, at least three") {
  ::setenv("DASH_BENCH_SAMPLING", "quick", 1);
  CHECK(scaled_rounds(21) == 7);
  CHECK(scaled_rounds(5) == 3);
  CHECK(scaled_rounds(1) == 1);
  ::setenv("DASH_BENCH_SAMPLING", "lazy", 1);
  CHECK_THROWS_WITH(scaled_rounds(21),
                    ContainsSubstring("'lazy'") && ContainsSubstring("full or quick"));
  ::unsetenv("DASH_BENCH_SAMPLING");
  CHECK(scaled_rounds(21) == 21);
}

}  // namespace
