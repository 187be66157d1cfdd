#include <stdlib.h>
#include <string.h>

#include "collapse/cause/explanation.h"
#include "collapse/frames/frame.h"
#include "collapse/roots/label_words.h"
#include "collapse/roots/lock_kind.h"
#include "core/amount.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/utf8.h"
#include "core/wallclock.h"

enum { OUTLIERS_SHOWN = 5, CORRELATED = 8 };

size_t explanation_outliers(const struct explanation *e)
{
	return e->outliers->count < OUTLIERS_SHOWN ? e->outliers->count : OUTLIERS_SHOWN;
}

/* ---- what it was ----------------------------------------------------------------------- */

static void explanation_outlier_add_file(const struct explanation *e, int64_t file, struct str *out)
{
	const struct file_name *name = file_names_get(e->files, (uint64_t)file);

	if (name)
		frame_add(out, name->path, name->len);
	else
		str_addf(out, "[file %lld]", (long long)file);
}

static void explanation_outlier_add_call(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	const struct named_syscall *call = t->what < 0 ? NULL : syscall_names_find(e->calls, (uint64_t)t->what);

	str_puts(out, "a call of ");
	if (call)
		printable_add(out, call->name, call->len);
	else
		str_addf(out, "syscall %d", t->what & ~RECORDING_SYSCALL_COMPAT);
	if (!t->error)
		return;
	str_puts(out, " (");
	error_word_add(out, t->error);
	str_addc(out, ')');
}

static void add_request(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	const struct file_name *device = t->device < 0 ? NULL : file_names_get(e->devices, (uint64_t)t->device);

	str_puts(out, "a request to ");
	if (device)
		io_device_add(out, device->path, device->len);
	else
		str_puts(out, "a device");
	str_puts(out, " (");
	io_operation_add(out, (uint32_t)t->what);
	str_addc(out, ')');
}

/* "a page fault (major-read-file)" */
static void explanation_outlier_add_kind(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	switch (t->kind) {
	case SLOW_CALL: explanation_outlier_add_call(e, t, out); break;
	case SLOW_REQUEST: add_request(e, t, out); break;
	case SLOW_LOCK:
		str_puts(out, "a wait for a lock (");
		lock_kind_add(out, (uint32_t)t->what, frames_futex(e->frames, t->stack));
		str_addc(out, ')');
		break;
	default:
		str_puts(out, "a page fault (");
		fault_type_add(out, (uint32_t)t->what);
		str_addc(out, ')');
	}
}

const char *explanation_kind(const struct slow_thing *t)
{
	static const char *const kinds[SLOW_KINDS] = { "fault", "syscall", "io", "lock" };

	return kinds[t->kind];
}

/* "of /opt/liblbm.so at 0x3000" */
static void explanation_outlier_add_place(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	str_puts(out, "of ");
	explanation_outlier_add_file(e, t->file, out);
	if (t->offset >= 0)
		str_addf(out, " at 0x%llx", (unsigned long long)t->offset);
}

void explanation_thing(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	explanation_outlier_add_kind(e, t, out);
	if (t->file < 0)
		return;
	str_addc(out, ' ');
	explanation_outlier_add_place(e, t, out);
}

static void explanation_outlier_add_owner(const struct explanation *e, uint32_t thread, struct str *out)
{
	explanation_thread_of(e, thread, out);
	if (e->machine)
		explanation_owner(e, thread, HISTORY_NONE, out);
}

static void explanation_outlier_add_text(const struct explanation *e, uint32_t text, struct str *out)
{
	str_add(out, intern_text(&e->names->texts, text), intern_len(&e->names->texts, text));
}

/* "in receive > poll > [binds sched_yield of liblbm.so]" */
static void add_where(const struct explanation *e, const struct outlier *o, struct str *out)
{
	str_puts(out, "in ");
	explanation_function(e, o->function, out);
	if (o->binding == UINT32_MAX)
		return;
	str_puts(out, " > ");
	explanation_outlier_add_text(e, o->binding, out);
}

/* ---- what made it slow ------------------------------------------------------------------- */

