#pragma once

/// \file
/// Where the units of a team are: the hierarchy of hardware domains. Not part of dart.h.
///
/// A hierarchy is a tree of domains, GLOBAL > NODE > MODULE > NUMA > UNIT > CORE, of which a team
/// has those that its units are in. A domain is named by its tag. Domains are plain data: the
/// runtime owns the hierarchies of teams, which are not to be changed; what dart_domain_create,
/// dart_domain_clone, dart_domain_split_scope and dart_domain_remove_subdomain hand out belongs to
/// the caller, outlives dart_exit and is changed as a whole by one thread at a time.
///
/// A domain in a hierarchy keeps its tag when others are taken out, so that tags of the team's
/// hierarchy stay good for a clone of it. What is put in gets a new tag, with all that is in it.
/// A tag has room for DART_LOCALITY_DOMAIN_TAG_MAX_SIZE - 1 characters; a change that would need a
/// longer one is DART_ERR_INVAL.
///
/// The hardware of all units is known to each since dart_init, and no function communicates, save for
/// dart_team_locality_measure. A null
/// pointer, an unknown team, and a change of a domain that is the runtime's are DART_ERR_INVAL; a
/// tag or scope that does not occur is DART_ERR_NOTFOUND; after an error all is as before.

#include "dash/dart/if/dart_locality_types.h"
#include "dash/dart/if/dart_team_group.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \name The runtime's knowledge of a team
/// \returns DART_ERR_NOTINIT outside of init and exit
/// \collective no  \blocks never  \threads any
/// @{

/// Builds the team's hierarchy, which the first query would do otherwise.
/// \cost once linear in the cores of the team's units
DART_API dart_ret_t dart_team_locality_init(dart_team_t team) DART_NOTHROW;

/// Frees the team's hierarchy; domains and unit localities that were handed out are gone with it.
/// A later query builds it again.
DART_API dart_ret_t dart_team_locality_finalize(dart_team_t team) DART_NOTHROW;

/// Measures what the system does not tell of the team's units, the first time that it is called for
/// the team: dart_hwinfo_t::max_shmem_mbps, of all units of a host at once, and max_cpu_mhz where it
/// is not known. All units of the team then have the same values. Units of a host that have as many
/// cores are given one value. DART_MEMORY_MBPS says it instead. What dart_unit_locality has handed out
/// is updated.
/// \collective over the team  \blocks until all have called it; not in later calls
/// \cost  some tenths of a second, and up to 96 MiB of memory for that time; nothing in later calls
DART_API dart_ret_t dart_team_locality_measure(dart_team_t team) DART_NOTHROW;

/// Finds a domain in the team's hierarchy.
/// \param domain  receives a domain of the runtime, valid until the team is destroyed
DART_API dart_ret_t dart_domain_team_locality(dart_team_t team, const char* domain_tag,
                                              dart_domain_locality_t** domain) DART_NOTHROW;

/// Tells where a unit is.
/// \param locality  receives the runtime's own, valid until the team is destroyed
/// \returns DART_ERR_INVAL for a unit that is not in the team
DART_API dart_ret_t dart_unit_locality(dart_team_t team, dart_team_unit_t unit,
                                       dart_unit_locality_t** locality) DART_NOTHROW;
/// @}

/// \name Hierarchies of the caller's own
/// \collective no  \blocks never  \threads one at a time per hierarchy
/// @{

/// Makes a domain of undefined scope, without units or subdomains. An array put into it is freed
/// with it and has to come from malloc.
DART_API dart_ret_t dart_domain_create(dart_domain_locality_t** domain) DART_NOTHROW;

/// Makes a deep copy of a domain and all that is in it. The copy of a subdomain has no parent, and
/// keeps its tag.
DART_API dart_ret_t dart_domain_clone(const dart_domain_locality_t* domain,
                                      dart_domain_locality_t** clone) DART_NOTHROW;

/// Frees a domain of dart_domain_create, _clone, _split_scope or _remove_subdomain with all that is
/// in it. In an array given to dart_domain_split_scope the domain is emptied, the array stays.
/// \returns DART_ERR_INVAL for a domain that is the runtime's, or part of another, or freed
DART_API dart_ret_t dart_domain_destroy(dart_domain_locality_t* domain) DART_NOTHROW;

/// Replaces what is in one domain by a deep copy of another.
/// \param lhs  one that dart_domain_destroy could free
DART_API dart_ret_t dart_domain_assign(dart_domain_locality_t* lhs,
                                       const dart_domain_locality_t* rhs) DART_NOTHROW;

