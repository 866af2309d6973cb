#include "PutCalibration.h"

#include <algorithm>
#include <array>
#include <vector>

#include "dash/core/Clock.h"
#include "dash/core/Settings.h"

namespace dash::dart {

namespace {

constexpr std::size_t rounds = 15;
constexpr std::uint64_t longest_ns = 3'000'000;  // for each size
/// What is started and not waited for costs its starter less by RMA; so a message has to save that
/// much, as it does where each message of the network takes long.
constexpr bool worth_starting_by_message(std::uint64_t by_message, std::uint64_t by_rma) {
  return by_rma > by_message + 5000 && by_rma > by_message * 3 / 2;
}

constexpr RmaDriver::MessagePuts all_by_message{Message::max_payload, Message::max_payload};
constexpr RmaDriver::MessagePuts all_by_rma{0, 0};

/// The lower quartile: whoever else runs on the machine can only make it longer.
std::uint64_t typical(std::vector<std::uint64_t>& times) {
  const auto place = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 4);
  std::nth_element(times.begin(), place, times.end());
  return *place;
}

struct Times {
  std::uint64_t by_message;
  std::uint64_t by_rma;
};

/// Both ways in turns.
Times measure(RmaDriver& driver, const RemotePlace& place, std::size_t nbytes) {
  const std::array<std::byte, Message::max_payload> zeros{};
  std::vector<std::uint64_t> by_message;
  std::vector<std::uint64_t> by_rma;
  const auto put = [&](const RmaDriver::MessagePuts& way, std::vector<std::uint64_t>& times) {
    driver.set_message_puts(way);
    const std::uint64_t begin = core::now_ns();
    driver.put_blocking(place, zeros.data(), nbytes);
    times.push_back(core::now_ns() - begin);
  };
  const std::uint64_t end = core::now_ns() + longest_ns;
  while (by_rma.empty() || (by_rma.size() < rounds && core::now_ns() < end)) {
    put(all_by_message, by_message);
    put(all_by_rma, by_rma);
  }
  return {typical(by_message), typical(by_rma)};
}

RmaDriver::MessagePuts calibrate(const Session& session, RmaDriver& driver) {
  const Layout& layout = session.layout();
  const auto other = std::find_if(layout.node_of.begin(), layout.node_of.end(),
                                  [&](std::int32_t node) { return node != layout.node; });
  RemotePlace place;
  place.unit = place.rank = static_cast<int>(other - layout.node_of.begin());
  place.window = session.window();
  place.displacement = place.place = HeapPlan::scratch;
  RmaDriver::MessagePuts chosen = all_by_rma;
  for (const std::size_t nbytes : {std::size_t{8}, std::size_t{512}, Message::max_payload}) {
    const Times times = measure(driver, place, nbytes);
    if (times.by_message > times.by_rma) break;
    chosen.blocking = nbytes;
    if (worth_starting_by_message(times.by_message, times.by_rma)) chosen.started = nbytes;
  }
  return chosen;
}

}  // namespace

RmaDriver::MessagePuts choose_message_puts(const Session& session, RmaDriver& driver, Team& all) {
  RmaDriver::MessagePuts chosen;
  if (session.layout().nnodes == 1) return chosen;
  if (all.my_id() == 0) {
    switch (core::settings().put_protocol) {
      case core::PutProtocol::rma:
        chosen = all_by_rma;
        break;
      case core::PutProtocol::message:
        chosen = all_by_message;
        break;
      case core::PutProtocol::automatic:
        if (!session.oversubscribed()) chosen = calibrate(session, driver);
        break;
    }
  }
  all.bcast(&chosen, sizeof chosen, 0);
  return chosen;
}

}  // namespace dash::dart
