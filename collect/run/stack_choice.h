/* stack_choice: --call-graph auto: user stacks by frame pointers, which costs least, unless a JVM is among
 * those who are recorded: its stacks are copied and walked then (collect/sampling/stack_walk.h), since its
 * code keeps no frame pointers, and what it interprets and inlines is seen in no other way.  A command
 * that is a shell's script may become one. */
#ifndef COLLECT_RUN_STACK_CHOICE_H
#define COLLECT_RUN_STACK_CHOICE_H

#include <stdint.h>

#include "collect/run/collection.h"

/* Targets are known.  Returns how much to copy of each stack, and says so; 0: nothing. */
uint32_t stack_choice(const struct collection *c);

/* Append the processes among the targets, and a COMMAND that waits, whose stacks only we can walk. */
void stack_choice_processes(const struct collection *c, struct pids *chosen);

#endif
