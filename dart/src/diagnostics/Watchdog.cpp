#include "diagnostics/Watchdog.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "dash/async/Executor.h"
#include "dash/async/Watch.h"
#include "dash/core/Clock.h"
#include "dash/core/Log.h"
#include "dash/core/StackTrace.h"

namespace dash::dart {

namespace {

constexpr std::uint64_t second = 1'000'000'000;
/// Longest interval between two checks; a check takes about 25 us from a computing thread.
constexpr std::uint64_t longest_interval_ns = second / 4;
/// Limits of the report of one unit.
constexpr std::size_t max_waits = 8;
constexpr std::size_t max_calls = 16;
constexpr std::size_t max_name_length = 120;

double seconds(std::uint64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

/// Whether a function is internal to the library, i.e. not called by programs.
bool is_internal(const core::StackFrame& frame) {
  const std::string head = frame.function.substr(0, frame.function.find_first_of("(<"));
  for (const char* const layer : {"dash::core::", "dash::exec::", "dash::dart::"}) {
    if (head.find(layer) != std::string::npos) return true;
  }
  if (head.starts_with("dart_") && head.find("::{lambda") != std::string::npos) return true;
  return head.empty() && frame.file.find("libdash.so") != std::string::npos;
}

/// Whether the frame is the bottom of a task's stack: the function that calls all tasks or, if the
/// library was stripped of its name, the one below it. A context of Boost.Context begins in
/// assembly code that belongs to the exported function make_fcontext, in the sources for all
/// platforms. If another version renames this function, reports of a stripped library list that
/// frame as well; nothing else depends on the name.
bool is_task_entry(const core::StackFrame& frame) {
  return frame.function == "dash::exec::Fiber::run_jobs()" || frame.function == "make_fcontext";
}

std::string format_frame(const core::StackFrame& frame) {
  const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
  std::string name = frame.function.empty() ? "?" : frame.function;
  if (name.size() > max_name_length) name = name.substr(0, max_name_length - 3) + "...";
  return fmt::format("{} ({}+{:#x})", name, file.empty() ? "?" : file, frame.offset);
}

/// The calls from the one by which the program entered the library (or the innermost one, if that is unknown)
/// to the main function.
std::vector<std::string> format_calls(const exec::WaitReport& wait) {
  std::vector<core::StackFrame> frames;
  for (void* const address : wait.stack) {
    frames.push_back(core::describe_frame(address));
    if (is_task_entry(frames.back())) {
      frames.pop_back();
      break;
    }
    if (frames.back().function == "main") break;
  }
  auto first = std::find_if(frames.begin(), frames.end(), [&](const core::StackFrame& frame) {
    return frame.function == wait.call && !wait.call.empty();
  });
  if (first == frames.end()) first = std::find_if_not(frames.begin(), frames.end(), is_internal);
  if (first == frames.end()) {
    // The function of a task is inlined: the name of the outermost named call contains its type.
    const auto named =
        std::find_if(frames.rbegin(), frames.rend(),
                     [](const core::StackFrame& frame) { return !frame.function.empty(); });
    first = named == frames.rend() ? frames.begin() : std::prev(named.base());
  }
  std::vector<std::string> lines;
  for (; first != frames.end() && lines.size() < max_calls; ++first)
    lines.push_back(format_frame(*first));
  return lines;
}

std::string thread_name(const exec::WaitReport& wait) {
  if (wait.in_job) return "a task";
  return wait.thread == ::getpid() ? "the main thread" : fmt::format("thread {}", wait.thread);
}

std::string describe_computing_unit(std::uint64_t now_ns) {
  const exec::LastCall last = exec::Watch::last_call();
  if (last.name == nullptr) return "is not waiting, and has not called the C interface yet";
  const double ago = seconds(now_ns > last.at_ns ? now_ns - last.at_ns : 0);
  if (last.inside)
    return fmt::format("is not waiting, but has been in {} for {:.1f} s", last.name, ago);
  return fmt::format(
      "is not waiting: it computes, its last call of the C interface ({}) ended {:.1f} s ago",
      last.name, ago);
}

}  // namespace

Watchdog::Watchdog(Session& session, RmaDriver& driver, unsigned timeout_s)
    : _session(session), _driver(driver), _timeout_ns(timeout_s * second) {
  driver.messenger().set_handler(MessageKind::report_waits, this,
                                 [](void* watchdog, int, const Message&, FinishedParts&) {
                                   auto* const self = static_cast<Watchdog*>(watchdog);
                                   self->_received.fetch_add(1, std::memory_order_relaxed);
                                   self->raise_flag();
                                 });
}

Watchdog::~Watchdog() {
  if (!_thread.joinable()) return;
  _stop.store(true, std::memory_order_seq_cst);
  _wake.notify_all();
  _thread.join();
  exec::Watch::stop();
}

void Watchdog::start() {
  if (_timeout_ns == 0) return;
  // The watchdog thread may send only if MPI provides MPI_THREAD_MULTIPLE.
  _may_send = _session.layout().nnodes > 1 && _session.has_thread_multiple();
  exec::Watch::start(_timeout_ns);
  _thread = std::thread([this] { run(); });
}

void Watchdog::stop_sending() noexcept {
  const std::lock_guard lock(_mutex);
  _may_send = false;
}

void Watchdog::run() noexcept {
  pthread_setname_np(pthread_self(), "dash-watchdog");
  const auto interval_ns =
      static_cast<std::int64_t>(std::min(_timeout_ns / 4, longest_interval_ns));
  std::uint64_t reported = _session.watchdog_flag().raised.load(std::memory_order_acquire);
  while (true) {
    const auto key = _wake.prepare();
    if (_stop.load(std::memory_order_seq_cst)) return _wake.cancel();
    _wake.wait(key, interval_ns);
    try {
      if (exec::Watch::any_overdue(core::now_ns()) && raise_flag()) notify_other_nodes();
      const std::uint64_t raised = _session.watchdog_flag().raised.load(std::memory_order_acquire);
      if (std::exchange(reported, raised) != raised) report();
    } catch (const std::exception& error) {
      core::log(core::LogLevel::error, fmt::format("watchdog: {}", error.what()));
    }
  }
}

/// Raises the flag of the host, unless it was raised shortly before: that report covers the present waits.
/// \returns whether the flag was raised
bool Watchdog::raise_flag() noexcept {
  WatchdogFlag& flag = _session.watchdog_flag();
  const std::uint64_t now = core::now_ns();
  // Relaxed: the time publishes no data, and only the unit whose compare-exchange succeeds raises the flag.
  std::uint64_t last = flag.last_ns.load(std::memory_order_relaxed);
  if (now < last + _timeout_ns / 2) return false;
  if (!flag.last_ns.compare_exchange_strong(last, now, std::memory_order_relaxed)) return false;
  flag.raised.fetch_add(1, std::memory_order_release);
  return true;
}

void Watchdog::notify_other_nodes() {
  const std::lock_guard lock(_mutex);
  if (!_may_send) return;
  const Layout& layout = _session.layout();
  std::set<std::int32_t> notified_nodes{layout.node};
  for (int unit = 0; unit < layout.nunits; ++unit) {
    if (!notified_nodes.insert(layout.node_of[static_cast<std::size_t>(unit)]).second) continue;
    _driver.send(std::make_unique<Message>(MessageKind::report_waits), unit, 0);
  }
}

void Watchdog::report() const {
  const std::uint64_t now = core::now_ns();
  const std::vector<exec::WaitReport> waits = exec::Watch::report(now);
  const std::string margin = fmt::format("\n[unit {}]   ", _session.layout().unit);
  std::string text = "watchdog: ";
  if (waits.empty()) text += describe_computing_unit(now);
  for (std::size_t i = 0; i < waits.size() && i < max_waits; ++i) {
    const exec::WaitReport& wait = waits[i];
    if (i != 0) text += margin;
    text += fmt::format("has waited {:.1f} s for {}{}{} ({})", seconds(wait.since_ns), wait.what,
                        wait.call.empty() ? "" : ", in ", wait.call, thread_name(wait));
    std::size_t number = 0;
    for (const std::string& call : format_calls(wait))
      text += margin + fmt::format("  #{:<2} {}", number++, call);
  }
  if (waits.size() > max_waits) {
    text +=
        margin + fmt::format("and {} more waits, of {:.1f} to {:.1f} s", waits.size() - max_waits,
                             seconds(waits.back().since_ns), seconds(waits[max_waits].since_ns));
  }
  const exec::JobCounts jobs = exec::job_counts();
  if (jobs.unfinished != 0) {
    text += margin + fmt::format("tasks: {} unfinished, {} of them suspended in a wait",
                                 jobs.unfinished, jobs.waiting);
  }
  if (const std::size_t in_flight = _driver.in_flight(); in_flight != 0) {
    text += margin + fmt::format("in flight between nodes: {}", in_flight);
  }
  core::log(core::LogLevel::warn, text);
}

}  // namespace dash::dart
