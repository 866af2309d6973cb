#pragma once

#include "memory/GlobalMemory.h"
#include "network/rma/RmaDriver.h"
#include "launch/Session.h"
#include "teams/Team.h"

namespace dash::dart {

/// How transfers get to other nodes: as the setting of unit 0 says, or as unit 0 measures with a unit of
/// another node, for some milliseconds, while all others wait for the outcome and so serve it.
/// Where units outnumber processors nothing is measured: it would be the scheduler. A flush is
/// chosen only where each unit has a progress thread and a processor: no target is silent for longer
/// than the interval of its thread.
/// \collective over all units
RmaDriver::TransferWays choose_transfer_ways(const Session& session, RmaDriver& driver,
                                             GlobalMemory& memory, Team& all);

}  // namespace dash::dart
