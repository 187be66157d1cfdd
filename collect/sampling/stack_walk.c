#include "collect/sampling/stack_walk.h"

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "collect/recording/records.h"
#include "collect/recording/spans.h"
#include "collect/sampling/stack_repair.h"
#include "core/memory.h"
#include "core/sorted.h"
#include "core/unwind/jit_unwinding.h"

_Static_assert((int)UNWIND_COMPLETE == RECORDING_END_COMPLETE && (int)UNWIND_TRUNCATED == RECORDING_END_TRUNCATED &&
		       (int)UNWIND_TOO_DEEP == RECORDING_END_TOO_DEEP && (int)UNWIND_NO_CFI == RECORDING_END_NO_CFI &&
		       (int)UNWIND_NO_FILE == RECORDING_END_NO_FILE && (int)UNWIND_UNMAPPED == RECORDING_END_UNMAPPED &&
		       (int)UNWIND_BROKEN == RECORDING_END_BROKEN &&
		       (int)UNWIND_NO_REGISTERS == RECORDING_END_NO_REGISTERS &&
		       (int)UNWIND_OTHER_STACK == RECORDING_END_OTHER_STACK && (int)UNWIND_ENDS == RECORDING_ENDS,
	       "ends of a walk are recorded as they are");

#if defined(__aarch64__)
#define MACHINE UNWIND_AARCH64
#else
#define MACHINE UNWIND_X86_64
#endif

/* ---- events -------------------------------------------------------------------------- */

SORT_BY(by_id, struct walked_id, id);

/* The id that samples get in the recording; events that are recorded as the same event share it. */
static uint64_t stack_walk_recorded_id(const struct events *events, const struct event *e, uint64_t id)
{
	const struct event *first = events->list;

	if (!e->recorded_as)
		return id;
	while (!first->recorded_as || strcmp(first->recorded_as, e->recorded_as))
		first++;
	return first->ids[0];
}

static void stack_walk_add_event(struct stack_walk *w, const struct events *events, const struct event *e)
{
	for (size_t i = 0; i < e->id_count && (event_is_walked(e) || event_lacks_period(e)); i++) {
		w->ids = xgrow(w->ids, &w->id_cap, w->id_count + 1, sizeof(*w->ids));
		w->ids[w->id_count++] = (struct walked_id){
			.id = e->ids[i], .recorded = stack_walk_recorded_id(events, e, e->ids[i]),
			.form = {
				.regs_mask = e->attr.sample_regs_user, .is_walked = event_is_walked(e),
				.period = event_lacks_period(e) ? e->attr.sample_period : 0,
				.has_raw = e->attr.sample_type & PERF_SAMPLE_RAW,
			},
			.is_span = e->recorded_as, .made = e->made, .self = e->self,
		};
	}
}

/* Begin with nothing known about address spaces. */
static void stack_walk_begin(struct stack_walk *w)
{
	struct unwind_runtime runtime = java_stacks_runtime(w->java);

	modules_init(&w->modules);
	w->modules_seen = 0;
	w->unwinder = unwinder_new(&w->modules, MACHINE);
	unwinder_read_memory(w->unwinder);
	if (!w->no_java)
		unwinder_set_runtime(w->unwinder, &runtime);
}

static void stack_walk_forget(struct stack_walk *w)
{
	unwinder_free(w->unwinder);
	jit_files_free(&w->dumps);
	spaces_free(&w->spaces);
	modules_free(&w->modules);
}

void stack_walk_init(struct stack_walk *w, const struct events *events)
{
	*w = (struct stack_walk){ .no_java = events->no_java, .return_slots = events->return_slots };
	w->java = java_stacks_new(&w->modules, events->java_certain);
	w->python_next = xcalloc(1, sizeof(*w->python_next));
	w->python = python_stacks_new(&w->modules, &(struct python_maps){ events->python_processes,
									  events->python_texts, events->python_ring });
	stack_walk_begin(w);
	for (size_t i = 0; i < events->count; i++)
		stack_walk_add_event(w, events, &events->list[i]);
	if (w->id_count)
		qsort(w->ids, w->id_count, sizeof(*w->ids), by_id);
}

