#include "dash/async/Watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "engine/Wait.h"
#include "dash/async/Executor.h"
#include "dash/async/State.h"
#include "dash/core/Clock.h"
#include "dash/core/Spin.h"
#include "dash/core/StackTrace.h"

namespace dash::exec {

constinit std::atomic<bool> watching_on{false};

namespace {

[[gnu::tls_model("initial-exec")]] constinit thread_local Activity* innermost_activity = nullptr;

constinit core::SpinLock waits_lock;  // guards the list, and when its members are due
constinit WatchedWait* first_wait = nullptr;
constinit std::atomic<std::uint64_t> patience{0};

// Hints, each read on its own: what a report says of a unit that does not wait.
constinit std::atomic<const char*> last_name{nullptr};
constinit std::atomic<std::uint64_t> last_at{0};
constinit std::atomic<int> calls{0};

bool serves(const Activity* activity) noexcept {
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

// Not inlined: the caller may go on on another thread in between, whose variable this is then.
[[gnu::noinline]] void Activity::enter(Kind kind, const Label& label, const State* state) noexcept {
  _entered = true;
  _kind = kind;
  _format = label.format;
  _numbers = label.numbers;
  _state = state;
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
  return _state != nullptr ? _state->label() : Label{_format, _numbers};
}

WatchedWait::WatchedWait(std::uint64_t begin_ns) noexcept
    : _activity(Activity::innermost()),
      _begin_ns(begin_ns),
      _due_ns(begin_ns + patience.load(std::memory_order_relaxed)),
      _thread(::gettid()),
      _in_job(exec::in_job()),
      _is_service(serves(_activity)),
      _nframes(core::take_stack(_frames)) {
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

/// What a wait says of itself, without its texts: taken under the lock.
struct Seen {
  std::uint64_t begin_ns = 0;
  Label call;
  Label purpose;
  Label operation;
  int thread = 0;
  bool in_job = false;
  std::size_t nframes = 0;
  std::array<void*, 32> frames{};
};

/// From the innermost outwards to where the library was entered: what is done for the sake of something
/// else is not the reason.
void look_at_activities(const Activity* activity, Seen& seen) noexcept {
  for (; activity != nullptr; activity = activity->outer()) {
    switch (activity->kind()) {
      case Activity::Kind::call:
        seen.call = activity->label();
        break;
      case Activity::Kind::user_code:
      case Activity::Kind::service:
        return;
      case Activity::Kind::purpose:
        seen.purpose = activity->label();
        break;
      case Activity::Kind::operation:
        if (seen.operation.format == nullptr) seen.operation = activity->label();
        break;
    }
  }
}

std::string what_of(const Seen& seen, const char* otherwise = "something in this unit") {
  const std::string purpose = text_of(seen.purpose);
  const std::string operation = text_of(seen.operation);
  if (purpose.empty()) return operation.empty() ? otherwise : operation;
  return operation.empty() ? purpose : fmt::format("{} ({})", purpose, operation);
}

}  // namespace

const char* name_of_wait(const char* otherwise) noexcept {
  try {
    Seen seen;
    look_at_activities(Activity::innermost(), seen);
    const std::string what = what_of(seen, "");
    if (what.empty()) return otherwise;
    const char* const name = core::trace_name("wait for " + what);
    return name == nullptr ? otherwise : name;
  } catch (const std::bad_alloc&) {
    return otherwise;
  }
}

void Watch::start(std::uint64_t patience_ns) noexcept {
  std::array<void*, 1> frames{};
  core::take_stack(frames);  // what that loads is not for threads that are about to sleep
  patience.store(patience_ns, std::memory_order_relaxed);
  last_name.store(nullptr, std::memory_order_relaxed);
  calls.store(0, std::memory_order_relaxed);
  watching_on.store(true, std::memory_order_relaxed);
}

void Watch::stop() noexcept {
  watching_on.store(false, std::memory_order_relaxed);
}

bool Watch::any_overdue(std::uint64_t now_ns) noexcept {
  const std::lock_guard lock(waits_lock);
  for (const WatchedWait* wait = first_wait; wait != nullptr; wait = wait->_next) {
    if (now_ns >= wait->_due_ns && !wait->_is_service) return true;
  }
  return false;
}

std::vector<WaitReport> Watch::report(std::uint64_t now_ns) {
  // Room for so many waits; nothing is allocated under the lock. The rest is counted, if at all, by
  // the next report.
  std::vector<Seen> seen(1024);
  std::size_t count = 0;
  const std::uint64_t soon = patience.load(std::memory_order_relaxed) / 2;
  {
    const std::lock_guard lock(waits_lock);
    for (WatchedWait* wait = first_wait; wait != nullptr && count < seen.size();
         wait = wait->_next) {
      if (wait->_is_service) continue;
      const std::uint64_t age = now_ns > wait->_begin_ns ? now_ns - wait->_begin_ns : 0;
      if (age >= soon) wait->_due_ns = std::max(wait->_due_ns, now_ns + age);
      Seen& each = seen[count++];
      each.begin_ns = wait->_begin_ns;
      look_at_activities(wait->_activity, each);
      each.thread = wait->_thread;
      each.in_job = wait->_in_job;
      each.nframes = wait->_nframes;
      each.frames = wait->_frames;
    }
  }
  seen.resize(count);
  std::sort(seen.begin(), seen.end(),
            [](const Seen& a, const Seen& b) { return a.begin_ns < b.begin_ns; });
  std::vector<WaitReport> reports;
  for (const Seen& each : seen) {
    const auto end = each.frames.begin() + static_cast<std::ptrdiff_t>(each.nframes);
    reports.push_back({now_ns > each.begin_ns ? now_ns - each.begin_ns : 0, what_of(each),
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
