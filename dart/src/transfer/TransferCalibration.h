#pragma once

#include "launch/Session.h"
#include "memory/GlobalMemory.h"
#include "network/rma/RmaDriver.h"
#include "teams/Team.h"

namespace dash::dart {

/// Chooses the protocols of transfers between nodes: as the setting of unit 0 says, or by a
/// measurement of some milliseconds between unit 0 and a unit of another node, while all other
/// units wait for the result and make progress.
///
/// Nothing is measured if units outnumber processors: the result would depend on the scheduler.
/// A flush is chosen only if each unit has a progress thread and a processor, so that each target
/// makes progress at least once per polling interval of its thread.
/// \collective over all units
TransferProtocols choose_transfer_protocols(const Session& session, RmaDriver& driver,
                                            GlobalMemory& memory, Team& all);

}  // namespace dash::dart