/* What the thread itself did most of the time: before and after are the words around that time. */
static const struct {
	const char *before, *after;
} reasons[RECORDING_REASON_COUNT] = {
	[RECORDING_REASON_CPU] = { "it ran in the kernel for ", "" },
	[RECORDING_REASON_IO] = { "it waited ", " for a device" },
	[RECORDING_REASON_MMAP_LOCK] = { "it waited ", " for the lock of its process's mappings" },
	[RECORDING_REASON_RECLAIM] = { "it had to free memory first, which took ", "" },
	[RECORDING_REASON_COMPACTION] = { "it had to join free pages first, which took ", "" },
	[RECORDING_REASON_RUNNABLE] = { "it waited ", " for a CPU" },
	[RECORDING_REASON_OTHER] = { "it was blocked for ", "" },
	[RECORDING_REASON_QUEUE] = { "it waited ", " in the queue of a device" },
	[RECORDING_REASON_DEVICE] = { "it was ", " in a device" },
	[RECORDING_REASON_THROTTLED] = { "the CPU limit of its control group stopped it for ", "" },
};

static void explanation_outlier_add_reason(const struct slow_thing *t, unsigned reason, struct str *out)
{
	str_puts(out, reasons[reason].before);
	duration_add(out, t->parts[reason]);
	str_puts(out, reasons[reason].after);
}

/* ", and it waited 20 ms for a CPU", if that is a tenth of its time. */
static void add_second(const struct slow_thing *t, unsigned main_reason, struct str *out)
{
	struct slow_thing rest = *t;
	unsigned reason;

	rest.parts[main_reason] = 0;
	reason = slow_main_reason(&rest);
	if (rest.parts[reason] * 10 < slow_length(t))
		return;
	str_puts(out, ", and ");
	explanation_outlier_add_reason(&rest, reason, out);
}

static void explanation_outlier_add_link(const char *indent, struct str *out)
{
	str_addf(out, "\n%s< ", indent);
}

static void add_did(const struct explanation *e, struct frames_function f, struct str *out)
{
	if (f.text == UINT32_MAX)
		return;
	str_puts(out, ": ");
	explanation_function(e, f, out);
}

/* What the device did for others. */
static void add_requests(const struct explanation *e, const struct outlier *o, const char *indent, struct str *out)
{
	const struct outlier_rival *r = &o->rival;

	explanation_outlier_add_link(indent, out);
	number_add(out, r->requests);
	str_puts(out, r->requests == 1 ? " request of another thread was there meanwhile: "
				       : " requests of others were there meanwhile, the longest: ");
	explanation_thing(e, &r->request, out);
	str_puts(out, ", ");
	duration_add(out, slow_length(&r->request));
	str_puts(out, r->request.other != HISTORY_NONE ? ", written by " : ", of ");
	explanation_outlier_add_owner(e, r->thread, out);
	if (r->request.other == HISTORY_NONE)
		add_did(e, o->did, out);
}

/* The slow things that make up most of the outlier's time. */
static void add_inner(const struct explanation *e, const struct outlier *o, const char *indent, struct str *out)
{
	for (size_t i = 0; i < o->inner_count; i++) {
		explanation_outlier_add_link(indent, out);
		duration_add(out, slow_length(&o->inner[i]));
		str_puts(out, " of it was ");
		explanation_thing(e, &o->inner[i], out);
		if (o->inner[i].kind == SLOW_LOCK && o->inner[i].other != HISTORY_NONE) {
			str_puts(out, ", which ");
			explanation_outlier_add_owner(e, o->inner[i].other, out);
			str_puts(out, " had");
		}
	}
}

/* The thread that held the lock, or that wrote the data which the device is now writing. */
static void explanation_outlier_add_other(const struct explanation *e, const struct outlier *o, const char *indent,
					  struct str *out)
{
	const struct slow_thing *t = &o->longest;

	if (t->other == HISTORY_NONE || t->other == t->thread)
		return;
	explanation_outlier_add_link(indent, out);
	explanation_outlier_add_owner(e, t->other, out);
	if (t->kind == SLOW_LOCK) {
		str_puts(out, " had it");
		add_did(e, o->did, out);
	} else {
		str_puts(out, " wrote that to the file");
	}
}

