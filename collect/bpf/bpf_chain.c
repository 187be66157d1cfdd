#include "collect/bpf/bpf_chain.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { CHAIN_MOST = 16 };

static const struct {
	const char *section, *next; /* the program's, and the map with the next one */
} points[] = {
	{ "tp_btf/sched_switch", "chain_switch" },
	{ "tp_btf/sched_waking", "chain_waking" },
};

enum { POINTS = sizeof(points) / sizeof(*points) };

static struct {
	struct bpf_object *members[CHAIN_MOST];
	size_t count;
	struct bpf_link *heads[POINTS]; /* of the first one, if it was called by another one before */
} chain;

static int chain_map(const struct bpf_object *object, const char *name)
{
	return bpf_object__find_map_fd_by_name(object, name);
}

/* The loaded program at a point; NULL: there is none. */
static struct bpf_program *chain_program(const struct bpf_object *object, size_t point)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, object)
	{
		if (!strcmp(bpf_program__section_name(program), points[point].section) && bpf_program__fd(program) >= 0)
			return program;
	}
	return NULL;
}

void bpf_chain_prepare(struct bpf_object *object)
{
	struct bpf_map *clock = bpf_object__find_map_by_name(object, "chain_clock");

	if (!clock || chain.count == CHAIN_MOST)
		return;
	if (chain.count)
		bpf_map__reuse_fd(clock, chain_map(chain.members[0], "chain_clock"));
	chain.members[chain.count++] = object;
}

static size_t chain_find(const struct bpf_object *object)
{
	size_t i = 0;

	while (i < chain.count && chain.members[i] != object)
		i++;
	return i;
}

/* caller calls next, or nothing if that is NULL. */
static int chain_link(const struct bpf_object *caller, const struct bpf_object *next, size_t point)
{
	struct bpf_program *program = next ? chain_program(next, point) : NULL;
	int map = chain_map(caller, points[point].next), fd = program ? bpf_program__fd(program) : -1;
	uint32_t zero = 0;

	if (program)
		return bpf_map_update_elem(map, &zero, &fd, BPF_ANY) ? -errno : 0;
	return bpf_map_delete_elem(map, &zero) && errno != ENOENT ? -errno : 0;
}

int bpf_chain_join(struct bpf_object *object)
{
	size_t at = chain_find(object);
	int err = 0;

	for (size_t i = 0; at && at < chain.count && i < POINTS && !err; i++) {
		bpf_program__set_autoattach(chain_program(object, i), false);
		err = chain_link(chain.members[at - 1], object, i);
	}
	return err;
}

static int chain_attach(const struct bpf_object *object, size_t point)
{
	chain.heads[point] = bpf_program__attach(chain_program(object, point));
	return chain.heads[point] ? 0 : -errno;
}

int bpf_chain_leave(const struct bpf_object *object)
{
	size_t at = chain_find(object);
	const struct bpf_object *next;
	int err = 0;

	if (at == chain.count)
		return 0;
	next = at + 1 < chain.count ? chain.members[at + 1] : NULL;
	for (size_t i = 0; i < POINTS; i++) {
		if (at) {
			err = chain_link(chain.members[at - 1], next, i) ?: err;
			continue;
		}
		bpf_link__destroy(chain.heads[i]);
		chain.heads[i] = NULL;
		if (next)
			err = chain_attach(next, i) ?: err;
	}
	memmove(&chain.members[at], &chain.members[at + 1], (--chain.count - at) * sizeof(*chain.members));
	return err;
}
