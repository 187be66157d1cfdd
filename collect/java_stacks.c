#include "collect/java_stacks.h"

#include <stdlib.h>

#include "core/memory.h"

struct java_stacks {
	uint64_t unread;
};

struct java_stacks *java_stacks_new(void)
{
	return xcalloc(1, sizeof(struct java_stacks));
}

static enum unwind_answer step(void *self, struct unwind_made *f)
{
	(void)self, (void)f;
	return UNWIND_NOT_MINE;
}

struct unwind_runtime java_stacks_runtime(struct java_stacks *j)
{
	return (struct unwind_runtime){ step, j };
}

void java_stacks_next_batch(struct java_stacks *j)
{
	(void)j;
}

void java_stacks_forget(struct java_stacks *j, int pid)
{
	(void)j, (void)pid;
}

uint64_t java_stacks_class(struct java_stacks *j, int pid, uint64_t klass)
{
	(void)j, (void)pid, (void)klass;
	return 0;
}

uint64_t java_stacks_class_named(struct java_stacks *j, int pid, const char *name, size_t len)
{
	(void)j, (void)pid, (void)name, (void)len;
	return 0;
}

const char *java_stacks_name(const struct java_stacks *j, int pid, uint64_t address)
{
	(void)j, (void)pid, (void)address;
	return NULL;
}

void java_stacks_mappings(struct java_stacks *j, uint64_t id, uint64_t time_ns, struct str *out)
{
	(void)j, (void)id, (void)time_ns, (void)out;
}

void java_stacks_give_names(struct java_stacks *j, struct jit_files *files)
{
	(void)j, (void)files;
}

uint64_t java_stacks_unread(const struct java_stacks *j)
{
	return j->unread;
}

const char *java_stacks_obstacle(const struct java_stacks *j, int pid)
{
	(void)j, (void)pid;
	return NULL;
}

void java_stacks_free(struct java_stacks *j)
{
	free(j);
}
