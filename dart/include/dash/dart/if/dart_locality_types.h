#pragma once

/// \file
/// Types of the locality interface: locations and hardware of units.

#include "dash/dart/if/dart_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Kinds of machine components, ordered from the coarsest to the finest.
///
/// Domain hierarchies consist of GLOBAL, NODE, MODULE, NUMA, UNIT and CORE, and of GROUP if
/// dart_domain_group created one. The other scopes occur in dart_hwinfo_t::scopes.
typedef enum {
  DART_LOCALITY_SCOPE_UNDEFINED = -1,
  /// All units of the team.
  DART_LOCALITY_SCOPE_GLOBAL = 0,
  DART_LOCALITY_SCOPE_GROUP = 1,
  DART_LOCALITY_SCOPE_NETWORK = 50,
  /// Units that share memory, as MPI reports it; usually, but not always, a whole host.
  DART_LOCALITY_SCOPE_NODE = 100,
  /// A host: one running operating system.
  DART_LOCALITY_SCOPE_MODULE = 200,
  /// Processors with the same local main memory.
  DART_LOCALITY_SCOPE_NUMA = 300,
  DART_LOCALITY_SCOPE_UNIT = 400,
  DART_LOCALITY_SCOPE_PACKAGE = 500,
  DART_LOCALITY_SCOPE_UNCORE = 510,
  DART_LOCALITY_SCOPE_CACHE = 530,
  DART_LOCALITY_SCOPE_CORE = 550,
  /// A hardware thread.
  DART_LOCALITY_SCOPE_CPU = 600
} dart_locality_scope_t;

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

#define DART_LOCALITY_DOMAIN_TAG_MAX_SIZE 32
#define DART_LOCALITY_MAX_DOMAIN_SCOPES 12
#define DART_LOCALITY_UNIT_MAX_CPUS 64
#define DART_LOCALITY_MAX_NUMA_ID 16
#define DART_LOCALITY_MAX_CACHE_LEVELS 5

/// A component of a scope, given by its number on the host.
typedef struct {
  dart_locality_scope_t scope;
  int index;
} dart_locality_scope_pos_t;

/// The hardware of a unit: its share of the host. Unknown values are -1. Cores, caches, NUMA domains and
/// packages are numbered per host in topology order.
typedef struct {
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  /// Numbers of cores, NUMA domains and packages that the share includes; units may share a core.
  int num_cores;
  int num_numa;
  /// The NUMA domain with most of the unit's processors.
  int numa_id;
  int num_sockets;
  /// The first core, and the system's number of its first processor.
  int core_id;
  int cpu_id;
  int min_cpu_mhz;
  int max_cpu_mhz;
  /// Data caches of the first core, [0] is L1: size in bytes, bytes of a line, number of the cache.
  int cache_sizes[DART_LOCALITY_MAX_CACHE_LEVELS];
  int cache_line_sizes[DART_LOCALITY_MAX_CACHE_LEVELS];
  int cache_ids[DART_LOCALITY_MAX_CACHE_LEVELS];
  /// Minimum and maximum number of hardware threads of the unit on one of its cores.
  int min_threads;
  int max_threads;
  /// Bandwidth of main memory of the unit in MB/s (10^6 bytes), measured while the other units of the host
  /// use it, too; known after dart_team_locality_measure.
  int max_shmem_mbps;
  /// Main memory of the host, and of the NUMA domain, in MiB.
  int system_memory_bytes;
  int numa_memory_bytes;
  /// The components that contain the unit's first processor, from the finest (CPU) to the coarsest.
  dart_locality_scope_pos_t scopes[DART_LOCALITY_MAX_DOMAIN_SCOPES];
  int num_scopes;
} dart_hwinfo_t;

typedef struct {
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  char module[DART_LOCALITY_HOST_MAX_SIZE];
  dart_locality_scope_pos_t pos;
} dart_module_location_t;

/// A domain of a locality hierarchy: a part of the machine, and the team's units in it.
typedef struct dart_domain_locality_s {
  /// Empty above NODE.
  char host[DART_LOCALITY_HOST_MAX_SIZE];
  /// The name of the domain: the relative indices from the root, as "." (the root), ".0", ".0.1".
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  /// Not used: NULL and 0.
  struct dart_domain_locality_s** aliases;
  int num_aliases;
  dart_locality_scope_t scope;
  /// Distance from the root of the team's hierarchy.
  int level;
  /// Number among the domains of its scope in the team's hierarchy. A core that several units share
  /// has one number. Changes of the hierarchy do not affect it.
  int global_index;
  /// Number among its siblings when the hierarchy was built: ascending, with gaps where siblings
  /// have been removed.
  int relative_index;
  struct dart_domain_locality_s* parent;
  int num_domains;
  struct dart_domain_locality_s** children;
  /// 1 if all subdomains have equal numbers of units, cores and subdomains, else 0.
  int is_symmetric;
  dart_team_t team;
  int num_units;
  /// Global ids, ascending.
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
  dart_team_unit_t unit;
  dart_team_t team;
  dart_hwinfo_t hwinfo;
  /// The unit's domain in the team's hierarchy.
  char domain_tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
} dart_unit_locality_t;

#ifdef __cplusplus
}
#endif
