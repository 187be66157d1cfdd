/* group_names: what a control group stands for.  The id of its container and the uid of its pod come from its path;
 * their names come from files that runtimes keep on the disk, so that no server is asked.
 *
 *     Kubernetes   /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log, /var/log/pods/NAMESPACE_POD_UID/
 *     docker       /var/lib/docker/containers/ID/config.v2.json, or below the data-root of /etc/docker/daemon.json, or the
 *                  user's home
 *     podman       STORAGE/overlay-containers/containers.json, below /var/lib/containers or the user's home
 *     containerd   /run/containerd/io.containerd.runtime.v2.task/NAMESPACE/ID/config.json, its annotations
 *     CRI-O        /run/containers/storage/overlay-containers/ID/userdata/config.json, its annotations
 *
 * A container in a container has them in that one, where its engine is: the first ancestor of its processes with another root.
 *
 * Where none of them tells, the host name of a process in the container does, if it is not that of the machine. */
#ifndef COLLECT_OWNERS_GROUP_NAMES_H
#define COLLECT_OWNERS_GROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum { CONTAINER_ID_LEN = 64, POD_UID_LEN = 36 };

/* The container named in the last component that names one: 64 hex digits, with anything but hex digits around them; a
 * task of Fargate; or the name of a machine or an LXC container, as systemd escapes it.  Returns its length; 0: none. */
size_t group_container_id(const char *path, const char **id);

/* The uid of the pod, with '-' as in Kubernetes, where systemd has '_'.  Returns false if there is none. */
bool group_pod_uid(const char *path, char uid[POD_UID_LEN + 1]);

/* Whose a group is; empty: unknown, or none. */
struct group_owner {                        /* {0} is valid and empty */
	struct str container_id, container; /* its name */
	struct str pod_uid, space, pod;     /* its namespace and name */
};

/* root: where the file system is, "" except in tests.  pid: a process of that group, as the names may be in the home
 * directory of its user. */
void group_owner_find(const char *root, const char *path, int pid, struct group_owner *owner);
void group_owner_free(struct group_owner *owner);

/* Where the machine's files are: in a container that sees all processes, its own are not the machine's. */
const char *group_names_root(void);

/* Append the lines "container NUMBER ID NAME" and "pod NUMBER UID NAMESPACE NAME" of RECORDING_OWNERS, with "-" for
 * what is unknown. */
void group_names_add(const char *root, const char *path, int pid, uint32_t number, struct str *out);

#endif
