/* lanes: data shared by the BPF program of collect lanes and the collector. */
#ifndef BPF_LANES_H
#define BPF_LANES_H

#include <linux/types.h>
#include <stdint.h>

enum { LANES_CPUS = 1024 };

#define LANE_UNKNOWN (~(__u64)0)

/* A socket at a look, from the iterator. */
struct lane_socket {
	__u64 id;  /* counted from 1 in the order in which sockets were found */
	__u32 pid; /* a process that has the socket; 0: not known yet */
	__u16 family;
	__u8 protocol;
	__u8 listens;            /* a TCP socket that accepts connections */
	__u16 port, remote_port; /* host byte order */
	__u8 address[16], remote[16];
	__u64 memory; /* maximum since the last look: bytes charged against the limit */
	__u64 unread; /* maximum of unread datagrams, bytes of a TCP stream, or connections not accepted;
		       * LANE_UNKNOWN */
	__u64 limit;  /* of memory, in bytes; of connections */
	__u64 drops;  /* so far */
};

enum lane_event_kind { LANE_KSWAPD, LANE_DIRECT_RECLAIM };

/* Sent when one begins or ends, with how many there are now. */
struct lane_event {
	__u64 time_ns;
	__u32 kind; /* enum lane_event_kind */
	__u32 value;
};

#endif
