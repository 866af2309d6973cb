#include "dash/core/Log.h"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_sinks.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <utility>

namespace dash::core {
namespace {

// Independent values: relaxed order suffices, except for a pointer to text, which is released and acquired.
constinit std::atomic<LogLevel> g_level{LogLevel::warn};
constinit std::atomic<int> g_unit{-1};
constinit std::atomic<int> g_nunits{0};
constinit std::atomic<const char*> g_name{nullptr};  // of a process that is no unit
constinit int g_own_switch = 1;
constinit std::atomic<int*> g_switch{&g_own_switch};

/// The switch, which an application may modify as a plain int.
std::atomic_ref<int> log_switch() noexcept {
  return std::atomic_ref<int>(*g_switch.load(std::memory_order_acquire));
}

spdlog::level::level_enum spdlog_level(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::error:
      return spdlog::level::err;
    case LogLevel::warn:
      return spdlog::level::warn;
    case LogLevel::info:
      return spdlog::level::info;
    case LogLevel::debug:
      return spdlog::level::debug;
    case LogLevel::trace:
      return spdlog::level::trace;
  }
  return spdlog::level::err;
}

spdlog::logger* make_logger() {
#if defined(DASH_LOG_OUTPUT_STDOUT)
  auto sink = std::make_shared<spdlog::sinks::stdout_sink_mt>();
#else
  auto sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
#endif
  auto* result = new spdlog::logger("dash", std::move(sink));
  result->set_pattern("%Y-%m-%d %H:%M:%S.%e [%l] %v");
  result->set_level(spdlog::level::trace);  // log_enabled() decides
  // A line that cannot be written is lost: there is no other place to report it.
  result->set_error_handler([](const std::string&) {});
  return result;
}

// A separate logger: spdlog's default logger belongs to the application. Never destroyed, since destructors
// of static objects may still log.
spdlog::logger& logger() {
  static spdlog::logger* const instance = make_logger();
  return *instance;
}

std::string prefix() {
  if (const char* const name = g_name.load(std::memory_order_acquire)) {
    return "[" + std::string(name) + "] ";
  }
  const int unit = g_unit.load(std::memory_order_relaxed);
  if (unit < 0) {
    return "[unit ?] ";
  }
  const int largest = g_nunits.load(std::memory_order_relaxed) - 1;
  const std::string digits = std::to_string(unit);
  const std::size_t width = std::max(digits.size(), std::to_string(std::max(largest, 0)).size());
  return "[unit " + std::string(width - digits.size(), ' ') + digits + "] ";
}

}  // namespace

void log(LogLevel level, std::string_view text) noexcept {
  if (!log_enabled(level)) {
    return;
  }
  try {
    const std::string line = prefix().append(text);
    logger().log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
    logger().flush();
  } catch (...) {
    // Out of memory, or the logger could not be created. Logging never fails for its caller.
  }
}

bool log_enabled(LogLevel level) noexcept {
  return log_switch().load(std::memory_order_relaxed) != 0 &&
         level <= g_level.load(std::memory_order_relaxed);
}

void set_log_level(LogLevel level) noexcept {
  g_level.store(level, std::memory_order_relaxed);
}

void set_log_unit(int unit, int nunits) noexcept {
  g_nunits.store(nunits, std::memory_order_relaxed);
  g_unit.store(unit, std::memory_order_relaxed);
  g_name.store(nullptr, std::memory_order_relaxed);
}

void set_log_name(const char* name) noexcept {
  g_unit.store(-1, std::memory_order_relaxed);
  g_name.store(name, std::memory_order_release);
}

int log_unit() noexcept {
  return g_unit.load(std::memory_order_relaxed);
}

void set_log_enabled(bool enabled) noexcept {
  log_switch().store(enabled ? 1 : 0, std::memory_order_relaxed);
}

void use_log_switch(int* flag) noexcept {
  *flag = log_switch().load(std::memory_order_relaxed);
  g_switch.store(flag, std::memory_order_release);
}

}  // namespace dash::core
