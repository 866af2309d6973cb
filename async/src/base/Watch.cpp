#include "dash/async/Watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/WaitName.h"
#include "dash/core/Clock.h"
#include "dash/core/Spin.h"
#include "dash/core/StackTrace.h"

namespace dash::exec {

constinit std::atomic<bool> watchdog_on{false};

namespace {

constinit thread_local Activity* innermost_activity = nullptr;

constinit core::SpinLock waits_lock;  // guards the list and the due times of its members
constinit WatchedWait* first_wait = nullptr;
constinit std::atomic<std::uint64_t> overdue_after_ns{0};  // relaxed: a setting

// Independent hints, for the report of a unit that does not wait.
constinit std::atomic<const char*> last_name{nullptr};
constinit std::atomic<std::uint64_t> last_at{0};
constinit std::atomic<int> calls{0};

bool is_service_activity(const Activity* activity) noexcept {
  for (; activity != nullptr; activity = activity->outer()) {
    if (activity->kind() == Activity::Kind::service) return true;
  }
  return false;
}

std::string text_of(const Label& label) {
  if (label.format == nullptr) return {};
  return fmt::format(fmt::runtime(label.format), label.numbers[0], label.numbers[1],
                     label.numbers[2]);
}

}  // namespace

// Not inlined: the caller may continue on another thread between two calls, and a compiler that inlines
// them may reuse the address of the first thread's variable.
[[gnu::noinline]] void Activity::enter(Kind kind, const Label& label,
                                       const Labeled* operation) noexcept {
  _is_recorded = true;
  _kind = kind;
  _format = label.format;
  _numbers = label.numbers;
  _operation = operation;
  _outer = std::exchange(innermost_activity, this);
  if (_kind != Kind::call) return;
  last_name.store(_format, std::memory_order_relaxed);
  last_at.store(core::now_ns(), std::memory_order_relaxed);
  calls.fetch_add(1, std::memory_order_relaxed);
}

[[gnu::noinline]] void Activity::leave() noexcept {
  innermost_activity = _outer;
  if (_kind != Kind::call) return;
  last_at.store(core::now_ns(), std::memory_order_relaxed);
  calls.fetch_sub(1, std::memory_order_relaxed);
}

[[gnu::noinline]] Activity* Activity::exchange(Activity* other) noexcept {
  return std::exchange(innermost_activity, other);
}

[[gnu::noinline]] const Activity* Activity::innermost() noexcept {
  return innermost_activity;
}

Label Activity::label() const noexcept {
  return _operation != nullptr ? _operation->label() : Label{_format, _numbers};
}

WatchedWait::WatchedWait(std::uint64_t begin_ns, bool in_job) noexcept
    : _activity(Activity::innermost()),
      _begin_ns(begin_ns),
      _due_ns(begin_ns + overdue_after_ns.load(std::memory_order_relaxed)),
      _thread(::gettid()),
      _in_job(in_job),
      _is_service(is_service_activity(_activity)),
      _nframes(core::capture_stack(_frames)) {
  const std::lock_guard lock(waits_lock);
  _next = first_wait;
  if (_next != nullptr) _next->_previous = this;
  first_wait = this;
}

WatchedWait::~WatchedWait() {
  const std::lock_guard lock(waits_lock);
  (_previous == nullptr ? first_wait : _previous->_next) = _next;
  if (_next != nullptr) _next->_previous = _previous;
}

namespace {

/// Snapshot of a wait before its texts are formatted; taken under the lock.
struct Snapshot {
  std::uint64_t begin_ns = 0;
  Label call;
  Label purpose;
  Label operation;
  int thread = 0;
  bool in_job = false;
  std::size_t nframes = 0;
  std::array<void*, 32> frames{};
};

/// Collects the activities from the innermost one to the call that entered the library. The search ends at
/// user code and at services: their outer activities are not what the wait is for.
void collect_activities(const Activity* activity, Snapshot& snapshot) noexcept {
  for (; activity != nullptr; activity = activity->outer()) {
    switch (activity->kind()) {
      case Activity::Kind::call:
        snapshot.call = activity->label();
        break;
      case Activity::Kind::user_code:
      case Activity::Kind::service:
        return;
      case Activity::Kind::purpose:
        snapshot.purpose = activity->label();
        break;
      case Activity::Kind::operation:
        if (snapshot.operation.format == nullptr) snapshot.operation = activity->label();
        break;
    }
  }
}

std::string description_of(const Snapshot& snapshot,
                           const char* otherwise = "an operation of this unit") {
  const std::string purpose = text_of(snapshot.purpose);
  const std::string operation = text_of(snapshot.operation);
  if (purpose.empty()) return operation.empty() ? otherwise : operation;
  return operation.empty() ? purpose : fmt::format("{} ({})", purpose, operation);
}

}  // namespace

const char* name_of_wait(const char* otherwise) noexcept {
  try {
    Snapshot snapshot;
    collect_activities(Activity::innermost(), snapshot);
    const std::string description = description_of(snapshot, "");
    if (description.empty()) return otherwise;
    const char* const name = core::trace_name("wait for " + description);
    return name == nullptr ? otherwise : name;
  } catch (const std::bad_alloc&) {
    return otherwise;
  }
}

void Watch::start(std::uint64_t timeout_ns) noexcept {
  std::array<void*, 1> frames{};
  core::capture_stack(frames);  // the first call loads a library; threads about to sleep must not
  overdue_after_ns.store(timeout_ns, std::memory_order_relaxed);
  last_name.store(nullptr, std::memory_order_relaxed);
  calls.store(0, std::memory_order_relaxed);
  watchdog_on.store(true, std::memory_order_relaxed);
}

void Watch::stop() noexcept {
  watchdog_on.store(false, std::memory_order_relaxed);
}

bool Watch::any_overdue(std::uint64_t now_ns) noexcept {
  const std::lock_guard lock(waits_lock);
  for (const WatchedWait* wait = first_wait; wait != nullptr; wait = wait->_next) {
    if (now_ns >= wait->_due_ns && !wait->_is_service) return true;
  }
  return false;
}

std::vector<WaitReport> Watch::report(std::uint64_t now_ns) {
  // Allocated before the lock is taken. Waits beyond this number are left out.
  std::vector<Snapshot> snapshots(1024);
  std::size_t count = 0;
  const std::uint64_t soon = overdue_after_ns.load(std::memory_order_relaxed) / 2;
  {
    const std::lock_guard lock(waits_lock);
    for (WatchedWait* wait = first_wait; wait != nullptr && count < snapshots.size();
         wait = wait->_next) {
      if (wait->_is_service) continue;
      const std::uint64_t age = now_ns > wait->_begin_ns ? now_ns - wait->_begin_ns : 0;
      if (age >= soon) wait->_due_ns = std::max(wait->_due_ns, now_ns + age);
      Snapshot& each = snapshots[count++];
      each.begin_ns = wait->_begin_ns;
      collect_activities(wait->_activity, each);
      each.thread = wait->_thread;
      each.in_job = wait->_in_job;
      each.nframes = wait->_nframes;
      each.frames = wait->_frames;
    }
  }
  snapshots.resize(count);
  std::sort(snapshots.begin(), snapshots.end(),
            [](const Snapshot& a, const Snapshot& b) { return a.begin_ns < b.begin_ns; });
  std::vector<WaitReport> reports;
  for (const Snapshot& each : snapshots) {
    const auto end = each.frames.begin() + static_cast<std::ptrdiff_t>(each.nframes);
    reports.push_back({now_ns > each.begin_ns ? now_ns - each.begin_ns : 0, description_of(each),
                       text_of(each.call), each.thread, each.in_job,
                       std::vector<void*>(each.frames.begin(), end)});
  }
  return reports;
}

LastCall Watch::last_call() noexcept {
  return {last_name.load(std::memory_order_relaxed), last_at.load(std::memory_order_relaxed),
          calls.load(std::memory_order_relaxed) > 0};
}

}  // namespace dash::exec
