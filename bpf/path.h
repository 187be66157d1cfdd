/* path: the file, pipe or socket behind a descriptor, as a BPF program saw it. */
#ifndef BPF_PATH_H
#define BPF_PATH_H

#include <linux/types.h>

enum {
	PATH_BYTES = 1024, /* bytes of names that are kept; a longer path loses its first directories */
	PATH_NAME = 256,   /* of one name, with its end */
	PATH_DEPTH = 48,   /* names and mount points */
};

enum path_kind {
	PATH_NONE,
	PATH_FILE,
	PATH_PIPE,
	PATH_ANONYMOUS,
	PATH_SOCKET,
	PATH_TEXT,        /* one or two paths, as they were passed to a system call */
	PATH_DESCRIPTORS, /* several descriptors: of poll(2), of an epoll descriptor */
	PATH_SETS,        /* three sets of descriptors: of select(2) */
	PATH_AT,          /* the first path is still to be read from the process's memory: its address is in `inode` */
	PATH_LATER,       /* only inside the BPF program: the file is closed, and its path is still to be found */
};

enum {
	PATH_TEXT_BYTES = 640,    /* of each such path, with its end */
	PATH_DESCRIPTORS_MAX = 8, /* that are named */
	PATH_SET_BYTES = 128,     /* of a set: 1024 bits */
};

struct path_record {
	__u32 kind;               /* enum path_kind */
	__u32 used;               /* bytes of names, or of a unix socket's address; or the number of all descriptors */
	__u64 inode;              /* of a file, pipe, socket */
	__u32 device;             /* of a file, as in the kernel: major << 20 | minor */
	__u16 family, protocol;   /* of a socket */
	__u16 type;               /* SOCK_STREAM, ... */
	__u16 is_cut;             /* there were more directories */
	__u16 local_port;         /* in the order of the machine, ... */
	__u16 peer_port;          /* ... of the network */
	__u8 local[16], peer[16]; /* addresses of AF_INET, AF_INET6 */

	/* Strings, each with a 0 after it: the names of the path, from the file's own up to that below the root
	 * directory of the process; or the name of an anonymous file, the address of a unix socket, or paths as they
	 * were passed.  For several descriptors, an __s32 for each of the first ones, or sets of bits for reading,
	 * writing and exceptions. */
	char names[PATH_BYTES + PATH_NAME];
};

#endif
