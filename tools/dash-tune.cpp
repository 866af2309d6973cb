// Measures on this machine from which sizes which way of moving data is the better one, prints it and
// keeps it in the file that the runtime reads at its start. Two units: of one node for what goes
// through shared memory, of two nodes for what goes between nodes.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "dash/core/Clock.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Tuning.h"
#include "dash/dart/Access.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"

namespace {

namespace core = dash::core;
namespace dart = dash::dart;

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;
/// What a way may cost more than the best one, and still be as good: machines are not quiet.
constexpr double as_good = 1.03;

/// How thoroughly it is measured.
struct Extent {
  std::size_t largest = 128 * mib;  // of each unit's memory
  std::size_t much = 16 * mib;      // of what is cut into pieces
  int rounds = 11;
};
constexpr Extent quick{4 * mib, 2 * mib, 3};

void check(dart_ret_t code) {
  if (code != DART_OK) throw std::runtime_error(dart_last_error());
}

std::string text_of(std::size_t nbytes) {
  if (nbytes >= mib && nbytes % mib == 0) return std::to_string(nbytes / mib) + "M";
  if (nbytes >= kib && nbytes % kib == 0) return std::to_string(nbytes / kib) + "K";
  return std::to_string(nbytes);
}

void set(const std::string& name, std::size_t value) {
  const std::string entries[] = {name + "=" + std::to_string(value)};
  core::change_settings(entries);
}

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

using Sample = std::function<double()>;  // nanoseconds

/// Medians of ways, which take turns.
std::vector<double> measure(int rounds, const std::vector<Sample>& ways) {
  std::vector<std::vector<double>> samples(ways.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const double sample = ways[i]();
      if (round != 0) samples[i].push_back(sample);  // the first one is for warmth
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& each : samples)
    medians.push_back(median(std::move(each)));
  return medians;
}

/// Nanoseconds of one call of f, called so often that some MiB are moved.
template <class F>
Sample sample_of(std::size_t nbytes, F f) {
  const std::size_t repetitions =
      std::max<std::size_t>(1, 2 * mib / std::max<std::size_t>(nbytes, 1));
  return [=] {
    const std::uint64_t begin = core::now_ns();
    for (std::size_t i = 0; i < std::min<std::size_t>(repetitions, 100); ++i)
      f();
    return static_cast<double>(core::now_ns() - begin) /
           static_cast<double>(std::min<std::size_t>(repetitions, 100));
  };
}

/// The smallest size from which on a way is the better one, at all larger sizes too.
struct Crossing {
  std::size_t size;
  std::vector<std::pair<std::size_t, double>> ratios;  // of the way for large ones over the other
};

/// \param ratio_at  of the times at a size, the way for large ones over the other
Crossing find_crossing(const std::vector<std::size_t>& sizes, std::size_t otherwise,
                       const std::function<double(std::size_t)>& ratio_at) {
  Crossing crossing{otherwise, {}};
  for (const std::size_t size : sizes)
    crossing.ratios.emplace_back(size, ratio_at(size));
  for (auto it = crossing.ratios.rbegin(); it != crossing.ratios.rend() && it->second <= as_good;
       ++it)
    crossing.size = it->first;
  return crossing;
}

class Tuner {
 public:
  explicit Tuner(const Extent& extent) : _extent(extent) {
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, _extent.largest, DART_TYPE_BYTE, &_memory));
    dart_gptr_t own = _memory;
    dart_global_unit_t unit;
    check(dart_myid(&unit));
    check(dart_gptr_setunit(&own, DART_TEAM_UNIT_ID(unit.id)));
    std::memset(dart::on_node_address(own, _extent.largest), 1, _extent.largest);
    check(dart_gptr_setunit(&_memory, DART_TEAM_UNIT_ID(1)));
    _own.resize(_extent.largest, 1);
    _mapped = static_cast<char*>(dart::on_node_address(_memory, _extent.largest));
    check(dart_barrier(DART_TEAM_ALL));
  }
  ~Tuner() {
    dart_gptr_setunit(&_memory, DART_TEAM_UNIT_ID(0));
    dart_team_memfree(_memory);
  }
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  /// By unit 0, while the others wait.
  void run() {
    if (_mapped != nullptr) {
      tune_nontemporal();
      tune_queue();
      tune_quantum();
    } else {
      tune_runs();
      tune_pieces();
      tune_slabs();
    }
  }

  const std::vector<std::string>& values() const { return _values; }

 private:
  void conclude(const std::string& name, std::size_t value, const char* meaning,
                const std::vector<std::pair<std::size_t, double>>& figures) {
    std::printf("\n%s = %s\n  %s\n ", name.c_str(), text_of(value).c_str(), meaning);
    for (const auto& [size, figure] : figures)
      std::printf(" %s: %.2f", text_of(size).c_str(), figure);
    std::printf("\n");
    std::fflush(stdout);
    _values.push_back(name + "=" + text_of(value));
    set(name, value);
  }

  /// The best of some values of a setting, by the time that f takes with each.
  /// \param prefer_last  among those that are as good, the last rather than the first
  template <class F>
  void choose(const std::string& name, const std::vector<std::size_t>& values, bool prefer_last,
              const char* meaning, std::size_t nbytes, F f) {
    std::vector<Sample> ways;
    for (const std::size_t value : values) {
      ways.push_back([=, sample = sample_of(nbytes, f)] {
        set(name, value);
        return sample();
      });
    }
    const std::vector<double> times = measure(_extent.rounds, ways);
    const double best = *std::min_element(times.begin(), times.end());
    std::vector<std::pair<std::size_t, double>> figures;
    std::size_t chosen = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      figures.emplace_back(values[i], times[i] / best);
      if (times[i] <= best * as_good && (prefer_last || chosen == values.size())) chosen = i;
    }
    conclude(name, values[chosen], meaning, figures);
  }

  enum class Caches { warm, read_after, cold };
  using CopyFunction = void (*)(void* dest, const void* src, std::size_t nbytes);

  /// A copy by a function: again and again of the same memory; with a look at what was written; or
  /// through all of the memory.
  Sample copy_by(CopyFunction copy, std::size_t nbytes, Caches caches) {
    auto place = std::make_shared<std::size_t>(0);
    const auto each = [=, this] {
      const std::size_t at = *place;
      if (caches == Caches::cold) *place = at + 2 * nbytes > _extent.largest ? 0 : at + nbytes;
      copy(_own.data() + at, _mapped + at, nbytes);
      if (caches != Caches::read_after) return;
      std::size_t sum = 0;
      for (std::size_t i = 0; i < nbytes; i += sizeof sum)
        sum += *reinterpret_cast<const std::size_t*>(_own.data() + i);
      asm volatile("" : : "r"(sum));
    };
    return [=, sample = sample_of(nbytes, each)] {
      each();  // what the other way has left in the caches is not its own
      return sample();
    };
  }

  /// Streaming stores win if they do whatever the caches have, and whoever reads the copy.
  void tune_nontemporal() {
    const auto ratio_at = [this](std::size_t nbytes) {
      double worst = 0;
      for (const Caches caches : {Caches::warm, Caches::read_after, Caches::cold}) {
        const CopyFunction by_memcpy = [](void* dest, const void* src, std::size_t n) {
          std::memcpy(dest, src, n);
        };
        const CopyFunction streaming = [](void* dest, const void* src, std::size_t n) {
          core::copy_nontemporal(dest, src, n);
        };
        const std::vector<double> times =
            measure(_extent.rounds,
                    {copy_by(streaming, nbytes, caches), copy_by(by_memcpy, nbytes, caches)});
        worst = std::max(worst, times[0] / times[1]);
      }
      return worst;
    };
    std::vector<std::size_t> sizes;
    for (std::size_t size = mib; size <= _extent.largest; size *= 2)
      sizes.push_back(size);
    const Crossing crossing = find_crossing(sizes, 2 * _extent.largest, ratio_at);
    conclude("DART_NT_MIN", crossing.size,
             "streaming stores over memcpy, cached or not, read after or not, the worst for them:",
             crossing.ratios);
  }

  /// A copy is worth the queue where its start takes at most half of the copy, so that the caller has
  /// something from it, and start and wait together at most a quarter more.
  void tune_queue() {
    const auto ratio_at = [this](std::size_t nbytes) {
      auto start_ns = std::make_shared<double>(0);
      const auto queued = sample_of(nbytes, [=, this] {
        const std::uint64_t begin = core::now_ns();
        dash::exec::Operation copy = dart::get_async(_own.data(), _memory, nbytes);
        *start_ns = static_cast<double>(core::now_ns() - begin);
        copy.wait();
      });
      std::vector<double> starts;
      const std::vector<double> times =
          measure(_extent.rounds,
                  {[&] {
                     set("DART_COPY_QUEUE_MIN", 1);
                     const double whole = queued();
                     starts.push_back(*start_ns);
                     return whole;
                   },
                   sample_of(nbytes, [=, this] { std::memcpy(_own.data(), _mapped, nbytes); })});
      return std::max(2 * median(starts) / times[1], times[0] / (1.25 * times[1]));
    };
    const Crossing crossing =
        find_crossing({8 * kib, 16 * kib, 32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, mib},
                      mib, ratio_at);
    conclude(
        "DART_COPY_QUEUE_MIN", crossing.size,
        "a queued copy over one in the call, 1 where its start takes half of it, or the whole 5/4:",
        crossing.ratios);
  }

  void tune_quantum() {
    const std::size_t nbytes = _extent.much;
    choose("DART_COPY_QUANTUM", {32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, mib, 2 * mib},
           false,
           "a large queued copy, by the piece that a thread takes of it, over the best:", nbytes,
           [=, this] { dart::get_async(_own.data(), _memory, nbytes).wait(); });
  }

  /// Gets and puts of blocks as far apart as they are long.
  void move_runs(std::size_t nbytes, std::size_t run) {
    std::vector<dart::TransferRun> runs;
    for (std::size_t i = 0; i < nbytes / run; ++i)
      runs.push_back({2 * run * i, _own.data() + run * i, run});
    dart::get_runs_async(_memory, runs).wait();
    dart::put_runs_async(_memory, runs).wait();
  }

  void tune_runs() {
    constexpr std::size_t nbytes = 256 * kib;
    const Crossing crossing = find_crossing(
        {128, 256, 512, kib, 2 * kib, 4 * kib, 8 * kib}, 16 * kib, [this](std::size_t run) {
          const auto sample = sample_of(nbytes, [=, this] { move_runs(nbytes, run); });
          const std::vector<double> times =
              measure(_extent.rounds, {[&] {
                                         set("DART_RMA_RUN_MIN", run);
                                         return sample();
                                       },
                                       [&] {
                                         set("DART_RMA_RUN_MIN", run + 1);
                                         return sample();
                                       }});
          return times[0] / times[1];
        });
    conclude("DART_RMA_RUN_MIN", crossing.size,
             "256 KiB in runs of a size, an operation of MPI each over messages that share them:",
             crossing.ratios);
  }

  void tune_pieces() {
    const std::size_t nbytes = _extent.much;
    choose("DART_RMA_PIECE", {256 * kib, mib, 4 * mib, 1024 * mib}, true,
           "a large get and a large put, by the pieces that they are cut into, over the best:",
           nbytes, [=, this] {
             dart::get_async(_own.data(), _memory, nbytes).wait();
             dart::put_async(_memory, _own.data(), nbytes).wait();
           });
  }

  /// A single piece, from one place of another node to another place there.
  class OnePiece final : public dart::CopyPieces {
   public:
    explicit OnePiece(const dart::CopyPiece& piece) : _piece(piece) {}
    bool next(dart::CopyPiece& piece) override {
      piece = _piece;
      return !std::exchange(_taken, true);
    }

   private:
    dart::CopyPiece _piece;
    bool _taken = false;
  };

  void tune_slabs() {
    const std::size_t nbytes = _extent.much;
    choose(
        "DART_COPY_SLAB", {64 * kib, 128 * kib, 256 * kib, 512 * kib, mib}, false,
        "a large copy between other nodes, by the slabs that it passes through, over the best:",
        nbytes, [=, this] {
          dart::CopyPiece piece{_memory, _memory, nbytes};
          piece.dest.addr_or_offs.offset += nbytes;
          dart::copy_global_async(std::make_unique<OnePiece>(piece), piece.dest, piece.src).wait();
        });
  }

  const Extent _extent;
  dart_gptr_t _memory = DART_GPTR_NULL;
  std::vector<char> _own;
  char* _mapped = nullptr;
  std::vector<std::string> _values;
};

