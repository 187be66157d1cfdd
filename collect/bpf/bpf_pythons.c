#include "collect/bpf/bpf_pythons.h"

#include <bpf/libbpf.h>
#include <stddef.h>

static const struct {
	const char *name;
	size_t fd; /* in struct events */
} bpf_pythons[] = {
	{ "python_processes", offsetof(struct events, python_processes) },
	{ "python_texts", offsetof(struct events, python_texts) },
	{ "python_ring", offsetof(struct events, python_ring) },
};

int bpf_pythons_share(struct bpf_object *object, const struct events *events)
{
	for (size_t i = 0; i < sizeof(bpf_pythons) / sizeof(*bpf_pythons); i++) {
		int fd = *(const int *)((const char *)events + bpf_pythons[i].fd);
		struct bpf_map *map = bpf_object__find_map_by_name(object, bpf_pythons[i].name);

		if (fd && map && bpf_map__reuse_fd(map, fd))
			return -1;
	}
	return 0;
}

void bpf_pythons_note(struct bpf_object *object, struct events *events)
{
	for (size_t i = 0; i < sizeof(bpf_pythons) / sizeof(*bpf_pythons); i++) {
		int *fd = (int *)((char *)events + bpf_pythons[i].fd);
		int found = *fd ? -1 : bpf_object__find_map_fd_by_name(object, bpf_pythons[i].name);

		if (found > 0)
			*fd = found;
	}
}
