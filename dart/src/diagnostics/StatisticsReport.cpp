#include "diagnostics/StatisticsReport.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstdio>
#include <span>
#include <string>

#include "dash/core/Clock.h"

namespace dash::dart {

namespace {

using core::Counter;
using core::OperationKind;
using core::OperationPath;
using core::Statistics;

constexpr std::array<const char*, core::num_operation_kinds> kind_names{
    "put",     "get",     "fetch, compare-and-swap", "accumulate", "put with signal", "send",
    "receive", "barrier", "other collectives"};
constexpr std::array<const char*, core::num_operation_paths> path_names{
    "memory", "copy queue", "MPI RMA", "messages", "MPI two-sided", "progress process"};

struct CounterRow {
  const char* name;
  Counter counter;
};
constexpr CounterRow unit_rows[] = {
    {"polls of the progress thread", Counter::thread_polls},
    {"  that found something", Counter::useful_thread_polls},
    {"  sleeps between them", Counter::thread_sleeps},
    {"  parks until needed", Counter::thread_parks},
    {"  microseconds of processor time", Counter::thread_ns},
    {"polls of callers and workers", Counter::caller_polls},
    {"  that found something", Counter::useful_caller_polls},
    {"waits for completed operations", Counter::waits_ready},
    {"waits that ended by spinning", Counter::waits_spun},
    {"waits that ended after helping", Counter::waits_helped},
    {"waits that ended after sleeping", Counter::waits_slept},
    {"  sleeps in them", Counter::caller_sleeps},
    {"waits of tasks, suspended", Counter::waits_suspended},
    {"microseconds waited, without tasks", Counter::wait_ns},
    {"chunks of queued copies, by the thread", Counter::chunks_by_thread},
    {"chunks of queued copies, by callers", Counter::chunks_by_callers},
    {"active messages sent", Counter::messages_sent},
    {"active messages handled", Counter::messages_handled},
    {"tasks run", Counter::tasks},
};
static_assert(std::size(unit_rows) == core::num_counters);
constexpr CounterRow server_rows[] = {
    {"polls", Counter::thread_polls},
    {"  that found something", Counter::useful_thread_polls},
    {"  sleeps between them", Counter::thread_sleeps},
    {"  microseconds of processor time", Counter::thread_ns},
    {"active messages sent", Counter::messages_sent},
    {"active messages handled", Counter::messages_handled},
};

/// Sum, minimum and maximum of each counter over the units, or over the progress processes.
struct Totals {
  Statistics sum;
  Statistics least;
  Statistics most;
};

Statistics reduce(Team& all, const Statistics& mine, dart_operation_t op) {
  Statistics result;
  all.allreduce(&mine, &result, Statistics::num_words, DART_TYPE_ULONGLONG, op);
  return result;
}

/// \param contributes  whether this unit has numbers  \collective over all units
Totals total(Team& all, const Statistics& mine, bool contributes = true) {
  Statistics largest;
  largest.counts.fill(UINT64_MAX);
  for (auto& paths : largest.traffic)
    paths.fill({UINT64_MAX, UINT64_MAX});
  return {.sum = reduce(all, contributes ? mine : Statistics{}, DART_OP_SUM),
          .least = reduce(all, contributes ? mine : largest, DART_OP_MIN),
          .most = reduce(all, contributes ? mine : Statistics{}, DART_OP_MAX)};
}

/// Formats a number with its digits in groups of three.
std::string format_grouped(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, 1, ',');
  return digits;
}

std::string three_columns(std::uint64_t sum, std::uint64_t least, std::uint64_t most) {
  return fmt::format("{:>18}{:>15}{:>15}", format_grouped(sum), format_grouped(least),
                     format_grouped(most));
}

std::string counted(int number, const char* singular, const char* plural) {
  return fmt::format("{} {}", number, number == 1 ? singular : plural);
}

std::string heading(const char* all) {
  return fmt::format("{:<40}{:>18}{:>15}{:>15}\n", "", all, "minimum", "maximum");
}

std::string operations_text(const Totals& totals) {
  std::string text;
  for (std::size_t kind = 0; kind < core::num_operation_kinds; ++kind) {
    for (std::size_t path = 0; path < core::num_operation_paths; ++path) {
      const core::Traffic& sum = totals.sum.traffic[kind][path];
      const core::Traffic& least = totals.least.traffic[kind][path];
      const core::Traffic& most = totals.most.traffic[kind][path];
      if (sum.operations == 0) continue;
      text += fmt::format("{:<40}{}\n", fmt::format("{}: {}", kind_names[kind], path_names[path]),
                          three_columns(sum.operations, least.operations, most.operations));
      if (sum.nbytes == 0) continue;
      text += fmt::format("{:<40}{}\n", "  bytes",
                          three_columns(sum.nbytes, least.nbytes, most.nbytes));
    }
  }
  return text;
}

std::string counters_text(const Totals& totals, std::span<const CounterRow> rows) {
  std::string text;
  for (const CounterRow& row : rows) {
    if (totals.sum.of(row.counter) == 0) continue;
    const bool is_time = row.counter == Counter::wait_ns || row.counter == Counter::thread_ns;
    const std::uint64_t scale = is_time ? 1000 : 1;
    text += fmt::format(
        "{:<40}{}\n", row.name,
        three_columns(totals.sum.of(row.counter) / scale, totals.least.of(row.counter) / scale,
                      totals.most.of(row.counter) / scale));
  }
  return text;
}

}  // namespace

StatisticsReport::StatisticsReport(bool enabled) : _enabled(enabled) {
  if (_enabled) core::start_statistics();
}

StatisticsReport::~StatisticsReport() {
  core::stop_statistics();
}

void StatisticsReport::begin(const Session& session) {
  if (!_enabled) return;
  if (session.commands_progress_process()) session.start_server_statistics();
  core::start_statistics();
  _begin_ns = core::now_ns();
}

void StatisticsReport::end(const Session& session) {
  if (!_enabled) return;
  _mine = core::statistics();
  _end_ns = core::now_ns();
  if (session.commands_progress_process()) _server = session.server_statistics();
}

void StatisticsReport::print(const Session& session, Team& all) const {
  if (!_enabled) return;
  const Totals units = total(all, _mine);
  std::string servers_text;
  const Processes& processes = session.processes();
  if (processes.has_progress_processes) {
    const Totals servers = total(all, _server, session.commands_progress_process());
    const int number = processes.nprocesses() - all.size();
    servers_text =
        fmt::format("{}\n{}{}{}", counted(number, "progress process", "progress processes"),
                    heading("all"), operations_text(servers), counters_text(servers, server_rows));
  }
  if (all.my_id() != 0) return;
  const std::string text = fmt::format(
      "statistics of {} on {}, {:.3f} s (DART_STATS)\n{}{}{}{}",
      counted(all.size(), "unit", "units"), counted(session.layout().nnodes, "node", "nodes"),
      static_cast<double>(_end_ns - _begin_ns) / 1e9, heading("all units"), operations_text(units),
      counters_text(units, unit_rows), servers_text);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace dash::dart
