#pragma once

/// \file
/// Locations of the units of a team: the hierarchy of hardware domains. Not part of dart.h.
///
/// A hierarchy is a tree of domains, GLOBAL > NODE > MODULE > NUMA > UNIT > CORE; that of a team contains the
/// domains of its units. A tag identifies a domain. Domains are plain data. The runtime owns the hierarchies
/// of teams, which applications must not change. The caller owns the domains that dart_domain_create,
/// dart_domain_clone, dart_domain_split_scope and dart_domain_remove_subdomain return; they outlive
/// dart_exit, and only one thread at a time may change a hierarchy.
///
/// A domain keeps its tag when other domains are removed, so that tags of the team's hierarchy are valid in a
/// clone of it. A domain that is inserted gets a new tag, and so do all domains below it. A tag has at most
/// DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1 characters; a change that needs a longer one is DART_ERR_INVAL.
///
/// Every unit knows the hardware of all units after dart_init, and no function except
/// dart_team_locality_measure communicates. A null pointer, an unknown team, and a change of a domain that
/// the runtime owns are DART_ERR_INVAL; a tag or scope that does not occur is DART_ERR_NOTFOUND. A function
/// that fails changes nothing.

#include "dash/dart/if/dart_locality_types.h"
#include "dash/dart/if/dart_team_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// \name Locality of a team
/// \returns DART_ERR_NOTINIT outside of dart_init and dart_exit
/// \collective no  \blocks never  \threads thread-safe
/// @{

/// Builds the team's hierarchy, which otherwise happens in the first query.
/// \cost linear in the cores of the team's units in the first call
DART_API dart_ret_t dart_team_locality_init(dart_team_t team) DART_NOTHROW;

/// Frees the team's hierarchy, with the domains and unit localities that queries have returned. A later query
/// builds it again.
DART_API dart_ret_t dart_team_locality_finalize(dart_team_t team) DART_NOTHROW;

/// Measures properties of the team's units that the operating system does not report, in the first call for
/// the team: dart_hwinfo_t::max_shmem_mbps, on all units of a host concurrently, and max_cpu_mhz if it is
/// unknown. Every unit of the team receives the values of all. Units of a host with the same number of cores
/// have equal values. DART_MEMORY_MBPS replaces the measurement of max_shmem_mbps. Structures that
/// dart_unit_locality has returned are updated.
/// \collective over the team  \blocks until all have called it; not in later calls
/// \cost  some tenths of a second, and up to 96 MiB of memory for that time; nothing in later calls
DART_API dart_ret_t dart_team_locality_measure(dart_team_t team) DART_NOTHROW;

/// Finds a domain in the team's hierarchy.
/// \param domain  receives a domain that the runtime owns, valid until the team is destroyed
DART_API dart_ret_t dart_domain_team_locality(dart_team_t team, const char* domain_tag,
                                              dart_domain_locality_t** domain) DART_NOTHROW;

/// Returns the location and hardware of a unit.
/// \param locality  receives a structure that the runtime owns, valid until the team is destroyed
/// \returns DART_ERR_INVAL for a unit that is not in the team
DART_API dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit,
                                       dart_unit_locality_t** locality) DART_NOTHROW;
/// @}

/// \name Hierarchies that the caller owns
/// \collective no  \blocks never  \threads externally synchronized per hierarchy
/// @{

/// Creates a domain of undefined scope, without units or subdomains. An array that the application stores in
/// it must be allocated by malloc, and is freed with the domain.
DART_API dart_ret_t dart_domain_create(dart_domain_locality_t** domain) DART_NOTHROW;

/// Makes a deep copy of a domain. The copy of a subdomain has no parent and keeps its tag.
DART_API dart_ret_t dart_domain_clone(const dart_domain_locality_t* domain,
                                      dart_domain_locality_t** clone) DART_NOTHROW;

/// Frees a domain of dart_domain_create, _clone, _split_scope or _remove_subdomain with its content. A domain
/// in an array that was passed to dart_domain_split_scope is emptied; the array is not freed.
/// \returns DART_ERR_INVAL for a domain that the runtime owns, that is part of another one, or was freed
DART_API dart_ret_t dart_domain_destroy(dart_domain_locality_t* domain) DART_NOTHROW;

/// Replaces the content of a domain by a deep copy of another one.
/// \param lhs  a domain that dart_domain_destroy accepts
DART_API dart_ret_t dart_domain_assign(dart_domain_locality_t* lhs,
                                       const dart_domain_locality_t* rhs) DART_NOTHROW;

