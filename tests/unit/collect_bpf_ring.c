/* Reading the ring of a BPF program that is as fast as the reader: each record that is read causes another two. */
#include "collect/bpf/bpf_ring.h"

#include "check.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/bpf.h>
#include <stdint.h>

#include "collect/bpf/bpf.h"
#include "collect/machine/anchors.h"

enum { RING = 4096, USED = 16 /* of it, by a record */ };

static int program = -1;

/* bpf_ringbuf_output(ring, &(u64){7}, 8, 0) */
static int load(int ring)
{
	struct bpf_insn code[] = {
		{ .code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_10, .off = -8, .imm = 7 },
		/* NOLINTNEXTLINE: constants that are alike */
		{ .code = BPF_LD | BPF_DW | BPF_IMM, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = ring },
		{ .code = 0 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_2, .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_2, .imm = -8 }, /* NOLINT */
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = 8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_4, .imm = 0 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_ringbuf_output },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_0, .imm = 0 },
		{ .code = BPF_JMP | BPF_EXIT },
	};

	return bpf_prog_load(BPF_PROG_TYPE_SOCKET_FILTER, "producer", "GPL", code, sizeof(code) / sizeof(*code), NULL);
}

static void produce(int count)
{
	char packet[64] = { 0 };

	for (int i = 0; i < count; i++) {
		LIBBPF_OPTS(bpf_test_run_opts, how, .data_in = packet, .data_size_in = sizeof(packet));

		bpf_prog_test_run_opts(program, &how);
	}
}

struct taken {
	size_t count, wrong;
	int produce;       /* at each */
	uint64_t stall_ns; /* at each */
};

static void take(void *context, const void *data, size_t size)
{
	struct taken *t = context;
	uint64_t until_ns = monotonic_ns() + t->stall_ns;

	t->count++;
	t->wrong += size != sizeof(uint64_t) || *(const uint64_t *)data != 7;
	if (t->count < 100 * RING / USED) /* so that a faulty reader does not continue forever */
		produce(t->produce);
	while (t->stall_ns && monotonic_ns() < until_ns)
		;
}

static void check_drain(struct bpf_ring *r, struct taken *t)
{
	*t = (struct taken){ .produce = 2 };
	produce(5);
	bpf_ring_drain(r);
	CHECK(t->count >= 5 && t->count <= RING / USED);
	t->produce = 0; /* the program is detached */
	t->count = 0;
	bpf_ring_drain(r);
	CHECK(t->count > 0 && t->count <= RING / USED);
	t->count = 0;
	bpf_ring_drain(r);
	CHECK(t->count == 0);
	CHECK(t->wrong == 0);
}

/* At the beginning, there is more than a round has time for. */
static void check_round(struct bpf_ring *r, struct taken *t)
{
	size_t first;

	*t = (struct taken){ .stall_ns = 1000000 };
	produce(RING / USED - 1);
	bpf_ring_round(r);
	first = t->count;
	CHECK(first > 0 && first < RING / USED - 1);
	bpf_ring_drain(r);
	CHECK(t->count == RING / USED - 1);
	CHECK(t->wrong == 0);
}

int main(void)
{
	struct bpf_ring r = { 0 };
	struct taken taken = { 0 };
	int map;

	bpf_ring_drain(&r); /* never opened */
	bpf_ring_close(&r);
	if (bpf_obstacle()) {
		printf("ok - the rest # SKIP %s\n", bpf_obstacle());
		return 0;
	}
	map = bpf_map_create(BPF_MAP_TYPE_RINGBUF, "ring", 0, 0, RING, NULL);
	program = load(map);
	CHECK(map >= 0 && program >= 0);
	CHECK(bpf_ring_open(&r, map, take, &taken) == 0);
	CHECK(r.size == RING);
	check_drain(&r, &taken);
	check_round(&r, &taken);
	bpf_ring_close(&r);
	return check_done();
}
