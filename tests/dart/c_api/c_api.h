/* Declarations shared by the files of the C program. */
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "dash/dart/if/dart.h"

/* Aborts all units with the source location and the last error. */
#define CHECK(condition)                                                               \
  do {                                                                                 \
    if (!(condition)) {                                                                \
      fprintf(stderr, "%s:%d: %s\n  last error: %s\n", __FILE__, __LINE__, #condition, \
              dart_last_error());                                                      \
      dart_abort(DART_EXIT_ABORT);                                                     \
    }                                                                                  \
  } while (0)
#define OK(call) CHECK((call) == DART_OK)

/* The caller's id, the number of units, and the next unit in the ring. */
extern int me;
extern int units;
extern int right;
extern int left;

void use_groups(void);
void use_teams(void);
void use_global_memory(void);
void use_transfers(void);
void use_derived_types(void);
void use_atomics(void);
void use_collectives(void);
void use_operations(void);
void use_messages(void);
void use_locks(void);
void use_locality(void);
