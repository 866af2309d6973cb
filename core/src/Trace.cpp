#include "dash/core/Trace.h"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "dash/core/Spin.h"

namespace dash::core {

std::atomic<bool> trace_on{false};

namespace {

constexpr std::size_t most_events = 1'000'000;

struct Event {
  enum class Phase : std::uint8_t { span, begin, end };

  std::uint64_t begin_ns;
  std::uint64_t end_ns;  // of a span
  const char* name;
  const void* id;  // of what is in flight
  std::size_t nbytes;
  TraceKind kind;
  Phase phase;
};

/// What one thread has recorded. It outlives the thread.
struct Buffer {
  SpinLock lock;  // of the thread, and of who writes the file
  std::vector<Event> events;
  std::string thread_name;
};

struct Trace {
  std::mutex mutex;  // guards the list
  std::vector<std::unique_ptr<Buffer>> buffers;
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
  if (trace().recorded.fetch_add(1, std::memory_order_relaxed) >= most_events) return;
  try {
    Buffer& buffer = buffer_of_this_thread();
    std::lock_guard lock(buffer.lock);
    buffer.events.push_back(event);
  } catch (const std::bad_alloc&) {
    trace().recorded.fetch_add(most_events, std::memory_order_relaxed);
  }
}

constexpr std::array<const char*, 6> kind_names{"call", "wait",     "operation",
                                                "copy", "progress", "task"};

std::string line_of(const Event& event, int unit, std::size_t thread, std::uint64_t zero_ns) {
  const auto us = [zero_ns](std::uint64_t ns) {
    return (static_cast<double>(ns) - static_cast<double>(zero_ns)) / 1e3;
  };
  std::string line = fmt::format(R"(,{{"name":"{}","cat":"{}","pid":{},"tid":{},"ts":{:.3f})",
                                 event.name, kind_names[static_cast<std::size_t>(event.kind)], unit,
                                 thread, us(event.begin_ns));
  switch (event.phase) {
    case Event::Phase::span:
      line += fmt::format(R"(,"ph":"X","dur":{:.3f})",
                          static_cast<double>(event.end_ns - event.begin_ns) / 1e3);
      break;
    case Event::Phase::begin:
      line += fmt::format(R"(,"ph":"b","id2":{{"local":"{}"}})", event.id);
      break;
    case Event::Phase::end:
      line += fmt::format(R"(,"ph":"e","id2":{{"local":"{}"}})", event.id);
      break;
  }
  if (event.nbytes != 0) line += fmt::format(R"(,"args":{{"bytes":{}}})", event.nbytes);
  return line + "}\n";
}

}  // namespace

void start_trace() {
  std::lock_guard lock(trace().mutex);
  for (const std::unique_ptr<Buffer>& buffer : trace().buffers)
    buffer->events.clear();
  trace().recorded.store(0, std::memory_order_relaxed);
  trace_on.store(true, std::memory_order_relaxed);
}

void stop_trace() noexcept {
  trace_on.store(false, std::memory_order_relaxed);
}

void trace_span(TraceKind kind, const char* name, std::uint64_t begin_ns, std::uint64_t end_ns,
                std::size_t nbytes) noexcept {
  record({begin_ns, end_ns, name, nullptr, nbytes, kind, Event::Phase::span});
}

void trace_flight_begin(TraceKind kind, const char* name, const void* id,
                        std::size_t nbytes) noexcept {
  record({now_ns(), 0, name, id, nbytes, kind, Event::Phase::begin});
}

void trace_flight_end(TraceKind kind, const char* name, const void* id) noexcept {
  record({now_ns(), 0, name, id, 0, kind, Event::Phase::end});
}

std::size_t write_trace(std::FILE* file, int unit, std::uint64_t zero_ns) {
  std::lock_guard lock(trace().mutex);
  std::fputs(
      fmt::format(R"(,{{"name":"process_name","ph":"M","pid":{},"args":{{"name":"unit {}"}}}})"
                  "\n",
                  unit, unit)
          .c_str(),
      file);
  std::size_t thread = 0;
  for (const std::unique_ptr<Buffer>& buffer : trace().buffers) {
    std::lock_guard buffer_lock(buffer->lock);
    std::fputs(
        fmt::format(R"(,{{"name":"thread_name","ph":"M","pid":{},"tid":{},"args":{{"name":"{}"}}}})"
                    "\n",
                    unit, thread, buffer->thread_name)
            .c_str(),
        file);
    for (const Event& event : buffer->events)
      std::fputs(line_of(event, unit, thread, zero_ns).c_str(), file);
    ++thread;
  }
  const std::size_t recorded = trace().recorded.load(std::memory_order_relaxed);
  return recorded > most_events ? recorded - most_events : 0;
}

}  // namespace dash::core
