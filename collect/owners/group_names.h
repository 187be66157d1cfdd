/* group_names: what a control group stands for: the id of its container and the uid of its pod from its path, and their names
 * from what runtimes keep on the disk: no server is asked.
 *
 *     Kubernetes   /var/log/containers/POD_NAMESPACE_CONTAINER-ID.log, /var/log/pods/NAMESPACE_POD_UID/
 *     docker       /var/lib/docker/containers/ID/config.v2.json
 *     podman       STORAGE/overlay-containers/containers.json, below /var/lib/containers or the user's home
 *     containerd   /run/containerd/io.containerd.runtime.v2.task/NAMESPACE/ID/config.json, its annotations
 *     CRI-O        /run/containers/storage/overlay-containers/ID/userdata/config.json, its annotations */
#ifndef COLLECT_OWNERS_GROUP_NAMES_H
#define COLLECT_OWNERS_GROUP_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

enum { CONTAINER_ID_LEN = 64, POD_UID_LEN = 36 };

/* The container that the last component with one names: 64 hex digits, anything around them that is no hex digit; or the name
 * of a machine or an LXC container.  Returns its length; 0: none. */
size_t group_container_id(const char *path, const char **id);

/* The uid of the pod, with '-' as in Kubernetes, where systemd has '_'.  Returns false if there is none. */
bool group_pod_uid(const char *path, char uid[POD_UID_LEN + 1]);

/* Append the lines "container NUMBER ID NAME" and "pod NUMBER UID NAMESPACE NAME" of RECORDING_OWNERS, "-" for what is unknown.
 * root: where the file system is, "" but in tests.  pid: a process of that group, whose user's home may have the names. */
void group_names_add(const char *root, const char *path, int pid, uint32_t number, struct str *out);

#endif
