/* Locality: checks only properties that hold on every machine. */

#include "c_api.h"

#if __has_include("dash/dart/if/dart_locality.h")

#include <string.h>

#include "dash/dart/if/dart_locality.h"

static void use_team_hierarchy(void) {
  dart_domain_locality_t* root = NULL;
  dart_unit_locality_t* unit = NULL;
  dart_group_t all = DART_GROUP_NULL;
  dart_group_t* parts = NULL;
  size_t num_parts = 0;
  size_t members = 0;
  OK(dart_team_locality_init(DART_TEAM_ALL));
  OK(dart_domain_team_locality(DART_TEAM_ALL, ".", &root));
  CHECK(root->scope == DART_LOCALITY_SCOPE_GLOBAL && root->num_units == units);
  OK(dart_team_locality_measure(DART_TEAM_ALL));
  OK(dart_unit_locality(DART_TEAM_ALL, DART_TEAM_UNIT_ID(me), &unit));
  CHECK(unit->hwinfo.max_shmem_mbps > 0 && unit->hwinfo.max_cpu_mhz > 0);
  CHECK(unit->unit.id == me && strlen(unit->hwinfo.host) > 0);
  parts = (dart_group_t*)malloc((size_t)units * sizeof(dart_group_t));
  CHECK(parts != NULL);
  OK(dart_team_get_group(DART_TEAM_ALL, &all));
  OK(dart_group_locality_split(all, root, DART_LOCALITY_SCOPE_NODE, (size_t)units, &num_parts,
                               parts));
  CHECK(num_parts >= 1 && num_parts <= (size_t)units);
  for (size_t i = 0; i < num_parts; ++i) {
    size_t size = 0;
    OK(dart_group_size(parts[i], &size));
    members += size;
    OK(dart_group_destroy(&parts[i]));
  }
  CHECK(members == (size_t)units);
  OK(dart_group_destroy(&all));
  free(parts);
}

static void use_scopes(dart_domain_locality_t* copy) {
  dart_domain_locality_t** domains = NULL;
  dart_domain_locality_t parts[2];
  dart_domain_locality_t* found = NULL;
  char** tags = NULL;
  int num_tags = 0;
  int num_domains = 0;
  OK(dart_domain_scope_tags(copy, DART_LOCALITY_SCOPE_NODE, &num_tags, &tags));
  OK(dart_domain_scope_domains(copy, DART_LOCALITY_SCOPE_NODE, &num_domains, &domains));
  CHECK(num_tags >= 1 && num_tags == num_domains);
  for (int i = 0; i < num_tags; ++i) {
    OK(dart_domain_find(copy, tags[i], &found));
    CHECK(found == domains[i]);
    free(tags[i]);
  }
  free(tags);
  free(domains);
  OK(dart_domain_split_scope(copy, DART_LOCALITY_SCOPE_NODE, 2, parts));
  CHECK(parts[0].num_units + parts[1].num_units == units);
  OK(dart_domain_destroy(&parts[0]));
  OK(dart_domain_destroy(&parts[1]));
  CHECK(dart_domain_find(copy, ".99", &found) == DART_ERR_NOTFOUND);
}

/* A hierarchy that the caller owns: a root and three children. */
static void use_own_hierarchy(void) {
  dart_domain_locality_t* root = NULL;
  dart_domain_locality_t* child = NULL;
  dart_domain_locality_t* copy = NULL;
  dart_domain_locality_t* other = NULL;
  char tag[DART_LOCALITY_DOMAIN_TAG_MAX_SIZE];
  const char* two[2] = {".0", ".1"};
  const char* first[1] = {".0"};
  OK(dart_domain_create(&root));
  for (int i = 0; i < 3; ++i) {
    OK(dart_domain_create(&child));
    OK(dart_domain_add_subdomain(root, child, -1));
  }
  CHECK(root->num_domains == 3);
  OK(dart_domain_move_subdomain(root->children[2], root, 0));
  OK(dart_domain_clone(root, &copy));
  CHECK(copy->num_domains == 3);
  OK(dart_domain_exclude(copy, 1, first));
  CHECK(copy->num_domains == 2);
  strcpy(tag, copy->children[1]->domain_tag);
  first[0] = tag;
  OK(dart_domain_select(copy, 1, first));
  CHECK(copy->num_domains == 1);
  OK(dart_domain_group(root, 2, two, tag));
  OK(dart_domain_find(root, tag, &child));
  CHECK(child->scope == DART_LOCALITY_SCOPE_GROUP && child->num_domains == 2);
  OK(dart_domain_create(&other));
  OK(dart_domain_assign(other, copy));
  CHECK(other->num_domains == 1);
  child = root->children[0];
  OK(dart_domain_remove_subdomain(child));
  OK(dart_domain_destroy(child));
  OK(dart_domain_destroy(other));
  OK(dart_domain_destroy(copy));
  OK(dart_domain_destroy(root));
}

void use_locality(void) {
  dart_domain_locality_t* root = NULL;
  dart_domain_locality_t* copy = NULL;
  use_team_hierarchy();
  OK(dart_domain_team_locality(DART_TEAM_ALL, ".", &root));
  OK(dart_domain_clone(root, &copy));
  use_scopes(copy);
  OK(dart_domain_destroy(copy));
  use_own_hierarchy();
  OK(dart_barrier(DART_TEAM_ALL));
  OK(dart_team_locality_finalize(DART_TEAM_ALL));
}

#else

void use_locality(void) {}

#endif
