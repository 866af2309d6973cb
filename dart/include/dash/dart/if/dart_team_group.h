#pragma once

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A set of units by their global ids, always in ascending order. A value of the caller's alone;
/// usable before dart_init and after dart_exit.
typedef struct dart_group_struct* dart_group_t;

#define DART_GROUP_NULL ((dart_group_t)NULL)

/// \name Groups
/// A pointer that is NULL, a group that is DART_GROUP_NULL, destroyed or never created, and a unit
/// id that is negative or, between dart_init and dart_exit, not below the number of units are
/// DART_ERR_INVAL and change nothing. What a function hands out is a new group that the caller
/// destroys.
/// \collective no  \blocks never  \threads any, one at a time per group
/// @{

/// Makes an empty group.
DART_API dart_ret_t dart_group_create(dart_group_t* group) DART_NOTHROW;

/// Frees a group and sets the handle to DART_GROUP_NULL.
DART_API dart_ret_t dart_group_destroy(dart_group_t* group) DART_NOTHROW;

/// Makes a copy.
DART_API dart_ret_t dart_group_clone(const dart_group_t group, dart_group_t* copy) DART_NOTHROW;

/// Makes the group of the units that are in one of two groups, or in both.
/// \cost linear in the sizes of both
DART_API dart_ret_t dart_group_union(const dart_group_t g1, const dart_group_t g2,
                                     dart_group_t* result) DART_NOTHROW;

/// Makes the group of the units that are in both of two groups.
/// \cost linear in the sizes of both
DART_API dart_ret_t dart_group_intersect(const dart_group_t g1, const dart_group_t g2,
                                         dart_group_t* result) DART_NOTHROW;

/// Adds a unit; one that is a member already stays one.
/// \cost linear in the size; appending in ascending order is constant
DART_API dart_ret_t dart_group_addmember(dart_group_t group, dart_global_unit_t unit) DART_NOTHROW;

/// Removes a unit; one that is not a member is no error.
/// \cost linear in the size
DART_API dart_ret_t dart_group_delmember(dart_group_t group, dart_global_unit_t unit) DART_NOTHROW;

/// Tells whether a unit is a member.
/// \param ismember  receives 1 or 0
/// \cost  logarithmic in the size
DART_API dart_ret_t dart_group_ismember(const dart_group_t group, dart_global_unit_t unit,
                                        int32_t* ismember) DART_NOTHROW;

/// The number of members.
DART_API dart_ret_t dart_group_size(const dart_group_t group, size_t* size) DART_NOTHROW;

/// Copies the members out, in ascending order.
/// \param unitids  as many elements as the group has members
DART_API dart_ret_t dart_group_getmembers(const dart_group_t group,
                                          dart_global_unit_t* unitids) DART_NOTHROW;

/// Cuts a group into contiguous parts of ceil(size / n) members, of which the last may have fewer.
/// \param n      number of parts wanted, 1 to INT_MAX
/// \param nout   receives the number of parts that have members; at most n
/// \param parts  n elements; receives n groups, the surplus ones empty (dart_team_create makes
///               DART_TEAM_NULL of these); the caller destroys all n
DART_API dart_ret_t dart_group_split(const dart_group_t group, size_t n, size_t* nout,
                                     dart_group_t* parts) DART_NOTHROW;
/// @}

/// Makes the group of a team's units, by their global ids; the caller destroys it.
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_team_get_group(dart_team_t teamid, dart_group_t* group) DART_NOTHROW;

/// Makes a team of some of a team's units. All units of the parent name the same group, or groups
/// that have no unit in common: several teams are then made at once, and have the same id, as each
/// unit is in one at most.
/// \param group    units of the parent; their ids in the new team are in the order of those in the
///                 parent, ascending by global id unless the parent is of dart_team_create_mapped.
///                 An empty group makes no team and communicates nothing
/// \param newteam  receives an id that no other living team of any of its units has, or
///                 DART_TEAM_NULL for a unit that is not in the group
/// \returns DART_ERR_INVAL for an unknown parent or a unit outside of it, DART_ERR_NOMEM on all units
///          alike
/// \collective over the parent  \blocks until all have called it
/// \cost   two reductions over the parent; no object of MPI's
DART_API dart_ret_t dart_team_create(dart_team_t teamid, const dart_group_t group,
                                     dart_team_t* newteam) DART_NOTHROW;

/// The most dimensions that a grid of units may have.
#define DART_GRID_MAX_NDIM 8

/// Makes a team of the same units for neighbours on a grid: unit i of the new team is at position i
/// of the grid, in row-major order (the last dimension varies fastest), and the units are ordered so
/// that neighbours are close at every level of the machine: NUMA domain, node, and what DART_TOPOLOGY
/// says of the network. The hop-bytes of the new order are never more than those of the old one.
/// DART_TEAM_ALL is not renumbered. All units pass the same.
/// \param ndim      1 to DART_GRID_MAX_NDIM
/// \param extents   units in each dimension, ndim elements; their product is the team's size
/// \param periodic  ndim elements, 1 where the last unit of a dimension and the first are neighbours;
///                  NULL: nowhere
/// \param weights   ndim elements: what a unit sends to a neighbour in each dimension, as bytes;
///                  NULL: the same in all
/// \param newteam   receives an id as that of dart_team_create
/// \returns DART_ERR_INVAL on all units alike for what is no grid of the team's units, for units that
///          do not pass the same, and for a file of DART_TOPOLOGY that is wrong or does not know a host
/// \collective over teamid  \blocks until all have called it
/// \cost   linear in the team's size on its first unit (a second for a million), a broadcast of 4 bytes
///         a unit, and that of dart_team_create
/// \see    docs/mapping.md
DART_API dart_ret_t dart_team_create_mapped(dart_team_t teamid, size_t ndim, const size_t* extents,
                                            const int32_t* periodic, const double* weights,
                                            dart_team_t* newteam) DART_NOTHROW;

/// The grid that a team was mapped for.
/// \param ndim      receives the number of dimensions, 0 for a team of no grid
/// \param extents   receives the units in each, if it is not NULL: room for DART_GRID_MAX_NDIM
/// \param periodic  the same for what dart_team_create_mapped was told of the dimensions
/// \returns DART_ERR_INVAL for an unknown team
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_team_grid(dart_team_t teamid, size_t* ndim, size_t* extents,
                                   int32_t* periodic) DART_NOTHROW;

/// Makes a team of the same units, in the same order, with the same grid if it has one.
/// \collective over teamid  \blocks until all have called it
DART_API dart_ret_t dart_team_clone(dart_team_t teamid, dart_team_t* newteam) DART_NOTHROW;

/// Ends a team: completes the caller's transfers in its segments, frees these, and sets teamid to
/// DART_TEAM_NULL, which is fine as an argument, too.
/// \returns DART_ERR_INVAL for an unknown team or DART_TEAM_ALL
/// \collective over the team  \blocks until all have called it
DART_API dart_ret_t dart_team_destroy(dart_team_t* teamid) DART_NOTHROW;

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