/// Finds the domain of a tag: `domain` itself, or one below it.
/// \param result  receives a pointer into `domain`
DART_API dart_ret_t dart_domain_find(const dart_domain_locality_t* domain, const char* domain_tag,
                                     dart_domain_locality_t** result) DART_NOTHROW;

/// Removes all subdomains except the named ones, those below them and those above them.
/// \param num_tags  at least 1
DART_API dart_ret_t dart_domain_select(dart_domain_locality_t* domain, int num_tags,
                                       const char** tags) DART_NOTHROW;

/// Removes the named subdomains, and domains that become empty.
/// \returns DART_ERR_INVAL if `domain` itself is named
DART_API dart_ret_t dart_domain_exclude(dart_domain_locality_t* domain, int num_tags,
                                        const char** tags) DART_NOTHROW;

/// Inserts a domain into another one, which owns it from then on.
/// \param subdomain  of dart_domain_create, _clone or _remove_subdomain; not the root of `domain`
/// \param relative_index  its number among its siblings, at most one above the last; siblings with this
///                   and the consecutive numbers move up by one; -1: after the last
DART_API dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t* domain,
                                              dart_domain_locality_t* subdomain,
                                              int relative_index) DART_NOTHROW;

/// Moves a subdomain to another parent, or to another position below its parent.
/// \param relative_index  as for dart_domain_add_subdomain
DART_API dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t* subdomain,
                                               dart_domain_locality_t* new_parent,
                                               int relative_index) DART_NOTHROW;

/// Removes a subdomain from its hierarchy. The caller then owns it; it keeps its tag.
DART_API dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t* subdomain) DART_NOTHROW;

/// Splits a domain into parts with equal numbers (up to a difference of one) of domains of a scope, in order;
/// none of these domains is divided.
/// \param parts  num_parts elements; receives copies of `domain`, each reduced to its part. If there are more
///               parts than domains of the scope, the surplus parts have no units. The caller passes each
///               element to dart_domain_destroy before it frees the array.
DART_API dart_ret_t dart_domain_split_scope(const dart_domain_locality_t* domain,
                                            dart_locality_scope_t scope, int num_parts,
                                            dart_domain_locality_t* parts) DART_NOTHROW;

/// Returns the tags of all domains of a scope in a domain, in order.
/// \param tags  receives an array of strings; the caller calls free() for each and for the array.
///              NULL if there are none.
DART_API dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t* domain,
                                           dart_locality_scope_t scope, int* num_domains,
                                           char*** tags) DART_NOTHROW;

/// Returns all domains of a scope in a domain, in order.
/// \param domains  receives an array of pointers into `domain`; the caller calls free() for the
///                 array only. NULL if there are none.
DART_API dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t* domain,
                                              dart_locality_scope_t scope, int* num_domains,
                                              dart_domain_locality_t*** domains) DART_NOTHROW;

/// Moves subdomains into a new domain of scope GROUP, which becomes the last child of the nearest domain that
/// contains all of them. Domains that become empty are removed.
/// \param num_tags   at least 1; none may name `domain` itself, or a domain that contains another named one
/// \param group_tag  DART_LOCALITY_DOMAIN_TAG_MAX_SIZE characters; receives the tag of the group
DART_API dart_ret_t dart_domain_group(dart_domain_locality_t* domain, int num_tags,
                                      const char** tags, char* group_tag) DART_NOTHROW;
/// @}

/// Splits a group of units so that no domain of a scope is divided: the domains that have units of the group
/// are distributed in order and in equal numbers (up to a difference of one). Units of the group that are not
/// in `domain` are in no part.
/// \param scope   one that occurs in the hierarchy; or PACKAGE, CACHE (last level), CORE or CPU, for which a
///                unit belongs to the component of its first processor
/// \param n       number of parts wanted, 1 to INT_MAX
/// \param nout    receives the number of parts made: n, or the number of domains if that is less
/// \param parts   n elements; receives nout new groups, and DART_GROUP_NULL in the remaining elements
/// \collective no  \blocks never  \threads thread-safe
DART_API dart_ret_t dart_group_locality_split(const dart_group_t group,
                                              const dart_domain_locality_t* domain,
                                              dart_locality_scope_t scope, size_t n, size_t* nout,
                                              dart_group_t* parts) DART_NOTHROW;

/// @}

#ifdef __cplusplus
}
#endif
