#pragma once

#include "RmaDriver.h"
#include "Session.h"
#include "Team.h"

namespace dash::dart {

/// How puts get to other nodes: as the setting of unit 0 says, or as unit 0 measures with a unit of
/// another node, for some milliseconds, while all others wait for the outcome and so serve it.
/// Where units outnumber processors nothing is measured: it would be the scheduler.
/// \collective over all units
RmaDriver::MessagePuts choose_message_puts(const Session& session, RmaDriver& driver, Team& all);

}  // namespace dash::dart
