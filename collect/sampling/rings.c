#include "collect/sampling/rings.h"

#include <errno.h>
#include <limits.h>
#include <linux/capability.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "collect/machine/ksymbol_size.h"
#include "collect/machine/procfs.h"
#include "collect/machine/rights.h"
#include "collect/sampling/foreign_records.h"
#include "core/memory.h"

/* Ordinary users may lock 512 kB a CPU (kernel.perf_event_mlock_kb); root may use more, and is woken less often,
 * within bounds on large machines. */
enum { USER_SIZE = 512 << 10, ROOT_SIZE = 2 << 20, ALL_RINGS = 256 << 20 };

/* The size of rings for samples with stacks: the largest possible. */
enum { STACKS_SIZE = 16 << 20 };

/* perf's rule for end-of-round records: no record after the second of two is older than any before the first. */
enum { PERF_RECORD_FINISHED_ROUND = 68 };

size_t rings_choose_size(uint64_t wanted, size_t cpu_count, size_t stack_bytes)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);

	if (!wanted && stack_bytes) {
		for (wanted = STACKS_SIZE; wanted * cpu_count > ALL_RINGS && wanted > ROOT_SIZE;)
			wanted /= 2;
	} else if (!wanted) {
		wanted = geteuid() ? USER_SIZE : ROOT_SIZE;
		if (wanted * cpu_count > ALL_RINGS)
			wanted = USER_SIZE;
	}
	while (size < wanted && size < SIZE_MAX / 4)
		size *= 2;
	return size;
}

size_t rings_allowed_size(size_t cpu_count)
{
	uint64_t each = (uint64_t)read_sysctl("kernel/perf_event_mlock_kb", 0) << 10;
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE), size = page_size;
	struct rlimit limit;

	if (have_capability(CAP_IPC_LOCK) || read_sysctl("kernel/perf_event_paranoid", 0) < 0 ||
	    getrlimit(RLIMIT_MEMLOCK, &limit) || limit.rlim_cur == RLIM_INFINITY)
		return (size_t)1 << 30;
	while (size < (size_t)1 << 30 && (2 * size + page_size) * cpu_count <= each * cpu_count + limit.rlim_cur)
		size *= 2;
	return size;
}

int rings_add(struct rings *rs, int fd, int cpu)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);
	void *base = mmap(NULL, page_size + rs->size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	struct ring *ring;

	if (base == MAP_FAILED)
		return -errno;
	rs->list = xgrow(rs->list, &rs->cap, rs->count + 1, sizeof(*rs->list));
	rs->iov = xgrow(rs->iov, &rs->iov_cap, 2 * rs->count + 3, sizeof(*rs->iov));
	ring = &rs->list[rs->count++];
	*ring = (struct ring){ .fd = fd, .cpu = cpu, .page = base, .data = (unsigned char *)base + page_size };
	return 0;
}

struct ring *rings_of_cpu(const struct rings *rs, int cpu)
{
	for (size_t i = 0; i < rs->count; i++) {
		if (rs->list[i].cpu == cpu)
			return &rs->list[i];
	}
	return NULL;
}

/* --- reopened events ----------------------------------------------------- */

void ring_rename_id(struct ring *ring, uint64_t id, uint64_t recorded)
{
	ring->new_ids = xgrow(ring->new_ids, &ring->new_id_cap, ring->new_id_count + 1, sizeof(*ring->new_ids));
	ring->new_ids[ring->new_id_count++] = (struct new_id){ id, recorded };
}

static void rename_at(const struct ring *ring, uint8_t *at)
{
	uint64_t id;

	memcpy(&id, at, sizeof(id));
	for (size_t i = ring->new_id_count; i; i--) {
		if (ring->new_ids[i - 1].id == id) {
			memcpy(at, &ring->new_ids[i - 1].recorded, sizeof(id));
			return;
		}
	}
}

