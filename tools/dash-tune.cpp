// Measures on this machine which way of moving data is fastest for which sizes, prints the results and writes them to
// the file that the runtime reads at its start. Needs two units: on one node it measures copies through shared memory,
// on two nodes transfers between nodes.

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

#include "Measurement.h"
#include "dash/core/Clock.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Settings.h"
#include "dash/core/Tuning.h"
#include "dash/dart/Access.h"
#include "dash/dart/GlobalCopy.h"
#include "dash/dart/MpiLibrary.h"
#include "dash/dart/Placement.h"
#include "dash/dart/Transfer.h"
#include "dash/dart/if/dart.h"

namespace {

namespace core = dash::core;
namespace dart = dash::dart;
using dash::tools::check;
using dash::tools::median;

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;
/// Two times whose ratio is below this count as equal, because of the noise of the machine.
constexpr double tolerance = 1.03;

/// The accuracy of the measurements.
struct Sampling {
  std::size_t memory = 128 * mib;         // of each unit, bytes
  std::size_t large_transfer = 16 * mib;  // bytes
  int rounds = 11;
};
constexpr Sampling quick{4 * mib, 2 * mib, 3};

std::string format_size(std::size_t nbytes) {
  if (nbytes >= mib && nbytes % mib == 0) return std::to_string(nbytes / mib) + "M";
  if (nbytes >= kib && nbytes % kib == 0) return std::to_string(nbytes / kib) + "K";
  return std::to_string(nbytes);
}

void change_setting(const std::string& name, std::size_t value) {
  const std::string entries[] = {name + "=" + std::to_string(value)};
  core::change_settings(entries);
}

using Sample = std::function<double()>;  // nanoseconds

/// Medians of alternatives, which are sampled alternately.
std::vector<double> measure(int rounds, const std::vector<Sample>& alternatives) {
  std::vector<std::vector<double>> samples(alternatives.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < alternatives.size(); ++i) {
      const double sample = alternatives[i]();
      if (round != 0) samples[i].push_back(sample);  // the first round warms up
    }
  }
  std::vector<double> medians;
  for (std::vector<double>& each : samples)
    medians.push_back(median(std::move(each)));
  return medians;
}

/// Nanoseconds of one call of f. A sample calls f repeatedly, until about 2 MiB are moved, at most 100 times.
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

/// The smallest size for which the alternative for large sizes is at least as fast as the other, and stays so for all
/// larger sizes.
struct Crossover {
  std::size_t size;
  std::vector<std::pair<std::size_t, double>>
      ratios;  // by size: time of the alternative for large sizes / time of the other one
};

/// \param otherwise  the result if the alternative for large sizes is slower at the largest size
/// \param ratio_at   measures the ratio for a size
Crossover find_crossover(const std::vector<std::size_t>& sizes, std::size_t otherwise,
                         const std::function<double(std::size_t)>& ratio_at) {
  Crossover crossover{otherwise, {}};
  for (const std::size_t size : sizes)
    crossover.ratios.emplace_back(size, ratio_at(size));
  for (auto it = crossover.ratios.rbegin();
       it != crossover.ratios.rend() && it->second <= tolerance; ++it)
    crossover.size = it->first;
  return crossover;
}

class Tuner {
 public:
  explicit Tuner(const Sampling& sampling) : _sampling(sampling) {
    check(dart_team_memalloc_aligned(DART_TEAM_ALL, _sampling.memory, DART_TYPE_BYTE, &_memory));
    dart_gptr_t own = _memory;
    dart_global_unit_t unit;
    check(dart_myid(&unit));
    check(dart_gptr_setunit(&own, DART_TEAM_UNIT_ID(unit.id)));
    std::memset(dart::on_node_address(own, _sampling.memory), 1, _sampling.memory);
    check(dart_gptr_setunit(&_memory, DART_TEAM_UNIT_ID(1)));
    _own.resize(_sampling.memory, 1);
    _mapped = static_cast<char*>(dart::on_node_address(_memory, _sampling.memory));
    check(dart_barrier(DART_TEAM_ALL));
  }
  ~Tuner() {
    dart_gptr_setunit(&_memory, DART_TEAM_UNIT_ID(0));
    dart_team_memfree(_memory);
  }
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  /// Called by unit 0 only; the other unit waits in a barrier.
  void run() {
    if (_mapped != nullptr) {
      tune_nontemporal();
      tune_queue();
      tune_copy_chunk();
    } else {
      tune_min_block();
      tune_segment();
      tune_buffer();
    }
  }

  const std::vector<std::string>& values() const { return _values; }

 private:
  /// Prints the result of a measurement, records it and changes the setting.
  void set_result(const std::string& name, std::size_t value, const char* meaning,
                  const std::vector<std::pair<std::size_t, double>>& figures) {
    std::printf("\n%s = %s\n  %s\n ", name.c_str(), format_size(value).c_str(), meaning);
    for (const auto& [size, figure] : figures)
      std::printf(" %s: %.2f", format_size(size).c_str(), figure);
    std::printf("\n");
    std::fflush(stdout);
    _values.push_back(name + "=" + format_size(value));
    change_setting(name, value);
  }

