/* path: finds out what is behind a descriptor: the path of a file as its process sees it, addresses of a socket. */
#ifndef BPF_PATH_BPF_H
#define BPF_PATH_BPF_H

#include "bpf/kernel.h"
#include "bpf/path.h"
#include "bpf/steps.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct mount {
	struct mount *mnt_parent;
	struct dentry *mnt_mountpoint;
	struct vfsmount mnt;
};

struct fs_struct {
	struct path root;
};

struct fdtable {
	unsigned int max_fds;
	struct file **fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct task_struct___files {
	struct fs_struct *fs;
	struct files_struct *files;
};

struct in6_addr {
	__u8 bytes[16];
};

struct sock_common {
	__u32 skc_daddr, skc_rcv_saddr;
	__u16 skc_dport, skc_num, skc_family;
	struct in6_addr skc_v6_daddr, skc_v6_rcv_saddr;
};

struct sock {
	struct sock_common __sk_common;
	__u16 sk_type, sk_protocol;
};

struct socket {
	struct sock *sk;
};

struct sockaddr_un {
	__u16 sun_family;
	char sun_path[108];
};

struct unix_address {
	int len;
	struct sockaddr_un name[];
};

struct unix_sock {
	struct unix_address *addr;
	struct sock *peer;
};

#pragma clang attribute pop

/* include/uapi/linux/magic.h, include/linux/socket.h */
enum {
	PIPEFS_MAGIC = 0x50495045,
	ANON_INODE_FS_MAGIC = 0x09041934,
	SOCKFS_MAGIC = 0x534F434B,
	PATH_AF_UNIX = 1,
	PATH_AF_INET = 2,
	PATH_AF_INET6 = 10,
	UNIX_ADDRESS = 108,
	DCACHE_OP_DELETE = 8, /* include/linux/dcache.h: the name may be forgotten as the file is closed */
};

struct path_walk {
	struct path_record *to;
	struct dentry *dentry;
	struct mount *mount;
	struct dentry *root;
	struct mount *root_mount;
};

static __always_inline struct mount *mount_of(struct vfsmount *mnt)
{
	return (struct mount *)((char *)mnt - bpf_core_field_offset(struct mount, mnt));
}

static __always_inline bool add_name(struct path_record *to, struct dentry *dentry)
{
	__u32 at = to->used;
	long len;

	if (at >= PATH_BYTES) {
		to->is_cut = 1;
		return false;
	}
	len = bpf_probe_read_kernel_str(&to->names[at], PATH_NAME, BPF_CORE_READ(dentry, d_name.name));
	if (len > 0)
		to->used = at + (__u32)len;
	return len > 0;
}

/* One step towards the root.  Returns 1 at the end. */
static long path_step(__u64 i, struct path_walk *w)
{
	struct dentry *dentry = w->dentry, *parent;
	struct mount *mount = w->mount, *above;

	if (dentry == w->root && mount == w->root_mount)
		return 1;
	parent = BPF_CORE_READ(dentry, d_parent);
	if (dentry == BPF_CORE_READ(mount, mnt.mnt_root) || dentry == parent) {
		above = BPF_CORE_READ(mount, mnt_parent);
		if (!above || above == mount)
			return 1;
		w->dentry = BPF_CORE_READ(mount, mnt_mountpoint);
		w->mount = above;
		return 0;
	}
	if (!add_name(w->to, dentry))
		return 1;
	w->dentry = parent;
	return 0;
}

STEPS(path_step, struct path_walk, PATH_DEPTH);

static __always_inline void walk_path(struct task_struct *task, struct dentry *dentry, struct vfsmount *mnt,
				      struct path_record *to)
{
	struct fs_struct *fs = BPF_CORE_READ((struct task_struct___files *)task, fs);
	struct path_walk w = {
		.to = to,
		.dentry = dentry,
		.mount = mount_of(mnt),
		.root = BPF_CORE_READ(fs, root.dentry),
		.root_mount = mount_of(BPF_CORE_READ(fs, root.mnt)),
	};

