#include "collect/offcpu/offcpu_say.h"

#include "collect/offcpu/offcpu_options.h"
#include "collect/sampling/live_stack.h"
#include "core/amount.h"
#include "core/error.h"
#include "core/wallclock.h"

static struct live_names names;

/* what: "still blocked after" */
static void offcpu_say_one(const struct offcpu_thread *thread, uint64_t at_ns, const char *what)
{
	struct str when = { 0 };

	live_time_add(&when, at_ns);
	inform("%s %s %s %s (%s): %s", when.buf, str_text(&thread->name), what,
	       duration_text(at_ns - thread->reported_ns).text, blocked_state_name(thread->reported_state),
	       str_text(&thread->stack));
	str_free(&when);
}

void offcpu_say_note(struct offcpu_thread *thread, const struct offcpu_record *r)
{
	str_clear(&thread->name);
	live_thread_add(&thread->name, (int)r->pid, (int)r->tid);
	thread->reported_state = r->state;
	thread->unsaid = true;
	thread->over_ns = 0;
}

void offcpu_say_overdue(struct offcpu_thread *thread, const struct span *s, struct walker *walker)
{
	names.walker = walker;
	str_clear(&thread->stack);
	live_stack_add(&thread->stack, &names, s->pid, s->chain, s->chain_count);
	offcpu_say_one(thread, s->time_ns, "still blocked after");
	thread->unsaid = false;
	if (thread->over_ns)
		offcpu_say_over(thread, thread->over_ns);
}

void offcpu_say_over(struct offcpu_thread *thread, uint64_t until_ns)
{
	if (thread->unsaid)
		thread->over_ns = until_ns;
	else
		offcpu_say_one(thread, until_ns, "was blocked for");
}

void offcpu_say_free(void)
{
	live_names_free(&names);
}
