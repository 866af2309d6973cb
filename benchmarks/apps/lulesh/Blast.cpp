#include "Blast.h"

#include <fmt/core.h>

#include <cstdio>

#include "common/Files.h"
#include "common/ProgressBar.h"
#include "physics/Forces.h"
#include "report/Picture.h"
#include "report/Report.h"
#include "report/Verification.h"
#include "support/Program.h"

namespace lulesh {

namespace {

/// Times the calls of another exchange.
class TimedExchange final : public Exchange {
 public:
  explicit TimedExchange(Exchange& exchange) : _exchange(exchange) {}

  /// \param watch  accumulates the times; null: nothing is timed
  void set_stopwatch(kernels::Stopwatch* watch) { _watch = watch; }

  void start(Kind kind, const Fields& fields) override {
    time([&] { _exchange.start(kind, fields); });
  }
  void finish(Kind kind, const Fields& fields) override {
    time([&] { _exchange.finish(kind, fields); });
  }
  TimeLimits minimum(const TimeLimits& own) override {
    TimeLimits result{};
    time([&] { result = _exchange.minimum(own); });
    return result;
  }

 private:
  template <class F>
  void time(const F& f) {
    if (_watch == nullptr) return f();
    _watch->time(f);
  }

  Exchange& _exchange;
  kernels::Stopwatch* _watch = nullptr;
};

/// Prints a progress bar on the terminal, or a line for each cycle.
class Progress {
 public:
  Progress(const kernels::World& world, const Options& options)
      : _prints(options.progress && !options.quiet && world.is_root()),
        _cycles(options.has_limit ? options.cycles : 0),
        _bar(_cycles > 0 ? _cycles : stop_time_us, _cycles > 0 ? "cycles" : "us",
             world.is_root() && !options.progress && !options.quiet) {}

  void show(const Solver& solver) {
    if (_prints) {
      fmt::print("cycle = {}, time = {:.6e}, dt = {:.6e}\n", solver.cycles(), solver.time(),
                 solver.time_step());
      std::fflush(stdout);
    }
    _bar.show(_cycles > 0 ? solver.cycles()
                          : static_cast<long>(stop_time_us * solver.time() / Solver::stop_time));
  }

 private:
  static constexpr long stop_time_us = 10'000;

