/* lane_sockets: the lanes of sockets: how full their receive queues are.
 *
 *     udp;0.0.0.0:5000;depth          bytes of memory that queued data takes, up to ...
 *     udp;0.0.0.0:5000;limit          ... this (SO_RCVBUF)
 *     udp;0.0.0.0:5000;datagrams      how many are queued
 *     udp;0.0.0.0:5000;drops          how many found no room, since the last look
 *     tcp;127.0.0.1:80-127.0.0.1:51320;unread       bytes that the program has not read
 *     tcp;0.0.0.0:80;accept-queue, accept-limit      connections that were not accepted
 *
 * Depths are the maximum since the last look.  Sockets that never had anything queued have no lanes.
 *
 *     udp;0.0.0.0:5000;sampled;depth  values at the look itself, where the kernel reports no maximum */
#ifndef COLLECT_LANES_LANE_SOCKETS_H
#define COLLECT_LANES_LANE_SOCKETS_H

#include "bpf/lanes.h"
#include "collect/lanes/lane_list.h"
#include "core/map.h"

/* For each existing socket, a value is reported once a second.  Looks are counted rather than time, since we may have
 * been stopped. */
enum { LANE_SOCKETS_LOOKS = 2000 };

struct lane_socket_lanes {
	uint64_t id, look; /* the last look that told of it */
	uint64_t drops;    /* at the last look */
	uint32_t depth, unread, limit, drop;
	bool found, has_lanes;
};

struct lane_sockets { /* {0} is empty */
	struct lane_socket_lanes *list;
	size_t count, cap;
	struct map by_id; /* the place in list, + 1 */
	uint64_t drops, looks;
	bool running; /* from now on, new sockets are those made during the recording */
	bool sampled; /* depths are no maxima */
};

/* Note what a look saw at a socket. */
void lane_sockets_take(struct lane_sockets *k, struct lane_list *l, const struct lane_socket *s, uint64_t time_ns);

/* A look is over.  Now and then, sockets that were not seen in the last LANE_SOCKETS_LOOKS looks are forgotten, since
 * they are closed. */
void lane_sockets_looked(struct lane_sockets *k);

void lane_sockets_free(struct lane_sockets *k);

#endif
