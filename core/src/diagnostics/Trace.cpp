#include "dash/core/Trace.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "dash/core/Spin.h"

namespace dash::core {

std::atomic<bool> trace_on{false};

namespace {

constexpr std::size_t max_events = 1'000'000;
constexpr std::size_t max_names = 4096;

/// Escapes a name for a JSON string. Removes characters outside of ASCII, since a name may be truncated
/// within a multi-byte character.
std::string escaped(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c < ' ' || c > '~') continue;
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

struct Event {
  enum class Phase : std::uint8_t { span, begin, end, suspended_span };

  std::uint64_t begin_ns;
  std::uint64_t end_ns;  // of spans
  const char* name;
  const void* id;  // of asynchronous operations
  std::size_t nbytes;
  std::int32_t peer;
  TraceKind kind;
  Phase phase;
};
static_assert(sizeof(Event) == 48);

/// The events of one thread. Outlives the thread.
struct Buffer {
  SpinLock lock;  // taken by the thread and by write_trace()
  std::vector<Event> events;
  std::string thread_name;
};

struct Trace {
  std::mutex mutex;  // guards the list, and the names
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::unordered_set<std::string> names;
  // Relaxed: only the number is used.
  std::atomic<std::size_t> recorded{0};
};

Trace& trace() {
  static Trace* const instance = new Trace();  // threads may record at exit
  return *instance;
}

Buffer& buffer_of_this_thread() {
  static thread_local Buffer* buffer = nullptr;
  if (buffer == nullptr) {
    auto made = std::make_unique<Buffer>();
    std::array<char, 32> name{};
    pthread_getname_np(pthread_self(), name.data(), name.size());
    made->thread_name = gettid() == getpid() ? "main" : name.data();
    std::lock_guard lock(trace().mutex);
    buffer = trace().buffers.emplace_back(std::move(made)).get();
  }
  return *buffer;
}

void record(const Event& event) noexcept {
  if (trace().recorded.fetch_add(1, std::memory_order_relaxed) >= max_events) return;
  try {
    Buffer& buffer = buffer_of_this_thread();
    std::lock_guard lock(buffer.lock);
    buffer.events.push_back(event);
  } catch (const std::bad_alloc&) {
    trace().recorded.fetch_add(max_events, std::memory_order_relaxed);
  }
}

constexpr std::array<const char*, 7> kind_names{"call", "wait",     "operation", "collective",
                                                "copy", "progress", "task"};

/// Number of the current execution of a fiber by the calling thread; 0 on its own stack. Accessed by
/// functions that are not inlined, since the span of a suspended task may end on another thread, and
/// compilers keep addresses of thread_local variables.
thread_local std::uint64_t fiber_run = 0;
/// Relaxed: only the number is used.
std::atomic<std::uint64_t> num_fiber_runs{0};

[[gnu::noinline]] std::uint64_t exchange_fiber_run(std::uint64_t next) noexcept {
  return std::exchange(fiber_run, next);
}
[[gnu::noinline]] std::uint64_t fiber_run_of_this_thread() noexcept {
  return fiber_run;
}

/// Appends the lines of events of one unit to a file.
class Writer {
 public:
  Writer(std::FILE* file, int unit, std::uint64_t zero_ns) noexcept
      : _file(file), _unit(unit), _zero_ns(zero_ns) {}

  void write(const Event& event, std::size_t thread) {
    using Phase = Event::Phase;
    const bool is_span = event.phase == Phase::span;
    start(event, thread, event.begin_ns, is_span ? "X" : event.phase == Phase::end ? "e" : "b");
    if (is_span) {
      fmt::format_to(std::back_inserter(_line), R"(,"dur":{:.3f})",
                     static_cast<double>(event.end_ns - event.begin_ns) / 1e3);
    }
    add_arguments(event);
    finish();
    if (event.phase != Phase::suspended_span) return;
    start(event, thread, event.end_ns, "e");
    finish();
  }

  /// \param arguments  in JSON
  void write_metadata(const char* name, const std::string& thread, const std::string& arguments) {
    _line = fmt::format(R"(,{{"name":"{}","ph":"M","pid":{}{},"args":{{{}}})", name, _unit, thread,
                        arguments);
    finish();
  }