void ring_rename_records(const struct ring *ring, uint8_t *records, size_t len)
{
	enum { ID = sizeof(uint64_t) };
	struct perf_event_header header;

	for (size_t at = 0; len - at >= sizeof(header); at += header.size) {
		uint8_t *body = records + at + sizeof(header);

		memcpy(&header, records + at, sizeof(header));
		if (header.size < sizeof(header) + ID || header.size > len - at)
			return;
		if (header.type == PERF_RECORD_SAMPLE || header.type == PERF_RECORD_LOST) /* they begin with an
											   * id */
			rename_at(ring, body);
		if (header.type == PERF_RECORD_THROTTLE || header.type == PERF_RECORD_UNTHROTTLE) /* they contain
												   * time, id,
												   * stream */
			rename_at(ring, body + ID);
		if (header.type != PERF_RECORD_SAMPLE)
			rename_at(ring, records + at + header.size - ID);
	}
}

/* --- draining -------------------------------------------------------------------------- */

/* Repair records, and drop some, in a copy, since the ring itself is read-only. */
static struct iovec mend(struct ring *ring, const struct rings *rs, size_t start, size_t len)
{
	size_t first = start + len <= rs->size ? len : rs->size - start;

	str_clear(&ring->mended);
	str_add(&ring->mended, (const char *)ring->data + start, first);
	str_add(&ring->mended, (const char *)ring->data, len - first);
	ksymbols_mend((unsigned char *)ring->mended.buf, len);
	ring_rename_records(ring, (uint8_t *)ring->mended.buf, len);
	if (rs->is_target)
		len = foreign_records_drop((unsigned char *)ring->mended.buf, len, rs->is_target);
	return (struct iovec){ ring->mended.buf, len };
}

/* The pending data of the ring up to head, in one or two pieces.  Returns their number. */
static int ring_peek(struct ring *ring, const struct rings *rs, uint64_t head, struct iovec iov[2])
{
	size_t size = rs->size, start = ring->tail & (size - 1), len = (size_t)(head - ring->tail);

	if (!len)
		return 0;
	if (ring->new_id_count || !ksymbols_are_right(ring->data, size, ring->tail, head) ||
	    (rs->is_target && foreign_records_possible(ring->data, size, ring->tail, head))) {
		iov[0] = mend(ring, rs, start, len);
		return iov[0].iov_len > 0;
	}
	iov[0] = (struct iovec){ ring->data + start, len };
	if (start + len <= size)
		return 1;
	iov[0].iov_len = size - start;
	iov[1] = (struct iovec){ ring->data, len - iov[0].iov_len };
	return 2;
}

/* Drain the rings [first, end), in one write. */
static int rings_drain_some(struct rings *rs, size_t first, size_t end, struct recording *r, struct walker *walker)
{
	static struct perf_event_header round = { .type = PERF_RECORD_FINISHED_ROUND, .size = sizeof(round) };
	int count = 0, status = 0;

	for (size_t i = first; i < end; i++) {
		struct ring *ring = &rs->list[i];
		/* Pairs with the kernel's barrier before it moves data_head. */
		uint64_t head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);

		count += ring_peek(ring, rs, head, rs->iov + count);
		r->tally.losses[LOSS_late_reads] += head - ring->tail > rs->size / 2;
		ring->tail = head;
	}
	if (end == rs->count && (count || first) && !rs->no_rounds)
		rs->iov[count++] = (struct iovec){ &round, sizeof(round) };
	if (!count)
		return 0;
	if (walker)
		walker_take(walker, rs->iov, count, r);
	else
		status = recording_append(r, rs->iov, count);
	for (size_t i = first; i < end; i++)
		__atomic_store_n(&rs->list[i].page->data_tail, rs->list[i].tail, __ATOMIC_RELEASE);
	return status;
}

int rings_drain(struct rings *rs, struct recording *r, struct walker *walker)
{
	enum { AT_ONCE = (IOV_MAX - 1) / 2 };
	int status = 0;

	for (size_t first = 0; first < rs->count; first += AT_ONCE) {
		size_t end = first + AT_ONCE < rs->count ? first + AT_ONCE : rs->count;

		if (rings_drain_some(rs, first, end, r, walker))
			status = -1;
	}
	if (walker && walker_deliver(walker, r))
		status = -1;
	return status || recording_flush(r) ? -1 : 0;
}

void rings_free(struct rings *rs)
{
	size_t page_size = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < rs->count; i++) {
		munmap(rs->list[i].page, page_size + rs->size);
		str_free(&rs->list[i].mended);
		free(rs->list[i].new_ids);
	}
	free(rs->list);
	free(rs->iov);
	*rs = (struct rings){ 0 };
}