void stack_walk_free(struct stack_walk *w)
{
	stack_walk_forget(w);
	java_stacks_free(w->java);
	python_stacks_free(w->python);
	free(w->python_next);
	str_free(&w->repaired);
	free(w->ids);
	*w = (struct stack_walk){ 0 };
}

/* ---- mappings --------------------------------------------------------------- */

/* JIT compilers write to their dumps at any time, without notice. */
static void learn_jit_code(struct stack_walk *w)
{
	for (; w->modules_seen < w->modules.count; w->modules_seen++) {
		const struct module *m = &w->modules.items[w->modules_seen];
		size_t len = strlen(m->path);

		if (m->kind == MODULE_JIT && path_is_jitdump(m->path, len))
			jit_files_add(&w->dumps, m->pid, m->path, len);
	}
	if (!w->dumps.count)
		return;
	jit_files_read(&w->dumps, 1, false);
	jit_files_place(&w->dumps, &w->spaces, &w->modules);
	jit_unwinding_add(w->unwinder, &w->dumps, &w->modules);
}

void stack_walk_learn(struct stack_walk *w, const uint8_t *bytes, size_t len)
{
	records_apply_changes((struct records){ bytes, len, 0 }, &w->spaces, &w->modules);
	learn_jit_code(w);
	java_stacks_next_batch(w->java);
	python_stacks_next_batch(w->python, &w->spaces);
}

void stack_walk_renew(struct stack_walk *w, const uint8_t *known, size_t len)
{
	stack_walk_forget(w);
	stack_walk_begin(w);
	records_apply_changes((struct records){ known, len, 0 }, &w->spaces, &w->modules);
	java_stacks_move(w->java, &w->spaces);
	python_stacks_move(w->python, &w->spaces);
	stack_walk_learn(w, NULL, 0);
}

void stack_walk_open(struct stack_walk *w)
{
	java_stacks_open(w->java, &w->spaces);
}

/* ---- samples --------------------------------------------------------------------------- */