static void add_rival(const struct explanation *e, const struct outlier *o, const char *indent, struct str *out)
{
	explanation_outlier_add_link(indent, out);
	str_puts(out, "for ");
	duration_add(out, o->rival.ns);
	str_puts(out, " of it, ");
	explanation_outlier_add_owner(e, o->rival.thread, out);
	str_puts(out, " waited for a device, too");
	add_did(e, o->did, out);
}

static void explanation_outlier_add_cause(const struct explanation *e, const struct outlier *o, const char *indent,
					  struct str *out)
{
	static const char *const did[] = {
		[CAUSE_RAN] = "ran",
		[CAUSE_SLEPT] = "slept",
		[CAUSE_IO] = "waited for a device",
		[CAUSE_NO_CPU] = "waited for a CPU",
		[CAUSE_PROCESS] = "waited for another process",
	};
	const struct cause *c = &o->cause;

	if (c->kind >= sizeof(did) / sizeof(*did) || !did[c->kind] || c->guilty >= HISTORY_INTERRUPT)
		return;
	for (uint32_t i = 0; i < c->path_count; i++) {
		explanation_outlier_add_link(indent, out);
		explanation_outlier_add_owner(e, c->path[i], out);
		str_puts(out, " let it go on, and waited itself");
	}
	explanation_outlier_add_link(indent, out);
	explanation_outlier_add_owner(e, c->guilty, out);
	str_addf(out, " %s meanwhile", did[c->kind]);
	add_did(e, o->did, out);
}

static void explanation_outlier_add_chain(const struct explanation *e, const struct outlier *o, const char *indent,
					  struct str *out)
{
	if (!o->longest.parts[o->reason])
		return;
	explanation_outlier_add_link(indent, out);
	explanation_outlier_add_reason(&o->longest, o->reason, out);
	if (o->by < HISTORY_INTERRUPT) {
		str_puts(out, " that ");
		explanation_outlier_add_owner(e, o->by, out);
		str_puts(out, " had");
	}
	add_second(&o->longest, o->reason, out);
	add_inner(e, o, indent, out);
	explanation_outlier_add_other(e, o, indent, out);
	if (o->rival.requests)
		add_requests(e, o, indent, out);
	else if (o->rival.thread != HISTORY_NONE)
		add_rival(e, o, indent, out);
	else
		explanation_outlier_add_cause(e, o, indent, out);
}

static void explanation_outlier_add_value(const struct lane_name *name, uint64_t value, struct str *out)
{
	if (name->unit_len == strlen("bytes") && !memcmp(name->unit, "bytes", name->unit_len)) {
		size_add(out, value / RECORDING_LANE_PARTS);
		return;
	}
	quantity_add(out, value, RECORDING_LANE_PARTS);
	if (name->unit_len == 1 && *name->unit == '%')
		str_puts(out, " %");
}

void explanation_peaks(const struct explanation *e, const struct slow_thing *t, struct str *out)
{
	struct peak peaks[PEAKS_MAX];
	size_t count = peaks_find(e->lanes, e->lane_names, t->begin_ns, t->end_ns, peaks), start = out->len;

	for (size_t i = 0; i < count; i++) {
		const struct lane_name *name;

		if (peaks[i].lane >= e->lane_names->count)
			continue;
		name = &e->lane_names->list[peaks[i].lane];
		str_puts(out, out->len > start ? ", " : "");
		printable_add(out, name->name, name->len);
		str_addc(out, ' ');
		explanation_outlier_add_value(name, peaks[i].value, out);
	}
}

static void add_peaks(const struct explanation *e, const struct slow_thing *t, const char *indent, struct str *out)
{
	size_t before = out->len, start;

	str_addf(out, "\n%swhile at their worst: ", indent);
	start = out->len;
	explanation_peaks(e, t, out);
	if (out->len > start)
		return;
	out->len = before;
	out->buf[before] = '\0';
}

