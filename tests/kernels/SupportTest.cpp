#include <CLI/CLI.hpp>
#include <array>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "support/Catch.h"
#include "support/Program.h"
#include "support/Report.h"
#include "support/World.h"

using namespace kernels;

namespace {

/// One unit without DASH or MPI.
class SingleUnitWorld final : public World {
 public:
  int unit() const override { return 0; }
  int units() const override { return 1; }
  void barrier() override {}
  void reduce(std::span<double>, Reduction) override {}
  void reduce(std::span<std::uint64_t>, Reduction) override {}
  bool is_one_node() const override { return true; }
};

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "kernels-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    _path = name;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() { std::filesystem::remove_all(_path); }
  std::string file(const char* name) const { return (_path / name).string(); }

 private:
  std::filesystem::path _path;
};

template <class... Words>
int run(const Program& program, bool is_baseline, Words... words) {
  SingleUnitWorld world;
  std::array<std::string, sizeof...(Words) + 1> texts{program.name, words...};
  std::array<char*, sizeof...(Words) + 1> argv{};
  for (std::size_t i = 0; i < texts.size(); ++i)
    argv[i] = texts[i].data();
  const auto run = [&](int count, char** line, World& all) {
    return run_program(count, line, program, all, is_baseline);
  };
  return run_and_report_errors(static_cast<int>(argv.size()), argv.data(), program.name, run,
                               world);
}

Program program_of(std::function<Outcome(World&, const CommonOptions&)> body) {
  return {"program", "a program", [](CLI::App&) {}, std::move(body)};
}

Outcome outcome_of(std::vector<Sample> samples, std::string failure = {}) {
  Outcome outcome;
  outcome.samples = std::move(samples);
  outcome.work = 12;
  outcome.rate_unit = "items/s";
  outcome.failure = std::move(failure);
  return outcome;
}

}  // namespace

TEST_CASE("blocks cover any number of elements in order, and their sizes differ by at most one") {
  for (std::uint64_t parts = 1; parts < 9; ++parts) {
    for (std::uint64_t total = 0; total < 40; ++total) {
      REQUIRE(block_begin(total, parts, 0) == 0);
      REQUIRE(block_begin(total, parts, parts) == total);
      for (std::uint64_t part = 0; part < parts; ++part) {
        const auto begin = block_begin(total, parts, part);
        const auto end = block_begin(total, parts, part + 1);
        const auto size = end - begin;
        REQUIRE((size == total / parts || size == total / parts + 1));
        for (auto i = begin; i < end; ++i)
          REQUIRE(block_of(total, parts, i) == part);
      }
    }
  }
}

TEST_CASE("the rate is that of the median run") {
  CHECK(outcome_of({{1}, {2}, {100}}).rate() == 6);
  CHECK(outcome_of({{1}, {3}}).rate() == 6);
}

TEST_CASE(
    "take_samples runs the timed part N times; samples have a communication time if it was "
    "measured") {
  SingleUnitWorld world;
  int prepared = 0;
  int timed = 0;
  const auto with = take_samples(
      world, 3, [&] { ++prepared; },
      [&](Stopwatch& communication) { communication.time([&] { ++timed; }); });
  CHECK(prepared == 3);
  CHECK(timed == 3);
  REQUIRE(with.size() == 3);
  for (const Sample& sample : with) {
    REQUIRE(sample.communication_s);
    CHECK(*sample.communication_s <= sample.total_s);
  }
  const auto without = take_samples(
      world, 1, [] {}, [](Stopwatch&) {});
  CHECK(!without.front().communication_s);
}

TEST_CASE("a report contains the measurements as JSON") {
  const TemporaryFolder folder;
  const auto file = folder.file("report.json");
  const auto program = program_of([](World&, const CommonOptions& common) {
    CHECK(common.via == "rma");
    CHECK(common.repeat == 2);
    return outcome_of({{3, 1}, {3}});
  });
  REQUIRE(run(program, true, "--via", "rma", "--repeat", "2", "--report", file) == 0);
  std::ifstream stream(file);
  const auto report = nlohmann::json::parse(stream);
  CHECK(report ==
        nlohmann::json{
            {"program", "program"},
            {"via", "rma"},
            {"units", 1},
            {"valid", true},
            {"samples", {{{"total_s", 3.0}, {"communication_s", 1.0}}, {{"total_s", 3.0}}}},
            {"rate", 4.0},
            {"rate_unit", "items/s"}});
}

TEST_CASE("a wrong result is reported as not valid, and the program fails") {
  const TemporaryFolder folder;
  const auto file = folder.file("report.json");
  const auto program = program_of(
      [](World&, const CommonOptions&) { return outcome_of({{1}}, "the sum is wrong"); });
  CHECK(run(program, false, "--report", file) == 1);
  std::ifstream stream(file);
  CHECK(nlohmann::json::parse(stream)["valid"] == false);
}

TEST_CASE("a result that was not verified is reported as not valid, and the program succeeds") {
  const TemporaryFolder folder;
  const auto file = folder.file("report.json");
  const auto program = program_of([](World&, const CommonOptions&) {
    Outcome outcome = outcome_of({{1}});
    outcome.unverified = "no reference";
    return outcome;
  });
  CHECK(run(program, false, "--report", file) == 0);
  std::ifstream stream(file);
  CHECK(nlohmann::json::parse(stream)["valid"] == false);
}

TEST_CASE("invalid options end the program before the run, without a report") {
  const TemporaryFolder folder;
  bool has_run = false;
  const auto program = program_of([&](World&, const CommonOptions&) {
    has_run = true;
    return outcome_of({{1}});
  });
  CHECK(run(program, false, "--repeat", "0") == 1);
  CHECK(run(program, false, "--repeat", "many") == 1);
  CHECK(run(program, false, "--via", "rma") == 1);
  CHECK(run(program, true, "--via", "dash") == 1);
  CHECK(run(program, false, "--report", folder.file("nowhere/report.json")) == 1);
  CHECK(run(program, false, "--help") == 0);
  CHECK(!has_run);
  CHECK(std::filesystem::is_empty(std::filesystem::path(folder.file("x")).parent_path()));
}