struct Arguments {
  std::string output;
  bool dry_run = false;
  bool quick = false;
};

void declare(CLI::App& app, Arguments& arguments) {
  CLI::Option* const output = app.add_option(
      "-o,--output", arguments.output,
      "the file that keeps what is found; that of DART_TUNING, or dash/tuning.conf of the user's "
      "configuration, if not given");
  app.add_flag("--dry-run", arguments.dry_run, "keep nothing")->excludes(output);
  app.add_flag("--quick", arguments.quick, "take a second; what is found then is not worth much");
}

std::string output_of(const Arguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  const std::string& named = core::settings().tuning_file;
  if (!named.empty() && named != core::no_tuning) return named;
  const std::string standard = core::default_tuning_file();
  if (standard.empty())
    throw std::runtime_error(
        "neither XDG_CONFIG_HOME nor HOME names a folder; name a file by --output");
  return standard;
}

void run(const Arguments& arguments) {
  size_t units = 0;
  check(dart_size(&units));
  dart_global_unit_t unit;
  check(dart_myid(&unit));
  if (units != 2) {
    throw std::runtime_error("dash-tune measures with two units, but has " + std::to_string(units) +
                             "; start it by mpiexec -n 2");
  }
  // What a file or the environment says would show in what is measured: the same again every time.
  core::change_settings(core::tuned_values(core::Settings{}));
  Tuner tuner(arguments.quick ? quick : Extent{});
  if (unit.id == 0) {
    const std::string machine = core::tuned_machine(dart::mpi_library());
    const std::string output = arguments.dry_run ? "" : output_of(arguments);
    std::printf("%s, %d node(s)\nbegun with", machine.c_str(), dart::placement().nodes);
    for (const std::string& value : core::tuned_values(core::settings()))
      std::printf(" %s", value.c_str());
    std::printf("\n");
    tuner.run();
    if (!arguments.dry_run) {
      core::store_tuning(output, machine, tuner.values());
      std::printf("\nkept in %s\n", output.c_str());
    }
  }
  check(dart_barrier(DART_TEAM_ALL));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Measures on this machine from which sizes which way of moving data is better, and keeps it "
      "for programs that are started here. By two units (mpiexec -n 2): on one node it measures "
      "copies within a node, on two nodes transfers between them.",
      "dash-tune");
  Arguments arguments;
  declare(app, arguments);
  // The words of an error, and the help, are said by one unit.
  std::optional<CLI::ParseError> wrong;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    wrong = error;
  }
  try {
    if (dart_init(&argc, &argv) != DART_OK) throw std::runtime_error(dart_last_error());
    int code = EXIT_SUCCESS;
    if (wrong) {
      dart_global_unit_t unit;
      check(dart_myid(&unit));
      code = unit.id == 0 ? app.exit(*wrong) : wrong->get_exit_code();
    } else {
      run(arguments);
    }
    if (dart_exit() != DART_OK) throw std::runtime_error(dart_last_error());
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-tune: %s\n", error.what());
    if (dart_initialized()) dart_abort(EXIT_FAILURE);
    return EXIT_FAILURE;
  }
}
