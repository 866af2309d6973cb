#pragma once

/// \file
/// The C interface of the runtime.

#include "dash/dart/if/dart_communication.h"
#include "dash/dart/if/dart_config.h"
#include "dash/dart/if/dart_globmem.h"
#include "dash/dart/if/dart_initialization.h"
#include "dash/dart/if/dart_old_forms.h"
#include "dash/dart/if/dart_synchronization.h"
#include "dash/dart/if/dart_team_group.h"
#include "dash/dart/if/dart_types.h"
#include "dash/dart/if/dart_util.h"