  /// Sets a setting to the value with which f is fastest.
  /// \param prefer_last  whether to select the last of several values that are equally fast
  template <class F>
  void choose_value(const std::string& name, const std::vector<std::size_t>& values,
                    bool prefer_last, const char* meaning, std::size_t nbytes, F f) {
    std::vector<Sample> alternatives;
    for (const std::size_t value : values) {
      alternatives.push_back([=, sample = sample_of(nbytes, f)] {
        change_setting(name, value);
        return sample();
      });
    }
    const std::vector<double> times = measure(_sampling.rounds, alternatives);
    const double best = *std::min_element(times.begin(), times.end());
    std::vector<std::pair<std::size_t, double>> figures;
    std::size_t chosen = values.size();
    for (std::size_t i = 0; i < values.size(); ++i) {
      figures.emplace_back(values[i], times[i] / best);
      if (times[i] <= best * tolerance && (prefer_last || chosen == values.size())) chosen = i;
    }
    set_result(name, values[chosen], meaning, figures);
  }

  enum class Caches { warm, read_after, cold };
  using CopyFunction = void (*)(void* dest, const void* src, std::size_t nbytes);

  /// Samples a copy by a function. \p caches: the same memory is copied repeatedly (warm), and read after the copy
  /// (read_after), or each copy uses other memory (cold).
  Sample copy_by(CopyFunction copy, std::size_t nbytes, Caches caches) {
    auto offset = std::make_shared<std::size_t>(0);
    const auto each = [=, this] {
      const std::size_t at = *offset;
      if (caches == Caches::cold) *offset = at + 2 * nbytes > _sampling.memory ? 0 : at + nbytes;
      copy(_own.data() + at, _mapped + at, nbytes);
      if (caches != Caches::read_after) return;
      std::size_t sum = 0;
      for (std::size_t i = 0; i < nbytes; i += sizeof sum)
        sum += *reinterpret_cast<const std::size_t*>(_own.data() + i);
      asm volatile("" : : "r"(sum));
    };
    return [=, sample = sample_of(nbytes, each)] {
      each();  // evicts data of the other alternative from the caches
      return sample();
    };
  }

  /// Streaming stores must be faster with warm and with cold caches, and if the copy is read afterwards.
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
            measure(_sampling.rounds,
                    {copy_by(streaming, nbytes, caches), copy_by(by_memcpy, nbytes, caches)});
        worst = std::max(worst, times[0] / times[1]);
      }
      return worst;
    };
    std::vector<std::size_t> sizes;
    for (std::size_t size = mib; size <= _sampling.memory; size *= 2)
      sizes.push_back(size);
    const Crossover crossover = find_crossover(sizes, 2 * _sampling.memory, ratio_at);
    set_result("DART_NT_MIN", crossover.size,
               "time of streaming stores / memcpy; the largest ratio of copies with warm caches, "
               "with cold caches, and of copies that are read afterwards:",
               crossover.ratios);
  }

  /// A copy should be queued if starting it takes at most half of the time of the copy, so that the caller gains time,
  /// and if start and wait together take at most a quarter longer than the copy.
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
          measure(_sampling.rounds,
                  {[&] {
                     change_setting("DART_COPY_QUEUE_MIN", 1);
                     const double total = queued();
                     starts.push_back(*start_ns);
                     return total;
                   },
                   sample_of(nbytes, [=, this] { std::memcpy(_own.data(), _mapped, nbytes); })});
      return std::max(2 * median(starts) / times[1], times[0] / (1.25 * times[1]));
    };
    const Crossover crossover = find_crossover(
        {8 * kib, 16 * kib, 32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, mib}, mib,
        ratio_at);
    set_result("DART_COPY_QUEUE_MIN", crossover.size,
               "cost of a queued copy: at most 1 if its start takes at most half of the time of a "
               "direct copy, and the whole copy at most 5/4 of it:",
               crossover.ratios);
  }

  void tune_copy_chunk() {
    const std::size_t nbytes = _sampling.large_transfer;
    choose_value("DART_COPY_CHUNK",
                 {32 * kib, 64 * kib, 128 * kib, 256 * kib, 512 * kib, mib, 2 * mib}, false,
                 "time of a large queued copy by chunk size, relative to the shortest:", nbytes,
                 [=, this] { dart::get_async(_own.data(), _memory, nbytes).wait(); });
  }

  /// Gets and puts contiguous blocks with gaps of the same length.
  void move_blocks(std::size_t nbytes, std::size_t run) {
    std::vector<dart::TransferBlock> runs;
    for (std::size_t i = 0; i < nbytes / run; ++i)
      runs.push_back({2 * run * i, _own.data() + run * i, run});
    dart::get_blocks_async(_memory, runs).wait();
    dart::put_blocks_async(_memory, runs).wait();
  }

  void tune_min_block() {
    constexpr std::size_t nbytes = 256 * kib;
    const Crossover crossover = find_crossover(
        {128, 256, 512, kib, 2 * kib, 4 * kib, 8 * kib}, 16 * kib, [this](std::size_t run) {
          const auto sample = sample_of(nbytes, [=, this] { move_blocks(nbytes, run); });
          const std::vector<double> times =
              measure(_sampling.rounds, {[&] {
                                           change_setting("DART_RMA_BLOCK_MIN", run);
                                           return sample();
                                         },
                                         [&] {
                                           change_setting("DART_RMA_BLOCK_MIN", run + 1);
                                           return sample();
                                         }});
          return times[0] / times[1];
        });
    set_result("DART_RMA_BLOCK_MIN", crossover.size,
               "256 KiB in contiguous blocks of a size: time with an MPI operation for each block, "
               "divided by that with batched messages:",
               crossover.ratios);
  }

  void tune_segment() {
    const std::size_t nbytes = _sampling.large_transfer;
    choose_value("DART_RMA_FRAGMENT", {256 * kib, mib, 4 * mib, 1024 * mib}, true,
                 "time of a large get and a large put by fragment size, relative to the shortest:",
                 nbytes, [=, this] {
                   dart::get_async(_own.data(), _memory, nbytes).wait();
                   dart::put_async(_memory, _own.data(), nbytes).wait();
                 });
  }

  /// A single copy between two addresses on another node.
  class SingleCopy final : public dart::CopyBlocks {
   public:
    explicit SingleCopy(const dart::CopyBlock& copy) : _copy(copy) {}
    bool next(dart::CopyBlock& block) override {
      block = _copy;
      return !std::exchange(_taken, true);
    }

   private:
    dart::CopyBlock _copy;
    bool _taken = false;
  };

  void tune_buffer() {
    const std::size_t nbytes = _sampling.large_transfer;
    choose_value(
        "DART_COPY_BUFFER", {64 * kib, 128 * kib, 256 * kib, 512 * kib, mib}, false,
        "time of a large copy between other nodes by buffer size, relative to the shortest:",
        nbytes, [=, this] {
          dart::CopyBlock block{_memory, _memory, nbytes};
          block.dest.addr_or_offs.offset += nbytes;
          dart::copy_global_async(std::make_unique<SingleCopy>(block), block.dest, block.src)
              .wait();
        });
  }

  const Sampling _sampling;
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
      "the file for the results; if not given, that of DART_TUNING, or dash/tuning.conf in the "
      "configuration folder of the user");
  app.add_flag("--dry-run", arguments.dry_run, "do not write the results to a file")
      ->excludes(output);
  app.add_flag("--quick", arguments.quick, "take a second; the results are inaccurate");
}

