#include "launch/CrashReport.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

namespace dash::dart {

namespace {

struct WatchedSignal {
  int number;
  std::string_view name;
  bool has_address;
};
constexpr std::array<WatchedSignal, 6> watched_signals{{
    {SIGSEGV, "SIGSEGV, an invalid memory access", true},
    {SIGBUS, "SIGBUS, an access to memory that does not exist", true},
    {SIGFPE, "SIGFPE, an invalid arithmetic operation", true},
    {SIGILL, "SIGILL, an invalid instruction", true},
    {SIGABRT, "SIGABRT, abort()", false},
    {SIGTERM, "SIGTERM, a request to terminate", false},
}};

constexpr std::size_t stack_bytes = std::size_t{64} * 1024;

/// Data of the signal handlers, which may read it at any time between installation and removal.
struct CrashState {
  pid_t process = 0;
  std::array<char, 400> unit_name{};
  std::size_t unit_name_length = 0;
  std::array<struct sigaction, watched_signals.size()> previous{};
  std::array<bool, watched_signals.size()> installed{};
  // A process reports its termination once. Relaxed: only one exchange returns false, and it
  // publishes no data.
  std::atomic<bool> reported{false};
  std::terminate_handler previous_terminate = nullptr;
  void* signal_stack = nullptr;  // allocated here for the handlers of the main thread
};

CrashState& state() noexcept {
  static CrashState instance;
  return instance;
}

/// A line of text, built without heap memory and written by one system call.
class SignalSafeLine {
 public:
  SignalSafeLine& add(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), _text.size() - _length);
    std::memcpy(_text.data() + _length, text.data(), length);
    _length += length;
    return *this;
  }
  SignalSafeLine& add_hex(std::uintptr_t value) noexcept {
    std::array<char, 2 + 2 * sizeof value> digits{};
    std::size_t begin = digits.size();
    do {
      digits[--begin] = "0123456789abcdef"[value % 16];
      value /= 16;
    } while (value != 0);
    add("0x");
    return add({digits.data() + begin, digits.size() - begin});
  }
  void write() noexcept {
    add("\n");
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, _text.data(), _length);
  }

 private:
  std::array<char, 1024> _text;
  std::size_t _length = 0;
};

/// Claims the report of this process's termination.
/// \returns true for the first caller only, and never in a forked child
bool claim_report() noexcept {
  return ::getpid() == state().process &&
         !state().reported.exchange(true, std::memory_order_relaxed);
}

std::string_view unit_name() noexcept {
  return {state().unit_name.data(), state().unit_name_length};
}

/// Calls the previous handler or restores the default action. Like every function that a handler calls, it
/// makes async-signal-safe calls only.
void call_previous_handler(const struct sigaction& previous, int number, siginfo_t* info,
                           void* context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler == SIG_DFL) {
    // The signal is blocked while its handler runs; it is delivered when the handler returns.
    ::sigaction(number, &previous, nullptr);
    ::raise(number);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  }
}

void on_signal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  for (std::size_t i = 0; i < watched_signals.size(); ++i) {
    if (watched_signals[i].number != number) continue;
    if (claim_report()) {
      SignalSafeLine line;
      line.add(unit_name()).add(" was terminated by ").add(watched_signals[i].name);
      // A signal sent by a process (si_code <= 0) has no address.
      if (watched_signals[i].has_address && info->si_code > 0) {
        line.add(", at ").add_hex(reinterpret_cast<std::uintptr_t>(info->si_addr));
      }
      line.write();
    }
    errno = saved_errno;
    call_previous_handler(state().previous[i], number, info, context);
    return;
  }
}

[[noreturn]] void on_terminate() {
  if (claim_report()) {
    SignalSafeLine line;
    line.add(unit_name()).add(" was terminated by an uncaught exception");
    try {
      if (std::current_exception()) throw;
    } catch (const std::exception& error) {
      line.add(": ").add(error.what());
    } catch (...) {
    }
    line.write();
  }
  if (state().previous_terminate != nullptr) state().previous_terminate();
  std::abort();
}

/// Allocates an alternate signal stack for the calling thread if it has none.
void install_signal_stack() noexcept {
  stack_t current{};
  if (::sigaltstack(nullptr, &current) != 0 || (current.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = ::mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  stack_t ours{};
  ours.ss_sp = memory;
  ours.ss_size = stack_bytes;
  if (::sigaltstack(&ours, nullptr) != 0) {
    ::munmap(memory, stack_bytes);
    return;
  }
  state().signal_stack = memory;
}

void remove_signal_stack() noexcept {
  if (state().signal_stack == nullptr) return;
  stack_t current{};
  if (::sigaltstack(nullptr, &current) == 0 && current.ss_sp == state().signal_stack) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(state().signal_stack, stack_bytes);
  }
  state().signal_stack = nullptr;
}

bool is_own_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

}  // namespace

void install_crash_report(std::string_view name) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "?");
  state().process = ::getpid();
  const std::string text =
      fmt::format("dash: {} (host {}, process {})", name, host.data(), state().process);
  state().unit_name_length = std::min(text.size(), state().unit_name.size());
  std::memcpy(state().unit_name.data(), text.data(), state().unit_name_length);
  state().reported.store(false, std::memory_order_relaxed);
  install_signal_stack();
  for (std::size_t i = 0; i < watched_signals.size(); ++i) {
    struct sigaction& previous = state().previous[i];
    ::sigaction(watched_signals[i].number, nullptr, &previous);
    const bool by_default = (previous.sa_flags & SA_SIGINFO) == 0 && previous.sa_handler == SIG_DFL;
    const bool ignored = (previous.sa_flags & SA_SIGINFO) == 0 && previous.sa_handler == SIG_IGN;
    if (ignored || (watched_signals[i].number == SIGTERM && !by_default)) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&ours.sa_mask);
    state().installed[i] = ::sigaction(watched_signals[i].number, &ours, nullptr) == 0;
  }
  state().previous_terminate = std::set_terminate(on_terminate);
}

void remove_crash_report() noexcept {
  for (std::size_t i = 0; i < watched_signals.size(); ++i) {
    if (!state().installed[i]) continue;
    state().installed[i] = false;
    struct sigaction current {};
    ::sigaction(watched_signals[i].number, nullptr, &current);
    if (is_own_handler(current))
      ::sigaction(watched_signals[i].number, &state().previous[i], nullptr);
  }
  if (state().process != 0 && std::get_terminate() == on_terminate) {
    std::set_terminate(state().previous_terminate);
  }
  remove_signal_stack();
  state().process = 0;
}

}  // namespace dash::dart
