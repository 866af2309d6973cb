#pragma once

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The caller's id in a team.
/// \returns DART_ERR_INVAL and an undefined id for an unknown team
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t* myid) DART_NOTHROW;

/// The number of units of a team.
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_team_size(dart_team_t teamid, size_t* size) DART_NOTHROW;

/// The caller's id in DART_TEAM_ALL; -1 and DART_ERR_NOTINIT outside of init and exit.
DART_API dart_ret_t dart_myid(dart_global_unit_t* myid) DART_NOTHROW;

/// The number of units of DART_TEAM_ALL; 0 and DART_ERR_NOTINIT outside of init and exit.
DART_API dart_ret_t dart_size(size_t* size) DART_NOTHROW;

/// Translates a unit's id in a team to its global id.
/// \returns DART_ERR_INVAL for an unknown team or an id out of range
DART_API dart_ret_t dart_team_unit_l2g(dart_team_t teamid, dart_team_unit_t localid,
                                       dart_global_unit_t* globalid) DART_NOTHROW;

/// Translates a unit's global id to its id in a team; DART_UNDEFINED_UNIT_ID if not a member.
/// \returns DART_ERR_INVAL for an unknown team or an id out of range
DART_API dart_ret_t dart_team_unit_g2l(dart_team_t teamid, dart_global_unit_t globalid,
                                       dart_team_unit_t* localid) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
