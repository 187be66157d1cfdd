#include "render/colours/wall_kind.h"

#include <string.h>

/* Black text has a contrast of at least 7:1 on all of them, and on all mixtures. */
const struct wall_kind wall_kinds[WALL_KINDS] = { [WALL_RUNNING] = { "running", 0xf4845f },
						  [WALL_RUNNABLE] = { "waiting for a CPU", 0xf7d448 },
						  [WALL_BLOCKED] = { "blocked", 0x7fb2ee } };

unsigned wall_kind_called(const char *name, size_t len)
{
	static const struct {
		const char *begin;
		unsigned kind;
	} kinds[] = { { "[runnable]", WALL_RUNNABLE }, { "[by ", WALL_RUNNABLE }, { "[blocked: ", WALL_BLOCKED } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		size_t begin_len = strlen(kinds[i].begin);

		if (len >= begin_len && !memcmp(name, kinds[i].begin, begin_len))
			return kinds[i].kind;
	}
	return WALL_RUNNING;
}
