#include "collect/alloc/alloc_jvms.h"

#include "collect/run/opening.h"
#include "core/error.h"
#include "core/symbols/jit/jit_open.h"
#include "core/wallclock.h"

/* The longest time from exec(2) until libjvm.so is mapped, on a busy machine. */
#define PATIENCE_NS (5 * NS_PER_SEC)

/* For -a: find all JVMs. */
static void alloc_jvms_find_files(struct alloc_probes *p, bool every)
{
	struct pids all = { 0 };
	const char *why;

	pids_read(&all, "/proc");
	for (size_t i = 0; i < all.count; i++)
		alloc_probes_find(p, all.list[i], every, &why);
	pids_free(&all);
}

/* Find JVMs.  Returns 0 if there is one, else -1, after a message if complain is set. */
static int alloc_jvms_find_all(const struct collection *c, struct alloc_probes *p, bool every, bool complain)
{
	const struct pids *wanted = &c->targets.processes;
	const char *why;

	alloc_probes_forget_jvms(p);
	if (c->whole_machine)
		alloc_jvms_find_files(p, every);
	for (size_t i = 0; i < wanted->count && !c->whole_machine; i++) {
		if (!alloc_probes_find(p, wanted->list[i], every, &why) || !complain)
			continue;
		if (wanted->count == 1)
			return error("the allocations of process %d cannot be seen: %s", (int)wanted->list[0], why);
		warn("process %d is skipped: %s", (int)wanted->list[i], why);
	}
	if (p->jvms.count)
		return 0;
	return complain ? error("no HotSpot JVM whose allocations can be seen") : -1;
}

static bool any_lives(const struct pids *processes)
{
	for (size_t i = 0; i < processes->count; i++) {
		if (jit_maker_lives(processes->list[i]))
			return true;
	}
	return false;
}

/* With --wait, waits until there is a JVM.  Returns 1 if it has found one, 0 if alloc_jvms_find_all() is to report what the
 * processes are instead, -1, after a message, if there will not be one. */
static int wait_for_one(struct collection *c, struct alloc_probes *p, bool every)
{
	uint64_t until_ns = monotonic_ns() + PATIENCE_NS;

	while (alloc_jvms_find_all(c, p, every, false)) {
		if (!any_lives(&c->targets.processes)) {
			if (opening_wait_again(c))
				return -1;
			until_ns = monotonic_ns() + PATIENCE_NS;
		} else if (monotonic_ns() > until_ns) {
			return 0; /* report what they are */
		} else if (opening_look_again(c)) {
			return -1;
		}
	}
	return 1;
}

static void warn_of_missed(const struct alloc_probes *p)
{
	for (size_t i = 0; i < p->jvms.count; i++) {
		if (alloc_misses_compiled(p->jvms.list[i]))
			warn("process %d runs with -XX:-UseTLAB: most of its objects are not seen, and shares of "
			     "classes are wrong",
			     (int)p->jvms.list[i]);
	}
}

int alloc_jvms_find(struct collection *c, struct alloc_probes *p, bool every)
{
	int found = 0;

	if (c->opt.wait && !c->whole_machine)
		found = wait_for_one(c, p, every);
	if (found < 0)
		return -1;
	/* A single JVM that was waited for has been looked at.  By now it may have ended, which is not an error. */
	if (!(found && c->targets.processes.count == 1) && alloc_jvms_find_all(c, p, every, true))
		return -1;
	if (!every)
		warn_of_missed(p);
	return 0;
}
