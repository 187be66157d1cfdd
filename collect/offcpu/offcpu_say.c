#include "collect/offcpu/offcpu_say.h"

#include <inttypes.h>
#include <time.h>

#include "collect/machine/anchors.h"
#include "collect/machine/procfs.h"
#include "collect/offcpu/offcpu_options.h"
#include "collect/sampling/live_stack.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/wallclock.h"

static struct live_names names;

static void add_wallclock(struct str *out, uint64_t ns)
{
	wallclock_add(out, clock_ns(CLOCK_REALTIME) - monotonic_ns() + ns);
}

/* A name may have any bytes. */
static void add_thread_name(struct str *out, const struct offcpu_record *r)
{
	struct str name = { 0 };

	read_comm((pid_t)r->pid, (pid_t)r->tid, &name);
	printable_add(out, str_text(&name), name.len);
	str_free(&name);
	str_addf(out, " %" PRIu32 "/%" PRIu32, r->pid, r->tid);
}

/* what: "still blocked after" */
static void say(const struct offcpu_thread *thread, const struct offcpu_record *r, uint64_t at_ns, const char *what)
{
	struct str when = { 0 };

	add_wallclock(&when, at_ns);
	inform("%s %s %s %.3f s (%s): %s", when.buf, str_text(&thread->name), what,
	       (double)(at_ns - r->since_ns) / NS_PER_SEC, blocked_state_name(r->state), str_text(&thread->stack));
	str_free(&when);
}

void offcpu_say_overdue(struct offcpu_thread *thread, const struct offcpu_record *r, uint64_t look_ns,
			const struct chain_builder *chain)
{
	str_clear(&thread->name);
	str_clear(&thread->stack);
	add_thread_name(&thread->name, r);
	live_stack_add(&thread->stack, &names, (int)r->pid, chain->list, chain->count);
	say(thread, r, look_ns, "still blocked after");
}

void offcpu_say_over(const struct offcpu_thread *thread, const struct offcpu_record *r)
{
	say(thread, r, r->until_ns, "was blocked for");
}

void offcpu_say_free(void)
{
	live_names_free(&names);
}