/// Finds the domain of a tag: `domain` itself, or one in it.
/// \param result  receives a part of `domain`
DART_API dart_ret_t dart_domain_find(const dart_domain_locality_t* domain, const char* domain_tag,
                                     dart_domain_locality_t** result) DART_NOTHROW;

/// Takes out all but the named subdomains, what is in them, and what they are in.
/// \param num_tags  at least 1
DART_API dart_ret_t dart_domain_select(dart_domain_locality_t* domain, int num_tags,
                                       const char** tags) DART_NOTHROW;

/// Takes the named subdomains out, and domains that are empty without them.
/// \returns DART_ERR_INVAL if `domain` itself is named
DART_API dart_ret_t dart_domain_exclude(dart_domain_locality_t* domain, int num_tags,
                                        const char** tags) DART_NOTHROW;

/// Puts a domain into another, which owns it from then on.
/// \param subdomain  of dart_domain_create, _clone or _remove_subdomain; not the one that `domain`
///                   is in
/// \param relative_index  its number among the siblings, of which those that are in the way move
///                   up; at most one above the last; -1: behind the last
DART_API dart_ret_t dart_domain_add_subdomain(dart_domain_locality_t* domain,
                                              dart_domain_locality_t* subdomain,
                                              int relative_index) DART_NOTHROW;

/// Moves a subdomain to another parent, or to another place in its own.
/// \param relative_index  as for dart_domain_add_subdomain
DART_API dart_ret_t dart_domain_move_subdomain(dart_domain_locality_t* subdomain,
                                               dart_domain_locality_t* new_parent,
                                               int relative_index) DART_NOTHROW;

/// Takes a subdomain out of its hierarchy. It belongs to the caller then and keeps its tag.
DART_API dart_ret_t dart_domain_remove_subdomain(dart_domain_locality_t* subdomain) DART_NOTHROW;

/// Cuts a domain into parts that have the domains of a scope in equal numbers (they differ by one
/// at most), in order; none of these is divided.
/// \param parts  num_parts elements; receives copies of `domain`, each with its part of it. Those
///               that are more than there are domains of the scope have no units. Each is given to
///               dart_domain_destroy before the array is freed.
DART_API dart_ret_t dart_domain_split_scope(const dart_domain_locality_t* domain,
                                            dart_locality_scope_t scope, int num_parts,
                                            dart_domain_locality_t* parts) DART_NOTHROW;

/// The tags of the domains of a scope in a domain, from the first to the last.
/// \param tags  receives an array of strings; the caller calls free() for each and for the array.
///              NULL if there are none.
DART_API dart_ret_t dart_domain_scope_tags(const dart_domain_locality_t* domain,
                                           dart_locality_scope_t scope, int* num_domains,
                                           char*** tags) DART_NOTHROW;

/// The domains of a scope in a domain, from the first to the last.
/// \param domains  receives an array of pointers into `domain`; the caller calls free() for the
///                 array only. NULL if there are none.
DART_API dart_ret_t dart_domain_scope_domains(const dart_domain_locality_t* domain,
                                              dart_locality_scope_t scope, int* num_domains,
                                              dart_domain_locality_t*** domains) DART_NOTHROW;

/// Puts subdomains together in a new domain of scope GROUP: the last one of the nearest domain that
/// all of them are in. Domains that are empty without them are taken out.
/// \param num_tags   at least 1; none may name `domain` itself, or a domain that another is in
/// \param group_tag  DART_LOCALITY_DOMAIN_TAG_MAX_SIZE characters; receives the tag of the group
DART_API dart_ret_t dart_domain_group(dart_domain_locality_t* domain, int num_tags,
                                      const char** tags, char* group_tag) DART_NOTHROW;
/// @}

/// Splits a group of units so that no domain of a scope is divided: the domains that have units of
/// the group are shared out in order, in equal numbers (they differ by one at most). Units of the
/// group that are not in `domain` are in no part.
/// \param scope   one that occurs in the hierarchy; or PACKAGE, CACHE (of the last level), CORE or
///                CPU, where a unit counts to what its first processor is part of
/// \param n       number of parts wanted, 1 to INT_MAX
/// \param nout    receives the number of parts made: n, or the number of domains if that is less
/// \param parts   n elements; receives nout new groups, and DART_GROUP_NULL behind them
/// \collective no  \blocks never  \threads any
DART_API dart_ret_t dart_group_locality_split(const dart_group_t group,
                                              const dart_domain_locality_t* domain,
                                              dart_locality_scope_t scope, size_t n, size_t* nout,
                                              dart_group_t* parts) DART_NOTHROW;

#ifdef __cplusplus
}
#endif
