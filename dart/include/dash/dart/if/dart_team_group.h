#pragma once

/// \file
/// Groups of units, and teams.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// A set of units, given by their global ids in ascending order. Groups are local to the caller and may be
/// used before dart_init and after dart_exit.
typedef struct dart_group_struct* dart_group_t;

/// No group.
#define DART_GROUP_NULL ((dart_group_t)NULL)

/// \name Groups
/// A NULL pointer, a group that is DART_GROUP_NULL or was destroyed or never created, and a unit id that is
/// negative or (between dart_init and dart_exit) too large are DART_ERR_INVAL and change nothing. Functions
/// return new groups, which the caller destroys.
/// \collective no  \blocks never  \threads thread-safe; externally synchronized per group
/// @{

/// Creates an empty group.
DART_API dart_ret_t dart_group_create(dart_group_t* group) DART_NOTHROW;

/// Frees a group and sets the handle to DART_GROUP_NULL.
DART_API dart_ret_t dart_group_destroy(dart_group_t* group) DART_NOTHROW;

/// Copies a group.
DART_API dart_ret_t dart_group_clone(const dart_group_t group, dart_group_t* copy) DART_NOTHROW;

/// Creates the union of two groups.
/// \cost linear in the sizes of both
DART_API dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2,
                                     dart_group_t* result) DART_NOTHROW;

/// Creates the intersection of two groups.
/// \cost linear in the sizes of both
DART_API dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2,
                                         dart_group_t* result) DART_NOTHROW;

/// Adds a unit; adding a member has no effect.
/// \cost linear in the size; appending in ascending order is constant
DART_API dart_ret_t dart_group_addmember(dart_group_t group, dart_global_unit_t unit) DART_NOTHROW;

/// Removes a unit; removing a unit that is not a member has no effect.
/// \cost linear in the size
DART_API dart_ret_t dart_group_delmember(dart_group_t group, dart_global_unit_t unit) DART_NOTHROW;

/// Tests whether a unit is a member.
/// \param ismember  receives 1 or 0
/// \cost  logarithmic in the size
DART_API dart_ret_t dart_group_ismember(const dart_group_t group, dart_global_unit_t unit,
                                        int32_t* ismember) DART_NOTHROW;

/// Returns the number of members.
DART_API dart_ret_t dart_group_size(const dart_group_t group, size_t* size) DART_NOTHROW;

/// Returns the members in ascending order.
/// \param unitids  array with an element for each member
DART_API dart_ret_t dart_group_getmembers(const dart_group_t group,
                                          dart_global_unit_t* unitids) DART_NOTHROW;

/// Splits a group into contiguous parts of ceil(size / n) members; the last part may be smaller.
/// \param n      number of parts wanted, 1 to INT_MAX
/// \param nout   receives the number of parts that have members; at most n
/// \param parts  n elements; receives n groups, the surplus ones empty (dart_team_create
///               returns DART_TEAM_NULL for these); the caller destroys all n
DART_API dart_ret_t dart_group_split(const dart_group_t group, size_t n, size_t* nout,
                                     dart_group_t* parts) DART_NOTHROW;
/// @}

/// Creates the group of a team's units; the caller destroys it.
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t* group) DART_NOTHROW;

/// Creates a team of some of a team's units. All units of the parent pass the same group, or disjoint groups:
/// one call then creates several teams with the same id, of which each unit is a member of at most one.
/// \param group    units of the parent; their ids in the new team are in the order of those in the
///                 parent, ascending by global id unless the parent was made by
///                 dart_team_create_mapped. An empty group creates no team and communicates nothing
/// \param newteam  receives an id that no other active team of its units has, or
///                 DART_TEAM_NULL for a unit that is not in the group
/// \returns DART_ERR_INVAL for an unknown parent or a unit outside of it, DART_ERR_NOMEM (on all
///          units)
/// \collective over the parent  \blocks until all have called it
/// \cost   two reductions over the parent; no MPI objects
DART_API dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                                     dart_team_t* newteam) DART_NOTHROW;

/// The maximum number of dimensions of a grid of units.
#define DART_GRID_MAX_NDIM 8

