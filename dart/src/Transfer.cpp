#include "dash/dart/Transfer.h"

#include <memory>
#include <utility>

#include "Error.h"
#include "OneSided.h"
#include "Runtime.h"
#include "dash/async/Watch.h"
#include "dash/core/CopyKernel.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"

namespace dash::dart {

namespace {

/// Where a put with a signal goes.
struct SignalledPut {
  dart_gptr_t dest;
  std::size_t nbytes;
  dart_gptr_t signal;
  std::uint32_t value;

  Signal* signal_on_node() const noexcept {
    return static_cast<Signal*>(on_node_address(signal, sizeof(Signal)));
  }
  void check() const {
    GlobalMemory::check(dest, nbytes);
    GlobalMemory::check(signal, sizeof(Signal));
    if (dest.unitid != signal.unitid || dest.teamid != signal.teamid) {
      throw_error(DART_ERR_INVAL, "data for unit {} of team {}, but a signal of unit {} of team {}",
                  static_cast<int>(dest.unitid), dest.teamid, static_cast<int>(signal.unitid),
                  signal.teamid);
    }
  }
  /// \param with_it  bytes of data; those that go by a put of their own are counted there
  void count(std::size_t with_it) const noexcept {
    core::count(
        core::OperationKind::signal,
        signal_on_node() != nullptr ? core::OperationPath::memory : core::OperationPath::message,
        with_it);
  }
  void send_message(const void* src, std::size_t blocklen, std::size_t src_stride,
                    std::size_t nblocks) const {
    Runtime::get().driver().put_signal_message(remote_place(segment_of(dest), dest), src, blocklen,
                                               src_stride, nblocks,
                                               remote_place(segment_of(signal), signal), value);
  }
  /// The data being there already.
  void raise() const {
    if (Signal* word = signal_on_node()) {
      word->publish(value);
    } else {
      send_message(nullptr, 0, 0, 0);
    }
  }
};

/// Raises the signal when the data has arrived, and keeps a packed copy alive until then.
class RaiseWhenComplete final : public exec::Continuation {
 public:
  RaiseWhenComplete(SignalledPut put, std::unique_ptr<char[]> packed)
      : Continuation(Where::inline_), _put(put), _packed(std::move(packed)) {}

  void run() noexcept override {
    _put.raise();
    delete this;
  }

 private:
  SignalledPut _put;
  std::unique_ptr<char[]> _packed;
};

void raise_after(const exec::Operation& operation, const SignalledPut& put,
                 std::unique_ptr<char[]> packed) {
  auto* raise = new RaiseWhenComplete(put, std::move(packed));
  if (!operation.state() || !operation.state()->attach(*raise)) raise->run();
}

}  // namespace

exec::Operation get_async(void* dest, dart_gptr_t src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "get_async", nbytes);
  return translated([&] { return start_get(dest, src, nbytes); });
}

exec::Operation put_async(dart_gptr_t dest, const void* src, std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "put_async", nbytes);
  return translated([&] { return start_put(dest, src, nbytes); });
}

exec::Operation put_signal(dart_gptr_t dest, const void* src, std::size_t nbytes,
                           dart_gptr_t signal, std::uint32_t value) {
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  return translated([&]() -> exec::Operation {
    const SignalledPut put{dest, nbytes, signal, value};
    Runtime::get();
    put.check();
    if (put.signal_on_node() == nullptr && nbytes <= Message::max_payload) {
      put.count(nbytes);
      Runtime::get().driver().wait_for_room();
      put.send_message(src, nbytes, nbytes, nbytes == 0 ? 0 : 1);
      return {};
    }
    put.count(0);
    exec::Operation operation = start_put(dest, src, nbytes);
    raise_after(operation, put, nullptr);
    return operation;
  });
}

exec::Operation put_strided_signal(dart_gptr_t dest, const void* src, std::size_t blocklen,
                                   std::size_t src_stride, std::size_t nblocks, dart_gptr_t signal,
                                   std::uint32_t value) {
  const std::size_t nbytes = blocklen * nblocks;
  const core::TraceSpan span(core::TraceKind::call, "put_signal", nbytes);
  return translated([&]() -> exec::Operation {
    const SignalledPut put{dest, nbytes, signal, value};
    Runtime::get();
    put.check();
    if (void* to = on_node_address(dest, nbytes)) {
      put.count(nbytes);
      core::copy_strided(to, src, blocklen, src_stride, blocklen, nblocks);
      put.raise();
      return {};
    }
    if (nbytes <= Message::max_payload) {
      put.count(nbytes);
      Runtime::get().driver().wait_for_room();
      put.send_message(src, blocklen, src_stride, nblocks);
      return {};
    }
    auto packed = std::make_unique<char[]>(nbytes);
    core::copy_strided(packed.get(), src, blocklen, src_stride, blocklen, nblocks);
    put.count(0);
    const exec::Operation operation = start_put(dest, packed.get(), nbytes);
    raise_after(operation, put, std::move(packed));
    return {};  // the source has been read
  });
}

void wait_signal(Signal& signal, std::uint32_t value) {
  const exec::Purpose purpose("a signal that reaches {}", value);
  const core::TraceSpan span(core::TraceKind::call, "wait_signal");
  exec::Engine::instance().wait_shared(signal, [value](std::uint32_t current) {
    return static_cast<std::int32_t>(current - value) >= 0;
  });
}

bool test_signal(Signal& signal, std::uint32_t value) {
  const auto arrived = [&] {
    return static_cast<std::int32_t>(signal.value.load(std::memory_order_acquire) - value) >= 0;
  };
  if (arrived()) return true;
  exec::Engine::instance().progress();
  return arrived();
}

void complete_all() {
  translated([] { Runtime::get().outstanding().flush_all(); });
}

}  // namespace dash::dart
