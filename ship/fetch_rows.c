#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/format/recording.h"
#include "core/format/samples.h"
#include "core/memory.h"
#include "core/regexp.h"
#include "core/wallclock.h"
#include "ship/fetching.h"
#include "ship/labels.h"
#include "ship/row.h"

enum { FLUSH_BYTES = 256 * 1024 };

static void fetch_rows_add_label(struct fetching *g, size_t root, const struct str *value)
{
	if (g->line.len)
		str_addc(&g->line, SAMPLES_BETWEEN_LABELS);
	str_add(&g->line, g->roots[root].name, g->roots[root].len);
	str_addc(&g->line, '=');
	str_add(&g->line, str_text(value), value->len);
}

static void add_leaf(struct fetching *g, const struct str *value)
{
	if (g->leaf.len)
		str_addc(&g->leaf, ';');
	str_add(&g->leaf, str_text(value), value->len);
}

/* A name of a column, made fit for a frame: no ';', and no number after a blank at its end. */
static void fetch_rows_add_name(struct str *out, const char *name, size_t len)
{
	size_t digits = len;

	str_add(out, name, len);
	for (size_t i = 0; i < len; i++) {
		if (out->buf[i] == ';')
			out->buf[i] = ':';
	}
	while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	if (digits < len && digits && name[digits - 1] == ' ')
		out->buf[digits - 1] = '_';
}

static bool fetch_rows_add_cpu(struct str *out, int cpu, const char *labels, size_t len)
{
	const char *value;
	size_t n;

	if (cpu >= 0)
		str_addf(out, "cpu%d", cpu);
	else if (cpu == -1)
		str_puts(out, "[unknown cpu]");
	else if ((value = label_value(labels, len, "cpu", strlen("cpu"), &n)))
		str_add(out, value, n);
	else
		return false;
	return true;
}

struct fields {
	const char *event, *host, *service, *labels, *stack, *moment, *values;
	size_t event_len, host_len, service_len;
	int16_t cpu;
};

static bool fetch_rows_take_fields(const struct fetching *g, struct binary_row *row, struct fields *f)
{
	const char *cpu = NULL;

	*f = (struct fields){ .cpu = -2 };
	if (g->needs[OF_EVENT])
		f->event = row_text(row, &f->event_len);
	if (g->needs[OF_HOST])
		f->host = row_text(row, &f->host_len);
	if (g->needs[OF_SERVICE])
		f->service = row_text(row, &f->service_len);
	if (g->needs[OF_CPU])
		cpu = row_bytes(row, sizeof(f->cpu));
	if (cpu)
		memcpy(&f->cpu, cpu, sizeof(f->cpu));
	if (g->needs[OF_LABELS])
		f->labels = row_bytes(row, SIP_BYTES);
	if (!g->f->no_stack)
		f->stack = row_bytes(row, SIP_BYTES);
	if (g->f->timed)
		f->moment = row_bytes(row, 8);
	f->values = row_bytes(row, 8 * g->values);
	return f->values != NULL;
}

static bool fetch_rows_is_idle(const struct fetching *g, const char *labels, size_t len)
{
	size_t n;
	const char *pid = !g->f->no_idle || !g->event || strcmp(g->event, RECORDING_SCHED) != 0
				  ? NULL
				  : label_value(labels, len, "pid", strlen("pid"), &n);

	return pid && n >= 2 && !memcmp(pid + n - 2, "-0", 2);
}

/* The thread's own name, from label tid: "dw-20-8513/8530". */
static size_t without_numbers(const char *text, size_t len)
{
	for (const char *before = "/-"; *before; before++) {
		size_t n = len;

		while (n && text[n - 1] >= '0' && text[n - 1] <= '9')
			n--;
		if (n == len || !n || text[n - 1] != *before)
			return len;
		len = n - 1;
	}
	return len;
}

static bool thread_matches(const struct fetching *g, const char *labels, size_t len)
{
	const char *name;
	size_t n;

	name = label_value(labels, len, "tid", strlen("tid"), &n);
	if (name)
		n = without_numbers(name, n);
	else
		name = label_value(labels, len, "comm", strlen("comm"), &n);
	return name && regexp_match(g->threads, name, n);
}

static bool owner_matches(const struct regexp *wanted, const char *labels, size_t len, const char *name)
{
	size_t n;
	const char *value = name ? label_value(labels, len, name, strlen(name), &n) : NULL;

	return value && n && value[0] != '[' && regexp_match(wanted, value, n); /* "[no pod]" is no name */
}

/* Containers and pods are also found by the numbers that runtimes print. */
static bool owners_match(const struct fetching *g, const char *labels, size_t len)
{
	static const struct {
		const char *name, *number;
	} roots[FETCH_OWNERS] = {
		[FETCH_CONTAINER] = { "container", "container-id" },
		[FETCH_POD] = { "pod", "pod-uid" },
		[FETCH_NAMESPACE] = { "namespace", NULL },
		[FETCH_UNIT] = { "unit", NULL },
		[FETCH_CGROUP] = { "cgroup", NULL },
	};

	for (size_t i = 0; i < FETCH_OWNERS; i++) {
		if (g->owners[i] && !owner_matches(g->owners[i], labels, len, roots[i].name) &&
		    !owner_matches(g->owners[i], labels, len, roots[i].number))
			return false;
	}
	return true;
}