/// Creates a team of the same units, reordered for communication between neighbours on a grid. Unit i of the
/// new team is at position i of the grid in row-major order (the last dimension varies fastest). The order
/// places neighbours close to each other at every level of the machine: NUMA domain, node, and the network
/// levels of DART_TOPOLOGY. It never has more hop-bytes than the old order. DART_TEAM_ALL is not renumbered.
/// All units pass the same arguments.
/// \param ndim      1 to DART_GRID_MAX_NDIM
/// \param extents   units in each dimension, ndim elements; their product is the team's size
/// \param periodic  ndim elements, 1 where the last unit of a dimension and the first are neighbours;
///                  NULL: in no dimension
/// \param weights   ndim elements: bytes that a unit sends to a neighbour in each dimension;
///                  NULL: equal in all dimensions
/// \param newteam   receives an id, as for dart_team_create
/// \returns DART_ERR_INVAL on all units for extents that do not fit the team, for arguments that
///          differ between units, and for a DART_TOPOLOGY file that is malformed or does not contain a host
/// \collective over teamid  \blocks until all have called it
/// \cost   on the team's first unit the cost of core::mapping::map_grid, a broadcast of 4 bytes per unit, and
///         the cost of dart_team_create
/// \see    docs/how-to/place-units.md, with measured times
DART_API dart_ret_t dart_team_create_mapped(dart_team_t teamid, size_t ndim, const size_t* extents,
                                            const int32_t* periodic, const double* weights,
                                            dart_team_t* newteam) DART_NOTHROW;

/// Returns the grid for which a team was mapped.
/// \param ndim      receives the number of dimensions, 0 for a team without a grid
/// \param extents   NULL, or DART_GRID_MAX_NDIM elements; receives the number of units in each dimension
/// \param periodic  NULL, or DART_GRID_MAX_NDIM elements; receives 1 for each periodic dimension
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_team_grid(dart_team_t teamid, size_t* ndim, size_t* extents,
                                   int32_t* periodic) DART_NOTHROW;

/// Creates a team of the same units in the same order, with the same grid if there is one.
/// \collective over teamid  \blocks until all have called it
DART_API dart_ret_t dart_team_clone(dart_team_t teamid, dart_team_t* newteam) DART_NOTHROW;

/// Destroys a team: completes the caller's transfers in its segments, frees the segments, and sets teamid to
/// DART_TEAM_NULL. Passing DART_TEAM_NULL has no effect.
/// \returns DART_ERR_INVAL for an unknown team or DART_TEAM_ALL
/// \collective over the team  \blocks until all have called it
DART_API dart_ret_t dart_team_destroy(dart_team_t* teamid) DART_NOTHROW;

/// The caller's id in a team.
/// \returns DART_ERR_INVAL and an undefined id for an unknown team
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_team_myid(dart_team_t teamid, dart_team_unit_t* myid) DART_NOTHROW;

/// The number of units of a team.
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_team_size(dart_team_t teamid, size_t* size) DART_NOTHROW;

/// The caller's id in DART_TEAM_ALL; -1 and DART_ERR_NOTINIT outside of dart_init and dart_exit.
DART_API dart_ret_t dart_myid(dart_global_unit_t* myid) DART_NOTHROW;

/// The number of units of DART_TEAM_ALL; 0 and DART_ERR_NOTINIT outside of dart_init and dart_exit.
DART_API dart_ret_t dart_size(size_t* size) DART_NOTHROW;

/// Translates a unit's id in a team to its global id.
/// \returns DART_ERR_INVAL for an unknown team or an id out of range
DART_API dart_ret_t dart_team_unit_l2g(dart_team_t teamid, dart_team_unit_t localid,
                                       dart_global_unit_t* globalid) DART_NOTHROW;

/// Translates a unit's global id to its id in a team; DART_UNDEFINED_UNIT_ID if not a member.
/// \returns DART_ERR_INVAL for an unknown team or an id out of range
DART_API dart_ret_t dart_team_unit_g2l(dart_team_t teamid, dart_global_unit_t globalid,
                                       dart_team_unit_t* localid) DART_NOTHROW;

/// @}

#ifdef __cplusplus
}
#endif
