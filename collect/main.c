/* pyrograph collect: records a running system.  A source is a file of its own and a
 * row here; "collect cpu,sched" fills one recording from several. */
#include <stdlib.h>
#include <string.h>

#include "collect/collection.h"
#include "collect/cpu.h"
#include "collect/sched.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/nearest.h"
#include "core/verbs.h"

static const struct source *const sources[] = {
	&cpu_source,
	&sched_source,
};

enum { SOURCE_COUNT = sizeof(sources) / sizeof(*sources) };

static const char examples[] =
	"  pyrograph collect cpu -a -d 5 -o rec.data        the whole machine\n"
	"  pyrograph collect cpu -p PID -F 999 -o rec.data  a process, until Ctrl-C\n"
	"  pyrograph collect cpu -- make -j8                a command\n";

static const struct source *find(const char *name)
{
	struct nearest meant = {0};

	for (size_t i = 0; i < SOURCE_COUNT; i++) {
		if (!strcmp(sources[i]->name, name))
			return sources[i];
		nearest_try(&meant, name, sources[i]->name);
	}
	program_name = "pyrograph collect"; /* whose --help lists them */
	if (meant.name)
		die_usage("unknown verb '%s'\nDid you mean '%s'?", name, meant.name);
	die_usage("unknown verb '%s'", name);
}

/* argv[0]: "cpu", or "cpu,sched". */
static int run(int argc, char **argv)
{
	const struct source *chosen[SOURCE_COUNT];
	size_t count = 0;

	for (const char *at = argv[0]; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char *name = xstrndup(at, strcspn(at, ","));
		const struct source *s = find(name);

		free(name);
		for (size_t i = 0; i < count; i++) {
			if (chosen[i] == s)
				die_usage("%s twice in '%s'", s->name, argv[0]);
		}
		chosen[count++] = s;
	}
	return collection_run(chosen, count, argc, argv);
}

/* The list is a verb of its own, as long as it is given. */
static const char *find_list(int argc, char **argv)
{
	int at = argc > 2 && !strcmp(argv[1], "help") ? 2 : 1;

	return argc > at && argv[at][0] != '-' && strchr(argv[at], ',') ? argv[at] : NULL;
}

int main(int argc, char **argv)
{
	struct verb verbs[SOURCE_COUNT + 2] = {0};

	for (size_t i = 0; i < SOURCE_COUNT; i++)
		verbs[i] = (struct verb){ sources[i]->name, sources[i]->about, run };
	verbs[SOURCE_COUNT] = (struct verb){ find_list(argc, argv), "", run };
	return verbs_run(verbs, "pyrograph collect", examples, argc, argv);
}
