#pragma once

#include "support/UserError.h"

namespace apps {

/// Wrong use or an unusable file: the text is one sentence for the person who started the program,
/// naming what was given and what is expected.
using kernels::UserError;

}  // namespace apps
