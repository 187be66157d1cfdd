#include "collect/syscalls/call_say.h"

#include "collect/sampling/live_stack.h"
#include "collect/syscalls/call_file.h"
#include "collect/syscalls/syscall_names.h"
#include "core/error.h"
#include "core/printable.h"
#include "core/wallclock.h"

static struct live_names names;

/* "2026-11-21T14:08:03.123456789Z db1 8513/8530 HOW read of pipe:[4711] WORD 1.002 s" */
static void add_call(struct str *out, const struct call_record *r, const char *how, const char *word)
{
	struct str file = { 0 };

	live_time_add(out, r->end_ns);
	str_addc(out, ' ');
	live_thread_add(out, (int)r->pid, (int)r->tid);
	str_addf(out, " %s ", how);
	syscall_name_add(out, r->number);
	call_file_add(&file, &r->file);
	if (file.len) {
		str_puts(out, " of ");
		printable_add(out, file.buf, file.len);
	}
	str_free(&file);
	str_addf(out, " %s %s%.3f s", word, r->flags & CALL_BEFORE ? "at least " : "", (double)r->ns / NS_PER_SEC);
}

void call_say_hangs(const struct call_record *r, const struct chain_builder *chain, struct walker *walker)
{
	struct str line = { 0 };

	names.walker = walker;
	add_call(&line, r, "still in", "after");
	if (r->kernel_count > 0) {
		str_puts(&line, ": ");
		live_stack_add(&line, &names, (int)r->pid, chain->list, chain->count);
	}
	inform("%s", line.buf);
	str_free(&line);
}

void call_say_over(const struct call_record *r)
{
	struct str line = { 0 };

	add_call(&line, r, "was in", "for");
	inform("%s", line.buf);
	str_free(&line);
}

void call_say_free(void)
{
	live_names_free(&names);
}