	if (path_steps(&w) == PATH_DEPTH)
		to->is_cut = 1;
}

static __always_inline void read_unix(struct sock *sk, struct path_record *to)
{
	struct unix_address *address = BPF_CORE_READ((struct unix_sock *)sk, addr);
	struct unix_sock *peer = (struct unix_sock *)BPF_CORE_READ((struct unix_sock *)sk, peer);
	__u32 len;

	if (!address && peer) /* of the two, one has the name */
		address = BPF_CORE_READ(peer, addr);
	if (!address)
		return;
	len = BPF_CORE_READ(address, len);
	if (len <= sizeof(__u16) || len > sizeof(__u16) + UNIX_ADDRESS)
		return;
	len -= sizeof(__u16);
	if (!bpf_probe_read_kernel(to->names, UNIX_ADDRESS, &address->name[0].sun_path))
		to->used = len;
}

static __always_inline void read_socket(struct file *file, struct path_record *to)
{
	struct socket *socket = BPF_CORE_READ(file, private_data);
	struct sock *sk = BPF_CORE_READ(socket, sk);

	to->family = BPF_CORE_READ(sk, __sk_common.skc_family);
	to->type = BPF_CORE_READ(sk, sk_type);
	to->protocol = BPF_CORE_READ(sk, sk_protocol);
	if (to->family == PATH_AF_UNIX)
		read_unix(sk, to);
	if (to->family != PATH_AF_INET && to->family != PATH_AF_INET6)
		return;
	to->local_port = BPF_CORE_READ(sk, __sk_common.skc_num);
	to->peer_port = BPF_CORE_READ(sk, __sk_common.skc_dport);
	if (to->family == PATH_AF_INET) {
		*(__u32 *)to->local = BPF_CORE_READ(sk, __sk_common.skc_rcv_saddr);
		*(__u32 *)to->peer = BPF_CORE_READ(sk, __sk_common.skc_daddr);
	} else if (bpf_core_field_exists(sk->__sk_common.skc_v6_daddr)) {
		BPF_CORE_READ_INTO((struct in6_addr *)to->local, sk, __sk_common.skc_v6_rcv_saddr);
		BPF_CORE_READ_INTO((struct in6_addr *)to->peer, sk, __sk_common.skc_v6_daddr);
	}
}

/* What kind of file it is. */
static __always_inline void identify(struct inode *inode, struct path_record *to)
{
	struct super_block *sb = BPF_CORE_READ(inode, i_sb);
	__u64 magic = BPF_CORE_READ(sb, s_magic);

	to->inode = BPF_CORE_READ(inode, i_ino);
	to->device = BPF_CORE_READ(sb, s_dev);
	to->kind = magic == PIPEFS_MAGIC          ? PATH_PIPE
		   : magic == ANON_INODE_FS_MAGIC ? PATH_ANONYMOUS
		   : magic == SOCKFS_MAGIC        ? PATH_SOCKET
						  : PATH_FILE;
}

/* A descriptor of the task, or NULL. */
static __always_inline struct file *file_of_descriptor(struct task_struct *task, __u32 fd)
{
	struct files_struct *files = ((struct task_struct___files *)task)->files;
	struct fdtable *table = files ? files->fdt : NULL;
	struct file *file = NULL, **place;

	if (!table || fd >= table->max_fds)
		return NULL;
	place = table->fd;
	bpf_probe_read_kernel(&file, sizeof(file), &place[fd]);
	return file;
}

/* Where a file has its name. */
struct noted_file {
	struct dentry *dentry;
	struct vfsmount *mnt;
};

static __always_inline void find_what(struct task_struct *task, struct file *file, struct noted_file at,
				      struct path_record *to)
{
	if (to->kind == PATH_FILE)
		walk_path(task, at.dentry, at.mnt, to);
	else if (to->kind == PATH_ANONYMOUS)
		add_name(to, at.dentry);
	else if (to->kind == PATH_SOCKET)
		read_socket(file, to);
}

static __always_inline struct noted_file note_file(struct file *file)
{
	return (struct noted_file){ BPF_CORE_READ(file, f_path.dentry), BPF_CORE_READ(file, f_path.mnt) };
}

/* A descriptor is about to be closed.  Walking the path of each file would cost too much, so a file that keeps its name
 * is only noted for path_find(). */
static __always_inline void path_note(struct task_struct *task, __u32 fd, struct path_record *to)
{
	struct file *file = file_of_descriptor(task, fd);
	struct noted_file at;
	struct dentry *dentry;

	if (!file)
		return;
	at = note_file(file);
	dentry = at.dentry;
	identify(BPF_CORE_READ(file, f_inode), to);
	if (to->kind != PATH_FILE || BPF_CORE_READ(dentry, d_flags) & DCACHE_OP_DELETE ||
	    !BPF_CORE_READ(dentry, d_hash.pprev)) {
		find_what(task, file, at, to);
		return;
	}
	to->kind = PATH_LATER;
	*(struct noted_file *)to->names = at;
}

/* Find what is behind the file; if file is NULL, behind the one that path_note() has noted, provided that the name
 * still belongs to the same file.  Otherwise `to` stays as it is. */
static __always_inline void path_find(struct task_struct *task, struct file *file, struct path_record *to)
{
	bool is_noted = !file && to->kind == PATH_LATER;
	struct noted_file at = is_noted ? *(struct noted_file *)to->names : note_file(file);
	struct dentry *dentry = at.dentry;
	__u64 inode = to->inode;
	__u32 device = to->device;

	if (!file && !is_noted)
		return;
	__builtin_memset(to, 0, __builtin_offsetof(struct path_record, names));
	identify(is_noted ? BPF_CORE_READ(dentry, d_inode) : BPF_CORE_READ(file, f_inode), to);
	if (is_noted && (to->kind != PATH_FILE || to->inode != inode || to->device != device))
		to->kind = PATH_NONE;
	find_what(task, file, at, to);
}

#endif
