/* inode_name: a file, and its path below the root of its filesystem. */
#ifndef BPF_INODE_NAME_H
#define BPF_INODE_NAME_H

#include <linux/types.h>

enum {
	INODE_NAME_DEPTH = 24,
	INODE_NAME_PART = 256,
	INODE_NAME_ROOM = 1024, /* a power of two */
};

/* Numbers of inodes are reused.  The generation tells such files apart, if the filesystem has one. */
struct inode_id {
	__u64 number;
	__u32 device; /* of the filesystem: major << 20 | minor */
	__u32 generation;
};

/* "c\0b\0a\0" for /a/b/c. */
struct inode_name {
	__u32 len; /* 0: nobody has the file open by a name */
	__u32 cut; /* there is more */
	char parts[INODE_NAME_ROOM + INODE_NAME_PART];
};

#endif
