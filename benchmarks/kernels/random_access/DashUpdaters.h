#pragma once

#include "Kernel.h"

namespace random_access {

/// On the library. \collective
std::unique_ptr<Updater> make_dash_updater(const Distribution& distribution, const std::string& via,
                                           const std::string& variant);

}  // namespace random_access
