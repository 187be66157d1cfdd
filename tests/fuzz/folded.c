/* Coverage-guided fuzzing of the folded reader: `make fuzz`.  For any lines, the values of frames add up, and the
 * embedded data have the length that they state. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "render/encoding/encode.h"
#include "render/profile/profile.h"
#include "render/profile/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(bool condition)
{
	if (!condition)
		abort();
}

static void check_tree(const struct profile *p, const struct tree_wish *wish)
{
	uint64_t width = 0, frames = 0;
	struct encoded e;
	struct tree t;

	tree_build_as(&t, p, wish);
	for (uint32_t i = 0; i < t.count; i++) {
		must(t.frames[i].total && tree_self(&t, i) <= t.frames[i].total);
		must(!i || t.frames[i].end <= t.frames[t.frames[i].parent].end);
		width += tree_self(&t, i);
		frames += tree_folded(&t, i) ? tree_folded(&t, i) : 1;
	}
	must(width == p->total);
	must(frames <= p->count);
	if (t.count) {
		encode(&e, p, &t, 0, palette_find("hot"));
		must(e.frame_count == t.count);
		encoded_free(&e);
	}
	tree_free(&t);
}

/* The first byte says how to read. */
static void read_file(const char *path, uint8_t how)
{
	struct profile_filter filter = {
		.reverse = how & 1,
		.chart = (how & 14) == 0,
		.layering = (how >> 1 & 7) % 6,
		.layer = how >> 4 & 3,
		.step_ns = 1ull << (how >> 4) * 4,
	};
	struct tree_wish all = { 0 }, some = { .detail_bytes = 40, .arrival = how & 16, .order = how >> 5 & 1 };
	struct profile p = { 0 };

	profile_read(&p, path, &filter);
	if (filter.chart)
		profile_chart(&p);
	profile_close(&p);
	if (profile_combine(&p, how >> 6 & 1, NULL, 0) == 0) {
		check_tree(&p, &all);
		check_tree(&p, &some);
	}
	profile_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
	char path[64];
	int fd;

	if (!size)
		return 0;
	quiet = 1;
	fd = memfd_create("fuzz", 0);
	if (write(fd, bytes + 1, size - 1) == (ssize_t)size - 1) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		read_file(path, bytes[0]);
	}
	close(fd);
	return 0;
}