static bool was_in_user_code(const struct taken_sample *t)
{
	return (t->header.misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_USER;
}

/* The Python frames that were copied with a span; NULL: none. */
static const struct python_copy *next_python(const struct stack_walk *w, const struct taken_sample *t)
{
	const struct python_copy *next = w->python_next;

	return next->count && next->tid == t->fields.tid && next->time_ns == t->fields.time_ns ? next : NULL;
}

/* Keep the Python frames of the sample that follows. */
static void keep_python(struct stack_walk *w, const uint8_t *record, size_t size)
{
	struct python_copy *next = w->python_next;
	size_t len = size - sizeof(struct perf_event_header), head = offsetof(struct python_copy, frames);

	next->count = 0;
	if (len < head || len > sizeof(*next))
		return;
	memcpy(next, record + sizeof(struct perf_event_header), len);
	if (next->count * sizeof(*next->frames) != len - head)
		next->count = 0;
}

/* Walk the user part of a sample's stack into w->chain.  Returns the number of entries. */
static size_t walk_user_stack(struct stack_walk *w, struct taken_sample *t, enum unwind_end *end,
			      struct python_stack *python)
{
	uint32_t stopped;
	size_t count;

	*end = UNWIND_NO_REGISTERS;
	t->user.space = spaces_find(&w->spaces, (int)t->fields.pid, t->fields.time_ns);
	if (w->return_slots && t->user.abi)
		stack_repair(&t->user, w->slots, w->return_slots(t->fields.tid, w->slots), &w->repaired);
	count = t->user.abi ? unwind(w->unwinder, &t->user, w->chain, end, &stopped) : 0;
	if (*end == UNWIND_BROKEN && stack_rest_is_missing(&t->user) &&
	    stack_rest_read(&t->user, (int)t->fields.pid, w->rest))
		count = unwind(w->unwinder, &t->user, w->chain, end, &stopped);
	if (!count && was_in_user_code(t))
		w->chain[count++] = t->fields.ip;
	*python = (struct python_stack){
		.space = t->user.space,
		.pid = (int)t->fields.pid,
		.tid = (int)t->fields.tid,
		.time_ns = t->fields.time_ns,
		.is_whole = *end == UNWIND_COMPLETE,
		.copy = next_python(w, t),
	};
	return python_stacks_mix(w->python, python, w->chain, count, UNWIND_MAX);
}

bool walked_register(const struct walked_sample *s, unsigned number, uint64_t *value)
{
	uint64_t bit = (uint64_t)1 << number;

	if (number > 63 || !s->regs || !(s->regs_mask & bit))
		return false;
	memcpy(value, s->regs + 8 * (size_t)__builtin_popcountll(s->regs_mask & (bit - 1)), sizeof(*value));
	return true;
}

static void stack_walk_add_u64(struct str *out, uint64_t n)
{
	str_add(out, (const char *)&n, sizeof(n));
}

/* Let the event's made() change the sample.  Returns whether the sample is recorded. */
static bool stack_walk_make(struct stack_walk *w, const struct walked_id *id, struct taken_sample *t, size_t count,
			    struct walked_sample *s)
{
	*s = (struct walked_sample){
		.pid = (int)t->fields.pid,
		.tid = (int)t->fields.tid,
		.time_ns = t->fields.time_ns,
		.regs_mask = id->form.regs_mask,
		.regs = t->user.regs,
		.chain = w->chain,
		.count = count,
		.raw = t->raw ? t->raw + sizeof(uint32_t) : NULL,
		.raw_len = t->raw ? t->raw_len - sizeof(uint32_t) : 0,
		.stack = t->user.stack,
		.stack_len = t->user.stack_len,
		.java = w->java,
		.weight = t->fields.period,
		.span = { .size = sizeof(s->span) - sizeof(s->span.size),
			  .flags = RECORDING_SINGLE,
			  .count = 1,
			  .begin_ns = t->fields.time_ns },
	};
	if (id->made && !id->made(id->self, s))
		return false;
	if (s->chain != w->chain && s->count)
		t->fields.ip = s->chain[0];
	t->fields.id = id->recorded;
	t->fields.period = s->weight;
	if (id->is_span) {
		t->raw = (const uint8_t *)&s->span;
		t->raw_len = sizeof(s->span);
	}
	return true;
}

/* In a span's chain, labels and wakers follow the kernel part. */
static size_t kernel_part(const struct taken_sample *t)
{
	uint64_t entry;

	for (size_t i = 0; i < t->fields.chain_count; i++) {
		memcpy(&entry, t->chain + 8 * i, sizeof(entry));
		if (RECORDING_IS_LABEL(entry))
			return i;
	}
	return t->fields.chain_count;
}

/* Add a walked sample.  A sample of a kernel thread has no user part, not even an end mark. */
static void stack_walk_add_walked(struct stack_walk *w, const struct walked_id *id, struct taken_sample *t,
				  struct str *out)
{
	enum unwind_end end;
	struct python_stack python;
	size_t count = walk_user_stack(w, t, &end, &python);
	bool has_user = count || t->user.abi, has_label = has_user && end != UNWIND_COMPLETE;
	struct walked_sample made;
	size_t kernel = kernel_part(t), behind = t->fields.chain_count - kernel, most;

	if (!stack_walk_make(w, id, t, count, &made))
		return;
	count = made.count;
	most = (UINT16_MAX - sizeof(t->header) - sizeof(t->fields) - t->raw_len) / 8 - kernel - behind - 3 -
	       PYTHON_LABELS_MAX;
	if (count > most) {
		count = most;
		end = UNWIND_TOO_DEEP;
		has_label = true;
	}
	java_stacks_mappings(w->java, t->fields.id, out);
	python_stacks_mappings(w->python, t->fields.id, out);
	t->fields.chain_count += has_user + count + python.label_count + has_label + (made.label != 0);
	t->header.size = (uint16_t)(sizeof(t->header) + sizeof(t->fields) + 8 * t->fields.chain_count + t->raw_len);
	str_add(out, (const char *)&t->header, sizeof(t->header));
	str_add(out, (const char *)&t->fields, sizeof(t->fields));
	str_add(out, (const char *)t->chain, 8 * kernel);
	if (has_user)
		stack_walk_add_u64(out, (uint64_t)PERF_CONTEXT_USER);
	str_add(out, (const char *)made.chain, 8 * count);
	str_add(out, (const char *)python.labels, 8 * python.label_count);
	str_add(out, (const char *)t->chain + 8 * kernel, 8 * behind);
	if (made.label)
		stack_walk_add_u64(out, made.label);
	if (has_label)
		stack_walk_add_u64(out, RECORDING_LABEL(RECORDING_LABEL_END, end));
	if (t->raw_len)
		str_add(out, (const char *)t->raw, t->raw_len);
}

/* Add the sample with its period. */
static void add_completed(const struct taken_sample *t, struct str *out)
{
	struct perf_event_header header = t->header;
	size_t size = sizeof(header) + sizeof(t->fields) + 8 * t->fields.chain_count + t->rest_len;

	if (size > UINT16_MAX)
		return; /* cannot happen below some 8000 callers */
	header.size = (uint16_t)size;
	str_add(out, (const char *)&header, sizeof(header));
	str_add(out, (const char *)&t->fields, sizeof(t->fields));
	str_add(out, (const char *)t->chain, 8 * t->fields.chain_count);
	str_add(out, (const char *)t->rest, t->rest_len);
}

/* The entry of the event's id if the sample must be walked or completed, else NULL. */
static const struct walked_id *find_id(const struct stack_walk *w, const uint8_t *record, size_t size)
{
	struct perf_event_header header;
	struct walked_id key = { 0 };

	memcpy(&header, record, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE || size < sizeof(struct perf_event_header) + sizeof(key.id))
		return NULL;
	memcpy(&key.id, record + sizeof(struct perf_event_header), sizeof(key.id));
	return w->id_count ? bsearch(&key, w->ids, w->id_count, sizeof(key), by_id) : NULL;
}

void stack_walk_shorten(const struct stack_walk *w, const uint8_t *record, size_t size, struct str *out)
{
	const struct walked_id *id = find_id(w, record, size);
	size_t start = out->len;
	struct taken_sample t;

	if (!id || !id->form.is_walked || !taken_sample_read(record, &id->form, &t) || !t.user.stack) {
		str_add(out, (const char *)record, size);
		return;
	}
	str_add(out, (const char *)record, (size_t)(t.user.stack - record));
	str_add(out, (const char *)t.user.stack, t.user.stack_len);
	stack_walk_add_u64(out, t.user.stack_len);
	t.header.size = (uint16_t)(out->len - start);
	memcpy(out->buf + start, &t.header, sizeof(t.header));
}

void stack_walk_records(struct stack_walk *w, const uint8_t *bytes, size_t len, struct str *out)
{
	struct records records = { bytes, len, 0 };
	struct perf_event_header header;
	const struct walked_id *id;
	const uint8_t *record;
	struct taken_sample t;

	w->python_next->count = 0;
	while ((record = records_next(&records, &header))) {
		if (header.type == SPANS_PYTHON) {
			keep_python(w, record, header.size);
			continue;
		}
		id = find_id(w, record, header.size);
		if (!id || !taken_sample_read(record, &id->form, &t))
			str_add(out, (const char *)record, header.size);
		else if (id->form.is_walked)
			stack_walk_add_walked(w, id, &t, out);
		else
			add_completed(&t, out);
	}
}