std::string output_of(const Arguments& arguments) {
  if (!arguments.output.empty()) return arguments.output;
  const std::string& named = core::settings().tuning_file;
  if (!named.empty() && named != core::no_tuning) return named;
  const std::string standard = core::default_tuning_file();
  if (standard.empty())
    throw std::runtime_error("neither XDG_CONFIG_HOME nor HOME is set; name a file with --output");
  return standard;
}

void run(const Arguments& arguments) {
  size_t units = 0;
  check(dart_size(&units));
  dart_global_unit_t unit;
  check(dart_myid(&unit));
  if (units != 2) {
    throw std::runtime_error("dash-tune needs two units, but has " + std::to_string(units) +
                             "; start it with mpiexec -n 2");
  }
  // Start from the defaults: values from a file or the environment would influence the measurements.
  core::change_settings(core::tuned_values(core::Settings{}));
  Tuner tuner(arguments.quick ? quick : Sampling{});
  if (unit.id == 0) {
    const std::string machine = core::tuned_machine(dart::mpi_library());
    const std::string output = arguments.dry_run ? "" : output_of(arguments);
    std::printf("%s, %d node(s)\nstarting values", machine.c_str(), dart::placement().nodes);
    for (const std::string& value : core::tuned_values(core::settings()))
      std::printf(" %s", value.c_str());
    std::printf("\n");
    tuner.run();
    if (!arguments.dry_run) {
      core::store_tuning(output, machine, tuner.values());
      std::printf("\nwritten to %s\n", output.c_str());
    }
  }
  check(dart_barrier(DART_TEAM_ALL));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "Measures on this machine which way of moving data is fastest for which sizes, and writes "
      "the results to a file for all programs on this machine. Needs two units (mpiexec -n 2): on "
      "one node it measures copies within a node, on two nodes transfers between them.",
      "dash-tune");
  Arguments arguments;
  declare(app, arguments);
  // Unit 0 alone prints the help and errors.
  std::optional<CLI::ParseError> parse_error;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    parse_error = error;
  }
  try {
    if (dart_init(&argc, &argv) != DART_OK) throw std::runtime_error(dart_last_error());
    int code = EXIT_SUCCESS;
    if (parse_error) {
      dart_global_unit_t unit;
      check(dart_myid(&unit));
      code = unit.id == 0 ? app.exit(*parse_error) : parse_error->get_exit_code();
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