  bool _prints;
  long _cycles;
  apps::ProgressBar _bar;
};

/// Minimum number of batches of a unit: with fewer, the synchronization takes longer than computing
/// them.
constexpr double min_shared_batches = 4;

/// Memory of a unit in bytes: fields, message buffers, materials.
double memory_of(const Mesh& mesh) {
  constexpr double element_fields = 16;
  constexpr double node_fields = 10;
  double numbers = element_fields * static_cast<double>(mesh.element_capacity()) +
                   node_fields * static_cast<double>(mesh.node_capacity());
  for (int d = 0; d < 3; ++d)
    numbers += static_cast<double>(mesh.gradient_capacity(d));
  numbers += static_cast<double>(force_buffer_capacity(mesh));
  for (std::size_t kind = 0; kind < num_kinds; ++kind) {
    for (std::size_t d = 0; d < num_directions; ++d)
      numbers += 2 * static_cast<double>(message_capacity(mesh, static_cast<Kind>(kind), d));
  }
  return numbers * sizeof(double) +
         static_cast<double>(mesh.element_capacity()) * sizeof(std::uint32_t);
}

/// Memory for a picture in bytes: a cell for each element of the unit in the plane z = 0. Unit 0
/// also has the cells of all units.
double memory_of_picture(const Mesh& mesh, bool is_root) {
  const double cells = static_cast<double>(mesh.block[0]) * mesh.block[1];
  const double blocks = is_root ? 1 + static_cast<double>(mesh.units[0]) * mesh.units[1] : 1;
  return cells * blocks * sizeof(Cell);
}

}  // namespace

std::size_t check_resources(kernels::World& world, const Options& options, const Mesh& mesh,
                            bool can_share) {
  on_unit_0(world, [&] {
    apps::check_writable(options.report);
    apps::check_writable(options.plot);
  });
  const auto& m = mesh.elements;
  const auto purpose = fmt::format("a mesh of {} x {} x {} elements", m[0], m[1], m[2]);
  double needed = memory_of(mesh);
  kernels::require_memory(world, needed, purpose);
  if (!options.plot.empty()) {
    needed += memory_of_picture(mesh, world.is_root());
    kernels::require_memory(world, needed, purpose + " with a picture");
  }
  if (!can_share) return 0;
  const std::size_t own = num_expensive_batches(make_regions(mesh, options.regions, mesh.unit()));
  const double most = world.max(static_cast<double>(own));
  if (most < min_shared_batches) return 0;
  kernels::require_memory(world, needed + most * sizeof(MaterialBatch), purpose);
  return static_cast<std::size_t>(most);
}

namespace {

/// \collective
FinalState final_state_of(kernels::World& world, const Problem& problem, const Solver& solver) {
  double energy = 0;
  Asymmetry asymmetry;
  if (world.is_root()) {
    energy = problem.fields.energy[0];
    asymmetry = asymmetry_of(problem.mesh, problem.fields);
  }
  FinalState end{solver.cycles(), solver.is_done(), world.sum(energy), {}};
  if (world.max(static_cast<double>(asymmetry.pairs)) > 0)
    end.asymmetry = world.max(asymmetry.largest);
  return end;
}

/// Runs the blast `options.repeat` times, each time from the initial state, and verifies each run.
BlastResult run_blast(kernels::World& world, const Options& options, const Problem& problem) {
  BlastResult result;
  TimedExchange exchange(problem.exchange);
  std::optional<Solver> solver;
  Verdict verdict;
  const auto verify_run = [&] {
    if (!verdict.failure.empty()) return;
    const FinalState end = final_state_of(world, problem, *solver);
    result.origin_energy = end.origin_energy;
    verdict = verify(problem.mesh, end);
  };
  {
    Progress progress(world, options);
    result.outcome.samples = kernels::take_samples(
        world, options.repeat,
        [&] {
          if (solver) verify_run();
          solver.emplace(problem.mesh, problem.fields, options.regions, exchange, problem.loop,
                         problem.sharing);
        },
        [&](kernels::Stopwatch& communication) {
          exchange.set_stopwatch(&communication);
          while (!solver->is_done() && solver->cycles() < options.cycles) {
            solver->step();
            progress.show(*solver);
          }
          solver->check();
          exchange.set_stopwatch(nullptr);
        });
  }
  verify_run();
  result.cycles = solver->cycles();
  result.time = solver->time();
  const auto& m = problem.mesh.elements;
  result.outcome.work =
      static_cast<double>(result.cycles) * static_cast<double>(m[0]) * m[1] * m[2] / 1000;
  result.outcome.rate_unit = "thousand zone updates/s";
  result.outcome.result = result.origin_energy;
  result.outcome.failure = verdict.failure;
  if (!verdict.is_known) result.outcome.unverified = "the answer is unknown";
  const char* const verified = verdict.is_known ? "yes" : "in part";
  result.verification =
      fmt::format("{}: {}", verdict.failure.empty() ? verified : "no", verdict.text);
  return result;
}

std::string program_name(const Options& options) {
  return options.via == "dash" ? "lulesh" : "lulesh_mpi";
}

int report_result(kernels::World& world, const Options& options, const Problem& problem,
                  const BlastResult& result) {
  kernels::print(world, describe_result(problem.mesh, problem.fields, result));
  const std::string name = program_name(options);
  if (!options.report.empty()) {
    on_unit_0(world, [&] {
      kernels::write_report(options.report, name, options.via, world, result.outcome);
    });
  }
  if (result.outcome.failure.empty()) return 0;
  if (world.is_root()) {
    fmt::print(stderr, "{}: verification failed: {}\n", name, result.outcome.failure);
  }
  return 1;
}

}  // namespace

int run_and_report(kernels::World& world, const Options& options, const Problem& problem,
                   const std::function<void(const BlastResult&)>& then) {
  try {
    const BlastResult result = run_blast(world, options, problem);
    const int code = report_result(world, options, problem, result);
    if (then) then(result);
    return code;
  } catch (const UserError&) {
    throw;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: unit {}: {}\n", program_name(options), world.unit(), error.what());
    world.abort();
  }
}

int run_command_line(int argc, char** argv, kernels::World& world, Program program,
                     const std::function<int(kernels::World&, const Options&)>& run) {
  const CommandLine line = parse_command_line(argc, argv, world.units(), program);
  if (line.help.empty()) return run(world, line.options);
  kernels::print(world, line.help);
  return 0;
}

}  // namespace lulesh
