#pragma once

/// \file
/// Types of the locality interface: locations and hardware of units.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// \addtogroup c_runtime
/// @{

/// Kinds of machine components, ordered from the coarsest to the finest.
///
/// Domain hierarchies consist of GLOBAL, NODE, MODULE, NUMA, UNIT and CORE, and of GROUP if
/// dart_domain_group created one. The other scopes occur in dart_hwinfo_t::scopes.
typedef enum {
  /// None of the scopes below.
  DART_LOCALITY_SCOPE_UNDEFINED = -1,
  /// All units of the team.
  DART_LOCALITY_SCOPE_GLOBAL = 0,
  /// A group of domains, made by dart_domain_group.
  DART_LOCALITY_SCOPE_GROUP = 1,
  /// Not used.
  DART_LOCALITY_SCOPE_NETWORK = 50,
  /// Units that share memory, as MPI reports it; usually, but not always, a whole host.
  DART_LOCALITY_SCOPE_NODE = 100,
  /// A host: one running operating system.
  DART_LOCALITY_SCOPE_MODULE = 200,
  /// Processors with the same local main memory.
  DART_LOCALITY_SCOPE_NUMA = 300,
  /// A unit.
  DART_LOCALITY_SCOPE_UNIT = 400,
  /// A processor package (socket).
  DART_LOCALITY_SCOPE_PACKAGE = 500,
  /// Not used.
  DART_LOCALITY_SCOPE_UNCORE = 510,
  /// Processors that share a cache.
  DART_LOCALITY_SCOPE_CACHE = 530,
  /// A core, with all of its hardware threads.
  DART_LOCALITY_SCOPE_CORE = 550,
  /// A hardware thread.
  DART_LOCALITY_SCOPE_CPU = 600
} dart_locality_scope_t;

/// \def DART_LOCALITY_HOST_MAX_SIZE
/// Size of a host name. On Linux this is the value of HOST_NAME_MAX. It is not taken from the macro, which
/// strict C programs do not see: they would lay out the structures differently from the library.
#if defined(__linux__)
#define DART_LOCALITY_HOST_MAX_SIZE 64
#elif defined(HOST_NAME_MAX)
#define DART_LOCALITY_HOST_MAX_SIZE HOST_NAME_MAX
#elif defined(_POSIX_HOST_NAME_MAX)
#define DART_LOCALITY_HOST_MAX_SIZE _POSIX_HOST_NAME_MAX
#else
#define DART_LOCALITY_HOST_MAX_SIZE 256
#endif

/// Size of a domain tag in characters, including the terminating null character.
#define DART_LOCALITY_DOMAIN_TAG_MAX_SIZE 32
/// Number of elements of dart_hwinfo_t::scopes.
#define DART_LOCALITY_MAX_DOMAIN_SCOPES 12
/// Not used by the library. A unit may have more processors.
#define DART_LOCALITY_UNIT_MAX_CPUS 64
/// Not used by the library. A host may have more NUMA domains.
#define DART_LOCALITY_MAX_NUMA_ID 16
/// Number of cache levels that dart_hwinfo_t describes.
#define DART_LOCALITY_MAX_CACHE_LEVELS 5

/// A component of a scope, given by its number on the host.
typedef struct {
  /// Kind of the component.
  dart_locality_scope_t scope;
  /// Number among the components of this kind on the host; of a CPU, the number that the operating
  /// system uses.
  int index;
} dart_locality_scope_pos_t;

