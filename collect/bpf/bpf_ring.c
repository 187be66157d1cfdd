#include "collect/bpf/bpf_ring.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>

#include "collect/machine/anchors.h"

enum {
	ROUND_NS = 20000000,
	HEADER = 8,           /* bytes before each record (linux/bpf.h: BPF_RINGBUF_HDR_SZ) */
	LOOK_AT_CLOCK = 1024, /* bytes read between looks at the clock */
};

/* After this function has asked libbpf to stop, the next call continues after the last record that was passed. */
static int bpf_ring_take_record(void *context, void *data, size_t size)
{
	struct bpf_ring *r = context;
	size_t used = HEADER + (size + 7) / 8 * 8, before = r->left;

	r->take(r->context, data, size);
	r->left -= used < before ? used : before;
	if (!r->left)
		return -ECANCELED;
	if (r->until_ns && before / LOOK_AT_CLOCK != r->left / LOOK_AT_CLOCK && monotonic_ns() >= r->until_ns)
		return -ECANCELED;
	return 0;
}

int bpf_ring_open(struct bpf_ring *r, int map, bpf_ring_take *take, void *context)
{
	struct bpf_map_info info = { 0 };
	__u32 size = sizeof(info);

	*r = (struct bpf_ring){ .take = take, .context = context };
	if (bpf_obj_get_info_by_fd(map, &info, &size))
		return -1;
	r->size = info.max_entries;
	r->buffer = ring_buffer__new(map, bpf_ring_take_record, r, NULL);
	return r->buffer ? 0 : -1;
}

int bpf_ring_fd(const struct bpf_ring *r)
{
	return ring_buffer__epoll_fd(r->buffer);
}

static void bpf_ring_drain_until(struct bpf_ring *r, uint64_t until_ns)
{
	if (!r->buffer)
		return;
	r->left = r->size;
	r->until_ns = until_ns;
	ring_buffer__consume(r->buffer);
}

void bpf_ring_drain(struct bpf_ring *r)
{
	bpf_ring_drain_until(r, 0);
}

void bpf_ring_round(struct bpf_ring *r)
{
	bpf_ring_drain_until(r, monotonic_ns() + ROUND_NS);
}

void bpf_ring_close(struct bpf_ring *r)
{
	ring_buffer__free(r->buffer);
	*r = (struct bpf_ring){ 0 };
}
