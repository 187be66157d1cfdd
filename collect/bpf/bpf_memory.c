#include "collect/bpf/bpf_memory.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collect/machine/procfs.h"
#include "core/str.h"

/* Linux, kernel/bpf/hashtab.c: struct htab_elem, struct bucket. */
enum { HASH_ELEMENT = 48, HASH_BUCKET = 16 };

static uint64_t round_up(uint64_t n)
{
	return (n + 7) / 8 * 8;
}

static uint64_t map_wanted(const struct bpf_map *map)
{
	uint64_t entries = bpf_map__max_entries(map), value = round_up(bpf_map__value_size(map));
	uint64_t key = round_up(bpf_map__key_size(map)), cpus = (uint64_t)libbpf_num_possible_cpus();

	switch (bpf_map__type(map)) {
	case BPF_MAP_TYPE_RINGBUF: return entries;
	case BPF_MAP_TYPE_PERCPU_ARRAY: return entries * value * cpus;
	case BPF_MAP_TYPE_PERF_EVENT_ARRAY:
	case BPF_MAP_TYPE_ARRAY_OF_MAPS: return entries * sizeof(void *);
	case BPF_MAP_TYPE_QUEUE: return entries * bpf_map__value_size(map);
	case BPF_MAP_TYPE_HASH:
	case BPF_MAP_TYPE_LRU_HASH:
		if (bpf_map__map_flags(map) & BPF_F_NO_PREALLOC)
			return entries * HASH_BUCKET;
		return (entries + cpus) * (HASH_ELEMENT + key + value) + entries * HASH_BUCKET;
	default: return entries * value;
	}
}

uint64_t bpf_memory_wanted(struct bpf_object *object)
{
	struct bpf_map *map;
	uint64_t bytes = 0;

	bpf_object__for_each_map(map, object)
		bytes += bpf_map__autocreate(map) ? map_wanted(map) : 0;
	return bytes;
}

uint64_t bpf_memory(struct bpf_object *object)
{
	struct bpf_map *map;
	uint64_t bytes = 0;

	bpf_object__for_each_map(map, object) {
		struct str text = { 0 };
		const char *field;
		char path[64];

		snprintf(path, sizeof(path), "/proc/self/fdinfo/%d", bpf_map__fd(map));
		if (!read_whole(path, &text) && (field = strstr(str_text(&text), "memlock:")))
			bytes += strtoull(field + strlen("memlock:"), NULL, 10);
		str_free(&text);
	}
	return bytes;
}
