#include "Blast.h"

#include <fmt/core.h>

#include <cstdio>

#include "Forces.h"
#include "Picture.h"
#include "Report.h"
#include "Verification.h"
#include "common/Files.h"
#include "common/ProgressBar.h"
#include "support/Program.h"

namespace lulesh {

namespace {

/// Times what another exchange does.
class TimedExchange final : public Exchange {
 public:
  explicit TimedExchange(Exchange& exchange) : _exchange(exchange) {}

  /// \param watch  null: nothing is timed
  void count_in(kernels::Stopwatch* watch) { _watch = watch; }

  void start(Kind kind, const Fields& fields) override {
    time([&] { _exchange.start(kind, fields); });
  }
  void finish(Kind kind, const Fields& fields) override {
    time([&] { _exchange.finish(kind, fields); });
  }
  TimeLimits least(const TimeLimits& own) override {
    TimeLimits result{};
    time([&] { result = _exchange.least(own); });
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

/// A bar on the terminal, or a line for each cycle.
class Progress {
 public:
  Progress(const kernels::World& world, const Options& options)
      : _prints(options.progress && !options.quiet && world.leads()),
        _cycles(options.has_limit ? options.cycles : 0),
        _bar(_cycles > 0 ? _cycles : parts_of_time, _cycles > 0 ? "cycles" : "us",
             world.leads() && !options.progress && !options.quiet) {}

  void show(const Solver& solver) {
    if (_prints) {
      fmt::print("cycle = {}, time = {:.6e}, dt = {:.6e}\n", solver.cycles(), solver.time(),
                 solver.time_step());
      std::fflush(stdout);
    }
    _bar.show(_cycles > 0 ? solver.cycles()
                          : static_cast<long>(parts_of_time * solver.time() / Solver::stop_time));
  }

 private:
  static constexpr long parts_of_time = 10'000;

  bool _prints;
  long _cycles;
  apps::ProgressBar _bar;
};

/// Batches of a unit: with fewer, to meet takes longer than they do.
constexpr double worth_sharing = 4;

/// Of a unit, in bytes: fields, messages received and sent, materials.
double memory_of(const Mesh& mesh) {
  constexpr double fields_of_elements = 16;
  constexpr double fields_of_nodes = 10;
  double numbers = fields_of_elements * static_cast<double>(mesh.element_capacity()) +
                   fields_of_nodes * static_cast<double>(mesh.node_capacity());
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

/// Of a picture: a cell for each element of the unit in the plane that it shows; unit 0 has those of all, too.
double memory_of_picture(const Mesh& mesh, bool leads) {
  const double cells = static_cast<double>(mesh.block[0]) * mesh.block[1];
  const double parts = leads ? 1 + static_cast<double>(mesh.units[0]) * mesh.units[1] : 1;
  return cells * parts * sizeof(Cell);
}

}  // namespace

std::size_t check_resources(kernels::World& world, const Options& options, const Mesh& mesh,
                            bool can_share) {
  on_unit_0(world, [&] {
    apps::check_writable(options.report);
    apps::check_writable(options.plot);
  });
  const auto& m = mesh.elements;
  const auto what = fmt::format("a mesh of {} x {} x {} elements", m[0], m[1], m[2]);
  double needed = memory_of(mesh);
  kernels::require_memory(world, needed, what);
  if (!options.plot.empty()) {
    needed += memory_of_picture(mesh, world.leads());
    kernels::require_memory(world, needed, what + " with a picture");
  }
  if (!can_share) return 0;
  const std::size_t own = num_dear_batches(make_regions(mesh, options.regions, mesh.unit()));
  const double most = world.max(static_cast<double>(own));
  if (most < worth_sharing) return 0;
  kernels::require_memory(world, needed + most * sizeof(MaterialBatch), what);
  return static_cast<std::size_t>(most);
}

namespace {

/// \collective
End end_of(kernels::World& world, const Problem& problem, const Solver& solver) {
  double energy = 0;
  Asymmetry asymmetry;
  if (world.leads()) {
    energy = problem.fields.energy[0];
    asymmetry = asymmetry_of(problem.mesh, problem.fields);
  }
  End end{solver.cycles(), solver.is_done(), world.sum(energy), {}};
  if (world.max(static_cast<double>(asymmetry.pairs)) > 0)
    end.asymmetry = world.max(asymmetry.largest);
  return end;
}

/// As often as asked for, each time from the beginning; verifies each run.
BlastResult run_blast(kernels::World& world, const Options& options, const Problem& problem) {
  BlastResult result;
  TimedExchange exchange(problem.exchange);
  std::optional<Solver> solver;
  Verdict verdict;
  const auto judge = [&] {
    if (!verdict.complaint.empty()) return;
    const End end = end_of(world, problem, *solver);
    result.origin_energy = end.origin_energy;
    verdict = verify(problem.mesh, end);
  };
  {
    Progress progress(world, options);
    result.outcome.samples = kernels::take_samples(
        world, options.repeat,
        [&] {
          if (solver) judge();
          solver.emplace(problem.mesh, problem.fields, options.regions, exchange, problem.loop,
                         problem.sharing);
        },
        [&](kernels::Stopwatch& communication) {
          exchange.count_in(&communication);
          while (!solver->is_done() && solver->cycles() < options.cycles) {
            solver->step();
            progress.show(*solver);
          }
          solver->check();
          exchange.count_in(nullptr);
        });
  }
  judge();
  result.cycles = solver->cycles();
  result.time = solver->time();
  const auto& m = problem.mesh.elements;
  result.outcome.work =
      static_cast<double>(result.cycles) * static_cast<double>(m[0]) * m[1] * m[2] / 1000;
  result.outcome.rate_unit = "thousand zone updates/s";
  result.outcome.result = result.origin_energy;
  result.outcome.complaint = verdict.complaint;
  if (!verdict.is_known) result.outcome.unverified = "the answer is not known";
  const char* const verified = verdict.is_known ? "yes" : "in part";
  result.verification =
      fmt::format("{}: {}", verdict.complaint.empty() ? verified : "no", verdict.text);
  return result;
}

std::string program_name(const Options& options) {
  return options.via == "dash" ? "lulesh" : "lulesh_mpi";
}

int tell(kernels::World& world, const Options& options, const Problem& problem,
         const BlastResult& result) {
  kernels::print(world, describe_result(problem.mesh, problem.fields, result));
  const std::string name = program_name(options);
  if (!options.report.empty()) {
    on_unit_0(world, [&] {
      kernels::write_report(options.report, name, options.via, world, result.outcome);
    });
  }
  if (result.outcome.complaint.empty()) return 0;
  if (world.leads()) {
    fmt::print(stderr, "{}: verification failed: {}\n", name, result.outcome.complaint);
  }
  return 1;
}

}  // namespace

int run_and_tell(kernels::World& world, const Options& options, const Problem& problem,
                 const std::function<void(const BlastResult&)>& then) {
  try {
    const BlastResult result = run_blast(world, options, problem);
    const int code = tell(world, options, problem, result);
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