void explanation_outlier(const struct explanation *e, const struct outlier *o, const char *indent, struct str *out)
{
	const struct slow_thing *t = &o->longest;

	duration_add(out, slow_length(t));
	str_puts(out, " at ");
	wallclock_add(out, t->begin_ns);
	str_puts(out, ": ");
	explanation_outlier_add_owner(e, t->thread, out);
	str_puts(out, t->kind == SLOW_REQUEST ? " made " : " was in ");
	explanation_outlier_add_kind(e, t, out);
	str_addf(out, "\n%s", indent);
	if (t->file >= 0) {
		explanation_outlier_add_place(e, t, out);
		str_addf(out, "\n%s", indent);
	}
	add_where(e, o, out);
	explanation_outlier_add_chain(e, o, indent, out);
	add_peaks(e, t, indent, out);
	if (o->count == 1)
		return;
	str_addf(out, "\n%s", indent);
	number_add(out, o->count);
	str_puts(out, " like it, ");
	duration_add(out, o->total_ns);
	str_puts(out, " in all");
}

void explanation_outlier_sentence(const struct explanation *e, const struct outlier *o, struct str *out)
{
	const struct slow_thing *t = &o->longest;

	explanation_outlier_add_owner(e, t->thread, out);
	str_puts(out, t->kind == SLOW_REQUEST ? " made " : " was in ");
	explanation_thing(e, t, out);
	str_puts(out, t->kind == SLOW_REQUEST ? " that took " : " for ");
	duration_add(out, slow_length(t));
	str_puts(out, ", ");
	add_where(e, o, out);
	if (!t->parts[o->reason])
		return;
	str_puts(out, ": ");
	explanation_outlier_add_reason(t, o->reason, out);
	add_second(t, o->reason, out);
}

/* ---- what they have in common --------------------------------------------------------------- */

static bool all_are(const struct outliers *all, size_t count,
		    bool (*same)(const struct outlier *, const struct outlier *))
{
	for (size_t i = 1; i < count; i++) {
		if (!same(&all->items[0], &all->items[i]))
			return false;
	}
	return true;
}

static bool same_thread(const struct outlier *a, const struct outlier *b)
{
	return a->longest.thread == b->longest.thread;
}

static bool explanation_outlier_same_file(const struct outlier *a, const struct outlier *b)
{
	return a->longest.file == b->longest.file && a->longest.file >= 0;
}

static bool same_function(const struct outlier *a, const struct outlier *b)
{
	return a->function.text == b->function.text && a->function.text != UINT32_MAX;
}

static bool same_reason(const struct outlier *a, const struct outlier *b)
{
	return slow_main_reason(&a->longest) == slow_main_reason(&b->longest);
}

static void begin_common(struct str *out, size_t start, const char *words)
{
	str_puts(out, out->len == start ? "" : ", ");
	str_puts(out, words);
}

void explanation_common(const struct explanation *e, struct str *out)
{
	const struct outliers *all = e->outliers;
	const struct outlier *first = all->items;
	size_t count = 0, start = out->len;

	while (count < all->count && slow_length(&all->items[count].longest) * 2 >= slow_length(&first->longest))
		count++;
	if (count < 2)
		return;
	if (all_are(all, count, same_thread)) {
		begin_common(out, start, "the thread (");
		explanation_thread(e, first->longest.thread, out);
		str_addc(out, ')');
	}
	if (all_are(all, count, explanation_outlier_same_file)) {
		begin_common(out, start, "the file (");
		explanation_outlier_add_file(e, first->longest.file, out);
		str_addc(out, ')');
	}
	if (all_are(all, count, same_function)) {
		begin_common(out, start, "the function (");
		explanation_outlier_add_text(e, first->function.text, out);
		str_addc(out, ')');
	}
	if (all_are(all, count, same_reason)) {
		begin_common(out, start, "where the time went (");
		str_puts(out, fault_reason(slow_main_reason(&first->longest)));
		str_addc(out, ')');
	}
}

/* ---- what is left out ------------------------------------------------------------------------ */

static void explanation_outlier_add_left(const struct explanation *e, const struct outliers_left *left, struct str *out)
{
	struct frames_function function = frames_function(e->frames, left->longest.stack);

	duration_add(out, slow_length(&left->longest));
	str_puts(out, ": ");
	explanation_outlier_add_owner(e, left->longest.thread, out);
	str_puts(out, " in ");
	explanation_thing(e, &left->longest, out);
	if (function.text == UINT32_MAX)
		return;
	str_puts(out, ", in ");
	explanation_function(e, function, out);
}

