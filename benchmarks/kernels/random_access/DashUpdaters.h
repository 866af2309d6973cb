#pragma once

#include "Kernel.h"

namespace random_access {

/// Creates an updater with DASH. \collective
std::unique_ptr<Updater> make_dash_updater(const Distribution& distribution, const std::string& via,
                                           const std::string& variant);

}  // namespace random_access