 private:
  void start(const Event& event, std::size_t thread, std::uint64_t at_ns, const char* phase) {
    const double us = (static_cast<double>(at_ns) - static_cast<double>(_zero_ns)) / 1e3;
    _line = fmt::format(R"(,{{"name":"{}","cat":"{}","ph":"{}","pid":{},"tid":{},"ts":{:.3f})",
                        event.name, kind_names[static_cast<std::size_t>(event.kind)], phase, _unit,
                        thread, us);
    if (event.id != nullptr)
      fmt::format_to(std::back_inserter(_line), R"(,"id2":{{"local":"{}"}})", event.id);
  }

  void add_arguments(const Event& event) {
    if (event.nbytes == 0 && event.peer == no_peer) return;
    _line += R"(,"args":{)";
    if (event.nbytes != 0) fmt::format_to(std::back_inserter(_line), R"("bytes":{})", event.nbytes);
    if (event.peer != no_peer) {
      fmt::format_to(std::back_inserter(_line), R"({}"peer":{})", event.nbytes != 0 ? "," : "",
                     event.peer);
    }
    _line += '}';
  }

  void finish() {
    _line += "}\n";
    std::fputs(_line.c_str(), _file);
  }

  std::FILE* _file;
  int _unit;
  std::uint64_t _zero_ns;
  std::string _line;
};

}  // namespace

void start_trace() {
  std::lock_guard lock(trace().mutex);
  for (const std::unique_ptr<Buffer>& buffer : trace().buffers) {
    std::lock_guard buffer_lock(buffer->lock);
    buffer->events.clear();
  }
  trace().recorded.store(0, std::memory_order_relaxed);
  trace_on.store(true, std::memory_order_relaxed);
}

void stop_trace() noexcept {
  trace_on.store(false, std::memory_order_relaxed);
}

const char* trace_name(const std::string& name) {
  const std::lock_guard lock(trace().mutex);
  std::unordered_set<std::string>& names = trace().names;
  if (names.size() >= max_names) {
    const auto known = names.find(name);
    return known == names.end() ? nullptr : known->c_str();
  }
  return names.insert(name).first->c_str();
}

void trace_span(TraceKind kind, const char* name, std::uint64_t begin_ns, std::uint64_t end_ns,
                std::size_t nbytes, int peer) noexcept {
  record({begin_ns, end_ns, name, nullptr, nbytes, peer, kind, Event::Phase::span});
}

void trace_flight_begin(TraceKind kind, const char* name, const void* id, std::size_t nbytes,
                        int peer) noexcept {
  record({now_ns(), 0, name, id, nbytes, peer, kind, Event::Phase::begin});
}

void trace_flight_end(TraceKind kind, const char* name, const void* id) noexcept {
  record({now_ns(), 0, name, id, 0, no_peer, kind, Event::Phase::end});
}

void TraceSpan::begin() noexcept {
  _fiber_run = fiber_run_of_this_thread();
  _begin_ns = now_ns();
}

void TraceSpan::end() noexcept {
  const bool suspended = fiber_run_of_this_thread() != _fiber_run;
  record({_begin_ns, now_ns(), _name, suspended ? this : nullptr, _nbytes, _peer, _kind,
          suspended ? Event::Phase::suspended_span : Event::Phase::span});
}

void FiberTraceScope::begin() noexcept {
  _outer = exchange_fiber_run(num_fiber_runs.fetch_add(1, std::memory_order_relaxed) + 1);
}

void FiberTraceScope::end() noexcept {
  exchange_fiber_run(_outer);
}

std::size_t write_trace(std::FILE* file, int unit, std::uint64_t zero_ns) {
  std::lock_guard lock(trace().mutex);
  Writer writer(file, unit, zero_ns);
  writer.write_metadata("process_name", "", fmt::format(R"("name":"unit {}")", unit));
  std::size_t thread = 0;
  for (const std::unique_ptr<Buffer>& buffer : trace().buffers) {
    std::lock_guard buffer_lock(buffer->lock);
    writer.write_metadata("thread_name", fmt::format(R"(,"tid":{})", thread),
                          fmt::format(R"("name":"{}")", escaped(buffer->thread_name)));
    for (const Event& event : buffer->events)
      writer.write(event, thread);
    ++thread;
  }
  const std::size_t recorded = trace().recorded.load(std::memory_order_relaxed);
  const std::size_t dropped = recorded > max_events ? recorded - max_events : 0;
  if (dropped != 0)
    writer.write_metadata("dropped_events", "", fmt::format(R"("events":{})", dropped));
  return dropped;
}

}  // namespace dash::core