void explanation_left_out(const struct explanation *e, struct str *out)
{
	const struct outliers *all = e->outliers;

	if (!all->left.count)
		return;
	number_add(out, all->left.count);
	str_puts(out, all->left.count == 1 ? " wait for work, " : " waits for work, the longest ");
	explanation_outlier_add_left(e, &all->left, out);
	if (!all->timed_out.count)
		return;
	str_puts(out, "; a timeout ended ");
	number_add(out, all->timed_out.count);
	str_puts(out, ", the longest ");
	explanation_outlier_add_left(e, &all->timed_out, out);
}

/* ---- what others did meanwhile --------------------------------------------------------------- */

/* Append what one thread did in a stretch of time. */
struct part {
	uint32_t thread;
	uint64_t ran_ns, ready_ns, blocked_ns;
	const struct history_span *block; /* the longest in that time; or NULL */
	enum wait_kind kind;              /* of the block */
};

static uint64_t explanation_outlier_weight_of(const struct part *p)
{
	return p->ran_ns + p->ready_ns + p->blocked_ns;
}

static int explanation_outlier_by_weight(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	return ORDER(explanation_outlier_weight_of(y), explanation_outlier_weight_of(x)) ?: ORDER(x->thread, y->thread);
}

static struct part explanation_outlier_part_of(const struct explanation *e, uint32_t thread, const struct slow_thing *t)
{
	struct part p = { .thread = thread };
	uint32_t by;

	p.ran_ns = history_ran(e->history, thread, t->begin_ns, t->end_ns);
	p.ready_ns = history_waited(e->history, thread, t->begin_ns, t->end_ns, &by);
	p.block = history_block(e->history, thread, t->begin_ns, t->end_ns);
	if (!p.block)
		return p;
	p.kind = p.block->state == RECORDING_BLOCKED_IO ? WAIT_IO : frames_wait_kind(e->frames, p.block->stack);
	if (p.kind != WAIT_WORK && p.kind != WAIT_SLEEP)
		p.blocked_ns = history_overlap(p.block, t->begin_ns, t->end_ns);
	return p;
}

static void explanation_outlier_add_part(const struct explanation *e, const struct part *p, const struct slow_thing *t,
					 const char *indent, struct str *out)
{
	bool blocked = p->blocked_ns > p->ran_ns + p->ready_ns;

	str_addf(out, "\n%s", indent);
	explanation_outlier_add_owner(e, p->thread, out);
	str_puts(out, " ran ");
	duration_add(out, p->ran_ns);
	if (p->ready_ns) {
		str_puts(out, ", waited ");
		duration_add(out, p->ready_ns);
		str_puts(out, " for a CPU");
	}
	if (p->blocked_ns) {
		str_puts(out, ", was blocked ");
		duration_add(out, p->blocked_ns);
		str_addf(out, " (%s)", wait_word(p->kind));
	}
	add_did(e,
		cause_function(e->history, e->frames, p->thread, blocked ? p->block->stack : HISTORY_NONE, t->begin_ns,
			       t->end_ns),
		out);
}

void explanation_correlate(const struct explanation *e, const struct slow_thing *t, const char *indent, struct str *out)
{
	struct part *parts = xcalloc(e->history->count + 1, sizeof(*parts));
	size_t count = 0;

	for (uint32_t i = 0; i < e->history->count; i++) {
		const struct history_thread *one = &e->history->threads[i];

		if (i == t->thread || !one->tid || one->recorder)
			continue;
		parts[count] = explanation_outlier_part_of(e, i, t);
		count += explanation_outlier_weight_of(&parts[count]) != 0;
	}
	qsort(parts, count, sizeof(*parts), explanation_outlier_by_weight);
	for (size_t i = 0; i < count && i < CORRELATED; i++)
		explanation_outlier_add_part(e, &parts[i], t, indent, out);
	if (!count)
		str_puts(out, " nobody else did anything that was recorded");
	if (count > CORRELATED)
		str_addf(out, "\n%sand %zu other threads", indent, count - CORRELATED);
	free(parts);
}