static bool labels_are_wanted(struct fetching *g, const struct text_entry *e, const char *labels, size_t len)
{
	uint8_t *known;

	if (!g->chooses)
		return true;
	if (!g->labels_wanted)
		g->labels_wanted = xcalloc(g->labels.by_hash.count + 1, sizeof(*g->labels_wanted));
	known = &g->labels_wanted[e ? (size_t)(e - g->labels.items) : g->labels.by_hash.count];
	if (!*known)
		*known = (!g->threads || thread_matches(g, labels, len)) && owners_match(g, labels, len) ? 2 : 1;
	return *known == 2;
}

/* Like recordings, a store gives no lines for samples whose values are all 0. */
static bool fetch_rows_is_zero(const struct fetching *g, const struct fields *f)
{
	for (size_t i = 0; i < 8 * g->values; i++) {
		if (f->values[i])
			return false;
	}
	return true;
}

static const struct text_entry *fetch_rows_labels_of(const struct fetching *g, const struct fields *f)
{
	return f->labels ? texts_find(&g->labels, (const unsigned char *)f->labels) : NULL;
}

static bool fetch_rows_is_wanted(struct fetching *g, const struct fields *f, const struct text_entry *e)
{
	const char *labels = e ? texts_text(&g->labels, e) : "";
	size_t len = e ? e->len : 0;

	return !fetch_rows_is_zero(g, f) && !fetch_rows_is_idle(g, labels, len) &&
	       (!g->f->state || label_is_listed(labels, len, "state", g->f->state)) &&
	       (!g->f->waits || label_is_listed(labels, len, "wait", g->f->waits)) &&
	       labels_are_wanted(g, e, labels, len);
}

/* Append the frames of a root.  Returns false if there are none. */
static bool fetch_rows_add_value(const struct fetching *g, size_t root, const struct fields *f, const char *labels,
				 size_t len, struct str *out)
{
	const char *value;
	size_t n;

	switch (g->roots[root].place) {
	case OF_HOST: fetch_rows_add_name(out, f->host, f->host_len); return true;
	case OF_SERVICE: fetch_rows_add_name(out, f->service, f->service_len); return f->service_len;
	case OF_EVENT: fetch_rows_add_name(out, f->event, f->event_len); return true;
	case OF_CPU: return fetch_rows_add_cpu(out, f->cpu, labels, len);
	default:
		value = label_value(labels, len, g->roots[root].name, g->roots[root].len, &n);
		if (value)
			str_add(out, value, n);
		return value;
	}
}

/* The labels of a row, in line, and its frames at the leaf. */
static void fetch_rows_make_labels(struct fetching *g, const struct fields *f, const struct text_entry *e)
{
	const char *labels = e ? texts_text(&g->labels, e) : "";
	size_t len = e ? e->len : 0;

	str_clear(&g->line);
	str_clear(&g->leaf);
	for (size_t i = 0; i < g->root_count; i++) {
		str_clear(&g->value);
		if (!fetch_rows_add_value(g, i, f, labels, len, &g->value))
			continue;
		if (g->roots[i].at_leaf)
			add_leaf(g, &g->value);
		else
			fetch_rows_add_label(g, i, &g->value);
	}
}

static uint32_t fetch_rows_define_labels(struct fetching *g)
{
	size_t before = g->defined.count;
	uint32_t number = intern_add(&g->defined, str_text(&g->line), g->line.len);

	if (g->defined.count > before) {
		str_addf(&g->text, SAMPLES_LABELS "%u ", number);
		str_add(&g->text, str_text(&g->line), g->line.len);
		str_addc(&g->text, '\n');
	}
	return number;
}

/* How many frames of a stack are the thread's own, rather than its wakers'. */
static size_t own_len(const char *stack, size_t len)
{
	const char *end = stack + len;

	for (const char *at = stack, *stop; at < end; at = stop + 1) {
		stop = memchr(at, ';', (size_t)(end - at));
		stop = stop ? stop : end;
		if ((size_t)(stop - at) == strlen(FOLDED_CHAIN_FRAME) &&
		    !memcmp(at, FOLDED_CHAIN_FRAME, strlen(FOLDED_CHAIN_FRAME)))
			return at == stack ? 0 : (size_t)(at - stack) - 1;
	}
	return len;
}

