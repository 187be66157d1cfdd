#include "core/symbols/space/runtime.h"

#include <string.h>

enum { MAX_FORKS = 16 };

#define WALK_JAVA "--call-graph dwarf walks those of Java"
#define JAVA_UNREAD "Java frames not read: too late (lower -F or raise --ring), or not permitted (run as root)"
#define NODE_STACKS "node --interpreted-frames-native-stack, --perf-prof"
#define PYTHON_STACKS "python -X perf_jit (3.13)"

static const struct {
	const char *names[4]; /* prefixes of its files' names */
	const char *map, *stack[STACKS_KINDS];
} runtimes[RUNTIMES] = {
	[RUNTIME_UNKNOWN] = {
		{0}, "node --perf-basic-prof, python -X perf, Java: --jvm perfmap",
		{ NODE_STACKS "; " WALK_JAVA, "java -XX:+PreserveFramePointer; " NODE_STACKS,
		  NODE_STACKS "; " PYTHON_STACKS "; see the manual for Java" },
	},
	[RUNTIME_JAVA] = {
		{ "libjvm", "java" }, "--jvm perfmap (Java 17), or --call-graph dwarf",
		{ WALK_JAVA, "java -XX:+PreserveFramePointer", JAVA_UNREAD },
	},
	[RUNTIME_NODE] = {
		{ "node", "libnode" }, "node --perf-basic-prof, or --perf-prof",
		{ NODE_STACKS, NODE_STACKS, NODE_STACKS },
	},
	[RUNTIME_PYTHON] = {
		{ "libpython", "python" }, "python -X perf (3.12), -X perf_jit (3.13)",
		{ PYTHON_STACKS, PYTHON_STACKS, PYTHON_STACKS },
	},
};

enum runtime runtime_named(const char *name)
{
	for (int i = 0; i < RUNTIMES; i++) {
		for (const char *const *known = runtimes[i].names; *known; known++) {
			if (!strncmp(name, *known, strlen(*known)))
				return (enum runtime)i;
		}
	}
	return RUNTIME_UNKNOWN;
}

enum runtime runtime_of(struct spaces *spaces, const struct modules *modules, int pid)
{
	const struct space *space = spaces_find(spaces, pid, UINT64_MAX);

	/* Look at all spaces up to the last exec: a forked process goes on with its parent's mappings. */
	for (int depth = 0; space && depth < MAX_FORKS; depth++, space = space->parent) {
		for (size_t i = 0; i < space->mappings.count; i++) {
			uint32_t module = space->mappings.items[i].module;
			enum runtime runtime = module < modules->count
						       ? runtime_named(module_name(&modules->items[module]))
						       : RUNTIME_UNKNOWN;

			if (runtime != RUNTIME_UNKNOWN)
				return runtime;
		}
		if (space->parent && space->parent->pid == space->pid)
			break;
	}
	return RUNTIME_UNKNOWN;
}

const char *runtime_map_remedy(enum runtime runtime)
{
	return runtimes[runtime].map;
}

const char *runtime_stack_remedy(enum runtime runtime, enum runtime_stacks stacks)
{
	return runtimes[runtime].stack[stacks];
}