/// The hardware of a unit: its share of the host. Unknown values are -1. Cores, caches, NUMA domains and
/// packages are numbered per host in topology order.
typedef struct {
  /// Name of the host.
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  /// Number of cores of the share; units may share a core.
  int num_cores;
  /// Number of NUMA domains with processors of the share.
  int num_numa;
  /// The NUMA domain with most of the unit's processors.
  int numa_id;
  /// Number of processor packages with processors of the share.
  int num_sockets;
  /// Number of the core of the unit's first processor.
  int core_id;
  /// The operating system's number of the unit's first processor.
  int cpu_id;
  /// Lowest clock rate of the unit's first processor, in MHz.
  int min_cpu_mhz;
  /// Highest clock rate of the unit's first processor, in MHz.
  int max_cpu_mhz;
  /// Sizes in bytes of the data caches of the unit's first processor; [0] is L1.
  int cache_sizes[DART_LOCALITY_MAX_CACHE_LEVELS];
  /// Bytes of a line of these caches.
  int cache_line_sizes[DART_LOCALITY_MAX_CACHE_LEVELS];
  /// Numbers of these caches.
  int cache_ids[DART_LOCALITY_MAX_CACHE_LEVELS];
  /// Minimum number of hardware threads of the unit on one of its cores.
  int min_threads;
  /// Maximum number of hardware threads of the unit on one of its cores.
  int max_threads;
  /// Bandwidth of main memory of the unit in MB/s (10^6 bytes), measured while the other units of the host
  /// use it, too; known after dart_team_locality_measure.
  int max_shmem_mbps;
  /// Main memory of the host in MiB, despite the name.
  int system_memory_bytes;
  /// Main memory of the NUMA domain numa_id in MiB, despite the name.
  int numa_memory_bytes;
  /// The components that contain the unit's first processor, from the finest (CPU) to the coarsest.
  dart_locality_scope_pos_t scopes[DART_LOCALITY_MAX_DOMAIN_SCOPES];
  /// Number of elements of `scopes` that have a value.
  int num_scopes;
} dart_hwinfo_t;

/// Location of a module of a host. Not used by the library.
typedef struct {
  /// Name of the host.
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  /// Name of the module.
  char module[DART_LOCALITY_HOST_MAX_SIZE];
  /// Position of the module in the host.
  dart_locality_scope_pos_t pos;
} dart_module_location_t;

/// A domain of a locality hierarchy: a part of the machine, and the team's units in it.
typedef struct dart_domain_locality_s {
  /// Name of the host; empty above NODE.
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  /// The name of the domain: the relative indices from the root, as "." (the root), ".0", ".0.1".
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  /// Not used: NULL.
  struct dart_domain_locality_s** aliases;
  /// Not used: 0.
  int num_aliases;
  /// Kind of the domain.
  dart_locality_scope_t scope;
  /// Distance from the root of the team's hierarchy.
  int level;
  /// Number among the domains of its scope in the team's hierarchy. A core that several units share
  /// has one number. Changes of the hierarchy do not affect it.
  int global_index;
  /// Number among its siblings when the hierarchy was built: ascending, with gaps where siblings
  /// have been removed.
  int relative_index;
  /// The domain that contains this one; NULL if it is the root.
  struct dart_domain_locality_s* parent;
  /// Number of immediate subdomains.
  int num_domains;
  /// The immediate subdomains, which this domain owns; num_domains elements.
  struct dart_domain_locality_s** children;
  /// 1 if all subdomains have equal numbers of units, cores and subdomains, else 0.
  int is_symmetric;
  /// The team of the hierarchy; DART_TEAM_NULL for a new domain of dart_domain_create.
  dart_team_t team;
  /// Number of units of the team in the domain.
  int num_units;
  /// Global ids of these units, ascending; num_units elements.
  dart_global_unit_t* unit_ids;
  /// Number of nodes of the domain's units.
  int num_nodes;
  /// The node's number in the team's hierarchy; -1 if there may be several.
  int node_id;
  /// Number of cores of the domain's units; a core that several of them share counts once.
  int num_cores;
  /// Size in MiB of the nearest main memory that the whole domain shares; 0 if there is none.
  int shared_mem_bytes;
} dart_domain_locality_t;

/// Location and hardware of a unit of a team.
typedef struct {
  /// Id of the unit in the team.
  dart_team_unit_t unit;
  /// The team for which the structure was built.
  dart_team_t team;
  /// The hardware of the unit.
  dart_hwinfo_t hwinfo;
  /// The domain of the unit's first core in the team's hierarchy; that of the unit if its cores are not known.
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
} dart_unit_locality_t;

/// @}

#ifdef __cplusplus
}
#endif
