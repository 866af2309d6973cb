#pragma once

#include "dash/dart/TaskMessage.h"

namespace dash::internal {

/// The batches of all aggregators of this unit, which threads send that poll.
dart::MessageBatches& open_batches();

}  // namespace dash::internal
