#pragma once

#include "support/UserError.h"

namespace apps {

/// Wrong use or an unusable file. The message is one sentence for the user, which names the given
/// and the expected value.
using kernels::UserError;

}  // namespace apps
