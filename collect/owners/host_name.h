/* host_name: the host name that a process in a container sees (uts_namespaces(7)), which Kubernetes sets to the pod's
 * name, and people to that of a container. */
#ifndef COLLECT_OWNERS_HOST_NAME_H
#define COLLECT_OWNERS_HOST_NAME_H

#include <stdbool.h>

#include "core/str.h"

/* Append the name.  Returns false, and appends nothing, if the process has none of its own, or if it may not be read. */
bool host_name_add(int pid, struct str *out);

#endif
