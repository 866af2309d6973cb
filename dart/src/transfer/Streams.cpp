// Streams of data between two units that both expect it.

#include <algorithm>

#include "base/Error.h"
#include "memory/GlobalMemory.h"
#include "network/messages/Messenger.h"
#include "api/Runtime.h"
#include "transfer/StreamSource.h"
#include "dash/async/Executor.h"
#include "dash/core/Clock.h"
#include "dash/core/Statistics.h"
#include "dash/core/Trace.h"
#include "dash/dart/Stream.h"
#include "dash/dart/Transfer.h"

namespace dash::dart {

namespace {

/// Looks of a caller that waits, before it looks for what else there is to do; the first several times.
constexpr int looks = 16;
constexpr int first_rounds = 4;
/// Looks for all at once, before: as long as neighbours take that are in the same step.
constexpr int looks_for_all = 32;

/// What MPI sends in blocks goes through its buffers, piece by piece, while the receiver empties them;
/// what is contiguous, and not small, it has the system copy from process to process. Between these
/// sizes the former is faster (decision 015).
constexpr std::size_t least_block_nbytes = 256;
constexpr std::size_t least_in_blocks_nbytes = std::size_t{16} << 10;
constexpr std::size_t most_in_blocks_nbytes = std::size_t{512} << 10;

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

/// How long a caller looks for nothing else: as a network needs for so much.
constexpr std::uint64_t look_ns(std::size_t nbytes) {
  return 20'000 + nbytes / 4;
}

}  // namespace

bool is_sent_in_blocks(std::size_t nbytes, std::size_t block_nbytes) noexcept {
  return block_nbytes >= least_block_nbytes && nbytes >= least_in_blocks_nbytes &&
         nbytes <= most_in_blocks_nbytes;
}

std::uint32_t num_streams(const dart_gptr_t& segment) {
  return translated([&] {
    GlobalMemory::check(segment, 0);
    return count_streams(segment);
  });
}

StreamEnds::StreamEnds() : _impl(std::make_unique<Impl>()) {
  StreamSource::instance().add(*_impl);
}

StreamEnds::~StreamEnds() {
  StreamSource::instance().remove(*_impl);
}

StreamEnds::Transfer StreamEnds::add_send(const dart_gptr_t& peer, std::uint32_t stream,
                                          const void* src, std::size_t nbytes, Signal& signal) {
  return translated([&] {
    const End end = end_of(peer, stream);
    // MPI reads it only.
    return _impl->add(Impl::Direction::send, const_cast<void*>(src), nbytes, end.unit, end.tag,
                      signal);
  });
}

StreamEnds::Transfer StreamEnds::add_send(const dart_gptr_t& peer, std::uint32_t stream,
                                          const StridedBytes& src, std::size_t nbytes,
                                          Signal& signal) {
  return translated([&] {
    const End end = end_of(peer, stream);
    return _impl->add_send(src, nbytes, end.unit, end.tag, signal);
  });
}

StreamEnds::Transfer StreamEnds::add_receive(const dart_gptr_t& peer, std::uint32_t stream,
                                             void* dest, std::size_t nbytes, Signal& signal) {
  return translated([&] {
    const End end = end_of(peer, stream);
    return _impl->add(Impl::Direction::receive, dest, nbytes, end.unit, end.tag, signal);
  });
}

void StreamEnds::start(std::span<const Transfer> transfers, std::uint32_t value) {
  translated([&] { _impl->start(transfers, value); });
}

bool StreamEnds::has_come(const dart_gptr_t& peer, std::uint32_t stream) const {
  return translated([&] {
    const End end = end_of(peer, stream);
    return Impl::has_come(end.unit, end.tag);
  });
}

void StreamEnds::look_for_all() {
  if (exec::in_job() || exec::on_progress_thread()) return;
  StreamSource::instance().count_caller();
  translated([&] { _impl->look_for_all(looks_for_all); });
}

void StreamEnds::wait(Signal& signal, std::uint32_t value) {
  const auto reached = [&] {
    return signal_reached(signal.value.load(std::memory_order_acquire), value);
  };
  if (reached()) return;
  if (!exec::in_job() && !exec::on_progress_thread()) {
    const core::TraceSpan span(core::TraceKind::wait, "wait for a stream");
    translated([&] { _impl->look_for(reached); });
    if (reached()) return core::count(core::Counter::waits_spun);
  }
  wait_signal(signal, value);
}

void StreamEnds::Impl::look_for(exec::FunctionRef<bool()> done) {
  StreamSource& source = StreamSource::instance();
  source.count_caller();
  for (int round = 0; round < first_rounds && !done(); ++round)
    look(looks);
  if (done() || Runtime::get().session().oversubscribed()) return;
  exec::Engine& engine = exec::Engine::instance();
  const std::uint64_t end = core::now_ns() + look_ns(nbytes_under_way());
  while (!done() && core::now_ns() < end) {
    source.count_caller();
    look(looks);
    // Others may need this unit, too.
    if (!done()) engine.progress();
  }
}

}  // namespace dash::dart
