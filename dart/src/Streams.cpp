// Streams of data between two units that both expect it.

#include <algorithm>
#include <memory>
#include <utility>

#include "Error.h"
#include "GlobalMemory.h"
#include "OneSided.h"
#include "Runtime.h"
#include "dash/async/Executor.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "dash/dart/Stream.h"
#include "dash/dart/Transfer.h"

namespace dash::dart {

namespace {

/// Raises a signal of this unit when data has come.
class Receipt final : public Request {
 public:
  Receipt(Signal& signal, std::uint32_t value) noexcept : _signal(signal), _value(value) {}

 private:
  void finish() noexcept override { raise_signal(_signal, _value, SignalOp::set); }

  Signal& _signal;
  std::uint32_t _value;
};

/// The other end of a stream.
struct End {
  int unit;
  int tag;
};

std::uint32_t first_tag(const dart_gptr_t& segment) {
  const auto number = static_cast<std::uint16_t>(segment.segid);
  return Messenger::first_stream_tag + number * max_streams;
}

std::uint32_t count_streams(const dart_gptr_t& segment) {
  const auto end = static_cast<std::uint32_t>(Runtime::get().two_sided().largest_tag()) + 1;
  return std::min(max_streams, end - std::min(end, first_tag(segment)));
}

End end_of(const dart_gptr_t& peer, std::uint32_t stream) {
  const Segment& segment = GlobalMemory::check(peer, 0);
  const std::uint32_t streams = count_streams(peer);
  if (stream >= streams) {
    throw_error(DART_ERR_INVAL,
                "stream {} of segment {}: there are {} streams, with tags of MPI up to {}", stream,
                peer.segid, streams, Runtime::get().two_sided().largest_tag());
  }
  return {segment.units[peer.unitid], static_cast<int>(first_tag(peer) + stream)};
}

}  // namespace

std::uint32_t num_streams(const dart_gptr_t& segment) {
  return translated([&] {
    GlobalMemory::check(segment, 0);
    return count_streams(segment);
  });
}

exec::Operation send_in_stream(const dart_gptr_t& peer, std::uint32_t stream, const void* src,
                               std::size_t nbytes) {
  const core::TraceSpan span(core::TraceKind::call, "send_in_stream", nbytes);
  return translated([&] {
    const End end = end_of(peer, stream);
    RmaDriver& driver = Runtime::get().driver();
    driver.wait_for_room();
    core::count(core::OperationKind::signal, core::OperationPath::two_sided, nbytes);
    return driver.send_stream(src, nbytes, end.unit, end.tag);
  });
}

void receive_in_stream(const dart_gptr_t& peer, std::uint32_t stream, void* dest,
                       std::size_t nbytes, Signal& signal, std::uint32_t value) {
  translated([&] {
    const End end = end_of(peer, stream);
    RmaDriver& driver = Runtime::get().driver();
    driver.wait_for_room();
    auto* const receipt = new Receipt(signal, value);
    const auto request = exec::StatePtr<Request>::adopt(receipt);
    const Start start(*receipt);
    driver.receive_stream(*receipt, dest, nbytes, end.unit, end.tag);
  });
}

void wait_received(Signal& signal, std::uint32_t value) {
  const auto received = [&] {
    return signal_reached(signal.value.load(std::memory_order_acquire), value);
  };
  if (!received() && !exec::in_job() && !exec::on_progress_thread()) {
    translated([&] { Runtime::get().driver().look_for(received); });
  }
  wait_signal(signal, value);
}

}  // namespace dash::dart
