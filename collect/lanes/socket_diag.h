/* socket_diag: what the kernel reports about the TCP and UDP sockets of a network namespace (NETLINK_SOCK_DIAG,
 * sock_diag(7)).  It needs no rights.  To report all TCP sockets takes the kernel milliseconds (it goes through its
 * whole tables), all UDP sockets a tenth of that, one socket microseconds. */
#ifndef COLLECT_LANES_SOCKET_DIAG_H
#define COLLECT_LANES_SOCKET_DIAG_H

#include <linux/inet_diag.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "bpf/lanes.h"

struct diag_socket {
	struct lane_socket lane; /* id: the kernel's cookie; no process; the number of datagrams is LANE_UNKNOWN */
	uint32_t inode;          /* of its file, as /proc/PID/fd has it */
	struct inet_diag_sockid key;
};

typedef void diag_take(void *context, const struct diag_socket *s);

/* Open a descriptor that asks for the sockets of process pid's namespace; 0: of our own.  Another namespace needs
 * CAP_SYS_ADMIN.  Returns the descriptor, or a negative errno. */
int socket_diag_open(pid_t pid);

/* take gets all sockets of the protocol that a process has.  Returns 0, or a negative errno: sockets before the failure
 * were taken, and the descriptor must be closed, as the rest may still come. */
int socket_diag_dump(int fd, uint8_t protocol, diag_take *take, void *context);

/* take gets those of these sockets that still exist and are found: if several share a UDP or listening TCP port, the
 * kernel finds only one.  Returns as socket_diag_dump(). */
int socket_diag_ask(int fd, const struct diag_socket *sockets, size_t count, diag_take *take, void *context);

/* The kernel's answers to questions for sockets of a protocol.  *over: the last answer was among these, or how many
 * questions were answered.  Returns 0, or a negative errno. */
int socket_diag_read(const void *answers, size_t size, uint8_t protocol, diag_take *take, void *context, size_t *over);

#endif
