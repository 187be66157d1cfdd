/* socket_diag: what the kernel reports about the TCP and UDP sockets of a network namespace (NETLINK_SOCK_DIAG,
 * sock_diag(7)).  This needs no rights.  The kernel takes milliseconds to report all TCP sockets (it goes through its
 * whole tables), a tenth of that for all UDP sockets, and microseconds for one socket. */
#ifndef COLLECT_LANES_SOCKET_DIAG_H
#define COLLECT_LANES_SOCKET_DIAG_H

#include <linux/inet_diag.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/lanes.h"

struct diag_socket {
	struct lane_socket lane; /* id is the kernel's cookie; there is no process, and the number of datagrams is
				  * LANE_UNKNOWN */
	uint32_t inode;          /* of its file, as /proc/PID/fd has it */
	struct inet_diag_sockid key;
};

typedef void diag_take(void *context, const struct diag_socket *s);

/* Open a descriptor for asking about the sockets in the namespace of process pid (0: in our own).  Another namespace
 * needs CAP_SYS_ADMIN.  Returns the descriptor, or a negative errno. */
int socket_diag_open(pid_t pid);

/* take gets all sockets of the protocol that belong to a process.  Returns 0, or a negative errno; in case of an error,
 * take has got the sockets before it, and the descriptor must be closed, as the rest may still come. */
int socket_diag_dump(int fd, uint8_t protocol, diag_take *take, void *context);

/* take gets those of these sockets that the kernel still finds; if several share a UDP port or a listening TCP port, it
 * finds only one of them.  Returns the same as socket_diag_dump(). */
int socket_diag_ask(int fd, const struct diag_socket *sockets, size_t count, diag_take *take, void *context);

/* Read the kernel's answers about sockets of a protocol.  *over: whether the last answer was among them, or how many
 * requests were answered.  Returns 0, or a negative errno. */
int socket_diag_read(const void *answers, size_t size, uint8_t protocol, diag_take *take, void *context, size_t *over);

#endif
