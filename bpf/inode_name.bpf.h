/* inode_name: identifies the file of an inode: its id, and its path, by a name that the kernel has cached. */
#ifndef BPF_INODE_NAME_BPF_H
#define BPF_INODE_NAME_BPF_H

#include "bpf/inode_name.h"
#include "bpf/kernel.h"

/* Fields behind ___ are ignored by CO-RE: other programs define these structs with other fields. */
#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct hlist_node___named {
	struct hlist_node___named *next;
};

struct hlist_head___named {
	struct hlist_node___named *first;
};

struct super_block___named {
	__u32 s_dev;
};

struct address_space;

struct inode___named {
	unsigned short i_mode;
	__u64 i_ino;
	__u32 i_generation, i_rdev;
	struct super_block___named *i_sb;
	struct address_space *i_mapping;
	struct hlist_head___named i_dentry;
};

struct address_space {
	struct inode___named *host;
};

struct qstr___named {
	const unsigned char *name;
};

struct dentry___named {
	struct dentry___named *d_parent;
	struct qstr___named d_name;
	struct hlist_node___named d_alias; /* of an anonymous union */
};

struct dentry___d_u { /* Linux 6.18; no longer in 7.2 */
	union {
		struct hlist_node___named d_alias;
	} d_u;
};

#pragma clang attribute pop

static __always_inline void inode_identify(struct inode___named *inode, struct inode_id *id)
{
	id->number = BPF_CORE_READ(inode, i_ino);
	id->device = BPF_CORE_READ(inode, i_sb, s_dev);
	id->generation = BPF_CORE_READ(inode, i_generation);
}

static __always_inline struct dentry___named *dentry_of(struct hlist_node___named *alias)
{
	if (bpf_core_field_exists(((struct dentry___d_u *)0)->d_u.d_alias))
		return (void *)alias - bpf_core_field_offset(((struct dentry___d_u *)0)->d_u.d_alias);
	return (void *)alias - bpf_core_field_offset(((struct dentry___named *)0)->d_alias);
}

/* If another CPU renames the file meanwhile, a part of the old path may be read. */
static __always_inline void inode_find_name(struct inode___named *inode, struct inode_name *to)
{
	struct hlist_node___named *alias = BPF_CORE_READ(inode, i_dentry.first);
	struct dentry___named *at, *parent;
	__u32 len = 0, place;
	long got;

	to->len = to->cut = 0;
	if (!alias)
		return;
	at = dentry_of(alias);
	for (int i = 0; i < INODE_NAME_DEPTH; i++) {
		parent = BPF_CORE_READ(at, d_parent);
		if (!parent || parent == at)
			break;
		to->cut = i == INODE_NAME_DEPTH - 1 || len >= INODE_NAME_ROOM;
		if (to->cut)
			break;
		place = len;
		asm volatile("" : "+r"(place)); /* so that the compiler keeps the check, which Linux 6.1 needs */
		got = bpf_probe_read_kernel_str(&to->parts[place & (INODE_NAME_ROOM - 1)], INODE_NAME_PART,
						BPF_CORE_READ(at, d_name.name));
		if (got <= 0)
			break;
		len += got;
		at = parent;
	}
	to->len = len;
}

#endif