static void fetch_rows_add_stack(struct fetching *g, const struct text_entry *e, bool known)
{
	const char *stack = e ? texts_text(&g->stacks, e) : known ? "[unknown]" : "";
	size_t len = e ? e->len : strlen(stack), own = g->leaf.len ? own_len(stack, len) : len;

	str_add(&g->text, stack, own);
	if (g->leaf.len && own)
		str_addc(&g->text, ';');
	str_add(&g->text, str_text(&g->leaf), g->leaf.len);
	if (own < len && stack[own] != ';')
		str_addc(&g->text, ';');
	str_add(&g->text, stack + own, len - own);
	str_addc(&g->text, '\n');
}

/* A stack with frames at its leaf. */
static uint32_t define_leafed(struct fetching *g, const struct text_entry *e, bool known, size_t i)
{
	size_t before = g->leafed.count;
	uint32_t number;

	str_clear(&g->value);
	str_add(&g->value, (const char *)&i, sizeof(i));
	str_add(&g->value, str_text(&g->leaf), g->leaf.len);
	number = intern_add(&g->leafed, g->value.buf, g->value.len);
	if (g->leafed.count > before) {
		str_addf(&g->text, SAMPLES_STACK "%u ", number);
		fetch_rows_add_stack(g, e, known);
	}
	return number;
}

void fetching_stack_came(void *owner, struct text_entry *e, const char *text, size_t len)
{
	struct fetching *g = owner;

	str_puts(&g->text, SAMPLES_STACK);
	str_add_u64(&g->text, g->stack_count);
	str_addc(&g->text, ' ');
	frames_add(&g->style, text, len, &g->text);
	str_addc(&g->text, '\n');
	e->number = ++g->stack_count;
	if (g->text.len > FLUSH_BYTES)
		fetching_flush(g);
}

static uint32_t fetch_rows_define_stack(struct fetching *g, const unsigned char *hash)
{
	struct text_entry *e = hash ? texts_find(&g->stacks, hash) : NULL;
	uint32_t *number = e ? &e->number : &g->other_stack;

	g->missing += hash && !e;
	if (g->has_leaves)
		return define_leafed(g, e, hash != NULL, e ? (size_t)(e - g->stacks.items) : SIZE_MAX);
	if (!*number) {
		str_addf(&g->text, SAMPLES_STACK "%u ", g->stack_count);
		fetch_rows_add_stack(g, e, hash != NULL);
		*number = ++g->stack_count;
	}
	return *number - 1;
}

static void print_row(struct fetching *g, const struct fields *f)
{
	const struct text_entry *e = fetch_rows_labels_of(g, f);
	uint32_t labels, stack;
	uint64_t n;

	g->missing += f->labels && !e && !fetch_rows_is_zero(g, f);
	if (!fetch_rows_is_wanted(g, f, e))
		return;
	fetch_rows_make_labels(g, f, e);
	labels = fetch_rows_define_labels(g);
	stack = fetch_rows_define_stack(g, (const unsigned char *)f->stack);
	if (f->moment) {
		memcpy(&n, f->moment, 8);
		str_addc(&g->text, SAMPLES_TIME);
		wallclock_add_seconds(&g->text, n);
		str_addc(&g->text, ' ');
	} else {
		str_puts(&g->text, SAMPLES_UNTIMED);
	}
	str_add_u64(&g->text, labels);
	str_addc(&g->text, ' ');
	str_add_u64(&g->text, stack);
	for (size_t i = 0; i < g->values; i++) {
		memcpy(&n, f->values + 8 * i, 8);
		str_addc(&g->text, ' ');
		str_add_u64(&g->text, n);
	}
	str_addc(&g->text, '\n');
	g->rows++;
	if (g->text.len > FLUSH_BYTES)
		fetching_flush(g);
}

void fetching_flush(struct fetching *g)
{
	if (g->text.len)
		fwrite(g->text.buf, 1, g->text.len, stdout);
	str_clear(&g->text);
}

void fetching_want_labels(struct fetching *g)
{
	struct binary_row row = { g->rest.buf, g->rest.buf + g->rest.len };
	struct fields f;

	while (fetch_rows_take_fields(g, &row, &f))
		texts_want(&g->labels, (const unsigned char *)f.labels);
}

void fetching_want_stacks(struct fetching *g)
{
	struct binary_row row = { g->rest.buf, g->rest.buf + g->rest.len };
	struct fields f;

	while (fetch_rows_take_fields(g, &row, &f)) {
		if (fetch_rows_is_wanted(g, &f, fetch_rows_labels_of(g, &f)))
			texts_want(&g->stacks, (const unsigned char *)f.stack);
	}
}

bool fetching_take(void *argument, const char *bytes, size_t len)
{
	struct fetching *g = argument;
	struct fields fields;
	struct binary_row row, start;

	str_add(&g->rest, bytes, len);
	row = (struct binary_row){ g->rest.buf, g->rest.buf + g->rest.len };
	for (start = row; fetch_rows_take_fields(g, &row, &fields); start = row)
		print_row(g, &fields);
	str_keep_from(&g->rest, start.at);
	return !ferror(stdout) && row_may_go_on(&g->rest);
}
