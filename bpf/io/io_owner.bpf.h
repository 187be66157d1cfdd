/* io_owner: which file or memory the pages of a request belong to, and which thread made them dirty. */
#ifndef BPF_IO_IO_OWNER_BPF_H
#define BPF_IO_IO_OWNER_BPF_H

#include "bpf/io/io_request.bpf.h"
#include "bpf/ring.bpf.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct ns_common {
	unsigned int inum;
};

struct mnt_namespace {
	struct ns_common ns;
};

struct nsproxy {
	struct mnt_namespace *mnt_ns;
};

struct fs_struct___mounts {
	struct path root;
};

struct task_struct___mounts {
	struct nsproxy *nsproxy;
	struct fs_struct___mounts *fs;
};

#pragma clang attribute pop

const volatile __u32 own_mounts; /* the collector's mount namespace; 0: unknown */

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct inode_id);
	__type(value, __u32);
} known_files SEC(".maps");

/* Scratch memory of a CPU.  Most requests begin in threads, but a driver may begin one in an interrupt, while a thread
 * uses this memory: `is_used` tells. */
struct io_new_file {
	struct io_file file;
	__u32 is_used, unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct io_new_file);
} new_file SEC(".maps");

__u64 unnamed; /* files whose name was not sent, because another name was being read on that CPU */

/* The thread that last made a clean page of the file dirty. */
struct io_dirtier {
	__u32 pid, tid;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, struct inode_id);
	__type(value, struct io_dirtier);
} dirtiers SEC(".maps");

/* The last page that became dirty on this CPU. */
struct io_dirty {
	__u64 mapping, ns;
	__u32 tid, unused;
};

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct io_dirty);
} last_dirty SEC(".maps");

/* In a tail page, bit 0 is set in the word that leads to the head page.  This word is a pointer or, in Linux 7.2 with
 * CONFIG_HUGETLB_PAGE_OPTIMIZE_VMEMMAP, a mask for the page's own address (_compound_head() in
 * include/linux/page-flags.h).  A mask is in the last GB of addresses, where no struct page is. */
static __always_inline struct page *head_of(struct page *page)
{
	struct page___head *old = (void *)page;
	unsigned long info = bpf_core_field_exists(old->compound_head) ? BPF_CORE_READ(old, compound_head)
								       : BPF_CORE_READ(page, compound_info);

	if (!(info & 1))
		return page;
	return (struct page *)(info >= -(1ul << 30) ? (unsigned long)page & info : info - 1);
}

/* How many bytes of the request's first segment of memory are done. */
static __always_inline __u32 done_of(struct bio *bio)
{
	struct bio___done *old = (void *)bio;

	if (bpf_core_field_exists(old->bi_iter.bi_bvec_done))
		return old->bi_iter.bi_bvec_done;
	return bio->bi_iter.bi_offset;
}

/* The place of the request's first byte in the file. */
static __always_inline __u64 offset_of(struct page *head, struct page *page, __u32 in_page)
{
	struct page___index *old = (void *)head;
	__u64 index =
		bpf_core_field_exists(old->index) ? BPF_CORE_READ(old, index) : BPF_CORE_READ(head, __folio_index);

	index += ((__u64)page - (__u64)head) / bpf_core_type_size(struct page);
	return (index << PAGE_SHIFT) + in_page;
}

#define HAS_PAGE_FLAG(flags, flag) ((flags) >> bpf_core_enum_value(enum pageflags, flag) & 1)

/* Is a page in swap?  For pages of files, this flag has another meaning. */
static __always_inline bool is_of_swap(struct page *head)
{
	unsigned long flags = 0;

	bpf_probe_read_kernel(&flags, sizeof(flags), head); /* its first field */
	return HAS_PAGE_FLAG(flags, PG_swapcache) && HAS_PAGE_FLAG(flags, PG_swapbacked);
}

/* Direct I/O: memory of a program that the device reads into or writes from. */
static __always_inline bool is_pinned(struct bio *bio)
{
	return has_start && bio->bi_flags & 1 << BIO_PAGE_PINNED;
}

/* Is the process in a container, or has it called chroot(2)?  Then wake the collector: the process may end soon, and
 * nobody else knows its root. */
static __always_inline bool has_other_root(void)
{
	struct task_struct___mounts *task = (void *)bpf_get_current_task();

	return (own_mounts && BPF_CORE_READ(task, nsproxy, mnt_ns, ns.inum) != own_mounts) ||
	       BPF_CORE_READ(task, fs, root.dentry) != BPF_CORE_READ(task, fs, root.mnt, mnt_root);
}

static __always_inline void fill_and_send(struct io_file *f, struct inode___named *inode, const struct inode_id *id,
					  __u32 pid)
{
	__u32 yes = 1;

	f->kind = IO_FILE;
	f->pid = pid;
	f->inode = *id;
	inode_find_name(inode, &f->name);
	if (!bpf_ringbuf_output(&ring, f, sizeof(*f), has_other_root() ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP))
		bpf_map_update_elem(&known_files, id, &yes, BPF_ANY);
}

