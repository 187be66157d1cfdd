/* owner_choice: chooses processes by whose they are: --container, --pod, --namespace, --systemd-unit. */
#ifndef COLLECT_OWNERS_OWNER_CHOICE_H
#define COLLECT_OWNERS_OWNER_CHOICE_H

#include <stdbool.h>
#include <sys/types.h>

#include "core/str.h"

/* Regular expressions, which match the frames that collapse --root container and so on shows, containers also by their
 * ids, and pods by their uids; NULL: any. */
struct owner_choice {
	const char *container, *pod, *space, *unit;
};

bool owner_choice_given(const struct owner_choice *o);

/* Check the expressions; errors are wrong usage. */
void owner_choice_check(const struct owner_choice *o);

/* Append a description (the argument is a struct owner_choice): "a process of a pod that matches ^prod/". */
void owner_choice_describe_any(const void *choice, struct str *out);

/* Does the process's control group match all of them?  The argument is a struct owner_choice, always the same one: what
 * was found out about a group is kept. */
bool owner_choice_has(const void *choice, pid_t pid);

#endif
