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
static void say(const struct offcpu_thread *thread, uint64_t at_ns, const char *what)
{
	struct str when = { 0 };

	add_wallclock(&when, at_ns);
	inform("%s %s %s %.3f s (%s): %s", when.buf, str_text(&thread->name), what,
	       (double)(at_ns - thread->reported_ns) / NS_PER_SEC, blocked_state_name(thread->reported_state),
	       str_text(&thread->stack));
	str_free(&when);
}

void offcpu_say_note(struct offcpu_thread *thread, const struct offcpu_record *r)
{
	str_clear(&thread->name);
	add_thread_name(&thread->name, r);
	thread->reported_state = r->state;
	thread->unsaid = true;
	thread->over_ns = 0;
}

void offcpu_say_overdue(struct offcpu_thread *thread, const struct span *s, struct walker *walker)
{
	names.walker = walker;
	str_clear(&thread->stack);
	live_stack_add(&thread->stack, &names, s->pid, s->chain, s->chain_count);
	say(thread, s->time_ns, "still blocked after");
	thread->unsaid = false;
	if (thread->over_ns)
		offcpu_say_over(thread, thread->over_ns);
}

void offcpu_say_over(struct offcpu_thread *thread, uint64_t until_ns)
{
	if (thread->unsaid)
		thread->over_ns = until_ns;
	else
		say(thread, until_ns, "was blocked for");
}

void offcpu_say_free(void)
{
	live_names_free(&names);
}