static __always_inline void send_name(struct inode___named *inode, const struct inode_id *id, __u32 pid)
{
	struct io_new_file *new;
	__u32 zero = 0;

	if (bpf_map_lookup_elem(&known_files, id))
		return;
	new = bpf_map_lookup_elem(&new_file, &zero);
	if (!new)
		return;
	if (new->is_used) {
		__sync_fetch_and_add(&unnamed, 1);
		return;
	}
	*(volatile __u32 *)&new->is_used = 1;
	barrier();
	fill_and_send(&new->file, inode, id, pid);
	barrier();
	*(volatile __u32 *)&new->is_used = 0;
}

static __always_inline void find_file(struct io_request *r, struct address_space *mapping)
{
	struct inode___named *inode = BPF_CORE_READ(mapping, host);
	struct io_dirtier *dirtier = NULL;

	/* Verify that this is really the mapping of a file. */
	if (!inode || BPF_CORE_READ(inode, i_mapping) != mapping || (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return;
	r->owner = IO_OF_FILE;
	inode_identify(inode, &r->inode);
	if ((r->operation & RECORDING_IO_KIND) == RECORDING_IO_WRITE)
		dirtier = bpf_map_lookup_elem(&dirtiers, &r->inode);
	if (dirtier) {
		r->dirtier_pid = dirtier->pid;
		r->dirtier_tid = dirtier->tid;
	}
	send_name(inode, &r->inode, dirtier ? r->dirtier_pid : r->pid);
}

static __always_inline void find_owner(struct io_request *r, struct request *rq)
{
	struct bio *bio = rq->bio;
	struct page *page, *head;
	struct bio_vec *vec;
	unsigned long mapping;

	r->owner = IO_OF_NOTHING;
	if ((r->operation & RECORDING_IO_KIND) > RECORDING_IO_WRITE || !bio)
		return;
	if (is_pinned(bio)) {
		r->owner = IO_OF_DIRECT;
		return;
	}
	vec = BPF_CORE_READ(bio, bi_io_vec); /* a number: Linux 6.1 refuses to add to the pointer */
	if (!vec)
		return;
	vec = (void *)vec + bio->bi_iter.bi_idx * bpf_core_type_size(struct bio_vec);
	page = BPF_CORE_READ(vec, bv_page);
	if (!page)
		return;
	head = head_of(page);
	mapping = (unsigned long)BPF_CORE_READ(head, mapping);
	/* A page that is being read from swap belongs to nobody yet. */
	r->owner = (!mapping || mapping & MAPPING_ANON) && is_of_swap(head) ? IO_OF_SWAP
		   : mapping & MAPPING_ANON                                 ? IO_OF_DIRECT
									    : IO_OF_METADATA;
	if (r->owner != IO_OF_METADATA || !mapping || mapping & MAPPING_FLAGS)
		return;
	find_file(r, (void *)mapping);
	if (r->owner == IO_OF_FILE)
		r->offset = offset_of(head, page, BPF_CORE_READ(vec, bv_offset) + done_of(bio));
}

/* ---- who made pages dirty ---- */

/* A clean page of the file has become dirty.  If the same thread keeps writing to the file, noting this once in 10 ms
 * is enough. */
static __always_inline void dirty(struct address_space *mapping)
{
	__u32 zero = 0;
	struct io_dirty *last = bpf_map_lookup_elem(&last_dirty, &zero);
	__u64 who = bpf_get_current_pid_tgid(), now = bpf_ktime_get_ns();
	struct io_dirtier dirtier = { who >> 32, (__u32)who };
	struct inode___named *inode;
	struct inode_id id;

	if (!last || !mapping)
		return;
	if (last->mapping == (__u64)mapping && last->tid == dirtier.tid && now - last->ns < 10000000)
		return;
	inode = BPF_CORE_READ(mapping, host);
	if (!inode || (BPF_CORE_READ(inode, i_mode) & S_IFMT) == S_IFBLK)
		return;
	inode_identify(inode, &id);
	bpf_map_update_elem(&dirtiers, &id, &dirtier, BPF_ANY);
	last->mapping = (__u64)mapping;
	last->tid = dirtier.tid;
	last->ns = now;
}

SEC("?tp_btf/writeback_dirty_folio")
int BPF_PROG(io_dirty_folio, void *folio, struct address_space *mapping)
{
	dirty(mapping);
	return 0;
}

/* Before Linux 5.18. */
SEC("?tp_btf/writeback_dirty_page")
int BPF_PROG(io_dirty_page, void *page, struct address_space *mapping)
{
	dirty(mapping);
	return 0;
}

#endif
