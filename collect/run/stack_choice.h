/* stack_choice: --call-graph auto: user stacks by frame pointers, which costs least, unless a JVM is recorded:
 * its stacks are copied and walked (collect/sampling/stack_walk.h), since its code keeps no frame pointers, and
 * only walking shows interpreted and inlined methods.  A command that is a shell script may become a JVM. */
#ifndef COLLECT_RUN_STACK_CHOICE_H
#define COLLECT_RUN_STACK_CHOICE_H

#include <stdint.h>

#include "collect/run/collection.h"

/* Call when the targets are known.  Returns how many bytes of each stack to copy, and reports that; 0: none. */
uint32_t stack_choice(const struct collection *c);

/* Append the targets, and a waiting COMMAND, whose stacks only we can walk. */
void stack_choice_processes(const struct collection *c, struct pids *chosen);

#endif
