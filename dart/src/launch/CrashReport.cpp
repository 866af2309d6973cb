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

struct Watched {
  int number;
  std::string_view name;
  bool has_address;
};
constexpr std::array<Watched, 6> watched{{
    {SIGSEGV, "SIGSEGV, an invalid memory access", true},
    {SIGBUS, "SIGBUS, an access to memory that is not there", true},
    {SIGFPE, "SIGFPE, an invalid arithmetic operation", true},
    {SIGILL, "SIGILL, an invalid instruction", true},
    {SIGABRT, "SIGABRT, abort()", false},
    {SIGTERM, "SIGTERM, told to end", false},
}};

constexpr std::size_t stack_bytes = std::size_t{64} * 1024;

/// What the handlers need. They read it at any time between install and remove.
struct CrashState {
  pid_t process = 0;
  std::array<char, 400> who{};
  std::size_t who_length = 0;
  std::array<struct sigaction, watched.size()> previous{};
  std::array<bool, watched.size()> installed{};
  std::atomic<bool> told{false};  // one line for each death
  std::terminate_handler previous_terminate = nullptr;
  void* stack = nullptr;  // ours, for the main thread's handlers
};

CrashState& state() noexcept {
  static CrashState instance;
  return instance;
}

/// A line, put together without memory of the heap and written at once.
class Line {
 public:
  Line& add(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), _text.size() - _length);
    std::memcpy(_text.data() + _length, text.data(), length);
    _length += length;
    return *this;
  }
  Line& add_hex(std::uintptr_t value) noexcept {
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

/// Whether the caller is the one to report the death of this process.
bool may_tell() noexcept {
  return ::getpid() == state().process && !state().told.exchange(true);
}

std::string_view who() noexcept {
  return {state().who.data(), state().who_length};
}

/// As if we had not been there. Only async-signal-safe calls, as in all that follows.
void pass_on(const struct sigaction& previous, int number, siginfo_t* info, void* context) {
  if ((previous.sa_flags & SA_SIGINFO) != 0) {
    previous.sa_sigaction(number, info, context);
  } else if (previous.sa_handler == SIG_DFL) {
    // Blocked while its handler runs: it strikes on return.
    ::sigaction(number, &previous, nullptr);
    ::raise(number);
  } else if (previous.sa_handler != SIG_IGN) {
    previous.sa_handler(number);
  }
}

void on_signal(int number, siginfo_t* info, void* context) {
  const int saved_errno = errno;
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (watched[i].number != number) continue;
    if (may_tell()) {
      Line line;
      line.add(who()).add(" died of ").add(watched[i].name);
      // Sent by somebody, it has no address.
      if (watched[i].has_address && info->si_code > 0) {
        line.add(", at ").add_hex(reinterpret_cast<std::uintptr_t>(info->si_addr));
      }
      line.write();
    }
    errno = saved_errno;
    pass_on(state().previous[i], number, info, context);
    return;
  }
}

[[noreturn]] void on_terminate() {
  if (may_tell()) {
    Line line;
    line.add(who()).add(" died of an uncaught exception");
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

void give_stack() noexcept {
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
  state().stack = memory;
}

void take_stack() noexcept {
  if (state().stack == nullptr) return;
  stack_t current{};
  if (::sigaltstack(nullptr, &current) == 0 && current.ss_sp == state().stack) {
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
    ::munmap(state().stack, stack_bytes);
  }
  state().stack = nullptr;
}

bool is_ours(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == on_signal;
}

}  // namespace

void install_crash_report(int unit, int nunits) {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) std::strcpy(host.data(), "?");
  state().process = ::getpid();
  const std::string text = fmt::format("dash: unit {} of {} (host {}, process {})", unit, nunits,
                                       host.data(), state().process);
  state().who_length = std::min(text.size(), state().who.size());
  std::memcpy(state().who.data(), text.data(), state().who_length);
  state().told.store(false);
  give_stack();
  for (std::size_t i = 0; i < watched.size(); ++i) {
    struct sigaction& previous = state().previous[i];
    ::sigaction(watched[i].number, nullptr, &previous);
    const bool by_default = (previous.sa_flags & SA_SIGINFO) == 0 && previous.sa_handler == SIG_DFL;
    const bool ignored = (previous.sa_flags & SA_SIGINFO) == 0 && previous.sa_handler == SIG_IGN;
    if (ignored || (watched[i].number == SIGTERM && !by_default)) continue;
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&ours.sa_mask);
    state().installed[i] = ::sigaction(watched[i].number, &ours, nullptr) == 0;
  }
  state().previous_terminate = std::set_terminate(on_terminate);
}

void remove_crash_report() noexcept {
  for (std::size_t i = 0; i < watched.size(); ++i) {
    if (!state().installed[i]) continue;
    state().installed[i] = false;
    struct sigaction current {};
    ::sigaction(watched[i].number, nullptr, &current);
    if (is_ours(current)) ::sigaction(watched[i].number, &state().previous[i], nullptr);
  }
  if (state().process != 0 && std::get_terminate() == on_terminate) {
    std::set_terminate(state().previous_terminate);
  }
  take_stack();
  state().process = 0;
}

}  // namespace dash::dart
