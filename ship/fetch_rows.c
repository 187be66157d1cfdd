#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/recording.h"
#include "core/format/samples.h"
#include "core/memory.h"
#include "core/wallclock.h"
#include "ship/fetching.h"
#include "ship/labels.h"
#include "ship/row.h"

enum { FLUSH_BYTES = 256 * 1024 };

static void add_label(struct fetching *g, size_t root, const char *value, size_t len)
{
	if (g->line.len)
		str_addc(&g->line, SAMPLES_BETWEEN_LABELS);
	str_add(&g->line, g->roots[root].name, g->roots[root].len);
	str_addc(&g->line, '=');
	str_add(&g->line, value, len);
}

/* A name of a column, made fit for a frame: no ';', and no number after a blank at its end. */
static void add_name(struct fetching *g, size_t root, const char *name, size_t len)
{
	size_t start, digits = len;

	add_label(g, root, name, len);
	start = g->line.len - len;
	for (size_t i = start; i < g->line.len; i++) {
		if (g->line.buf[i] == ';')
			g->line.buf[i] = ':';
	}
	while (digits && name[digits - 1] >= '0' && name[digits - 1] <= '9')
		digits--;
	if (digits < len && digits && name[digits - 1] == ' ')
		g->line.buf[start + digits - 1] = '_';
}

static void add_cpu(struct fetching *g, size_t root, int cpu, const char *labels, size_t len)
{
	char text[16];
	const char *value;
	size_t n;

	if (cpu >= 0)
		add_label(g, root, text, (size_t)snprintf(text, sizeof(text), "cpu%d", cpu));
	else if (cpu == -1)
		add_label(g, root, "[unknown cpu]", strlen("[unknown cpu]"));
	else if ((value = label_value(labels, len, "cpu", strlen("cpu"), &n)))
		add_label(g, root, value, n);
}

struct fields {
	const char *event, *host, *service, *labels, *stack, *moment, *values;
	size_t event_len, host_len, service_len;
	int16_t cpu;
};

static bool take_fields(const struct fetching *g, struct binary_row *row, struct fields *f)
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

static bool is_idle(const struct fetching *g, const char *labels, size_t len)
{
	size_t n;
	const char *pid = !g->f->no_idle || !g->event || strcmp(g->event, RECORDING_SCHED) != 0
				  ? NULL
				  : label_value(labels, len, "pid", strlen("pid"), &n);

	return pid && n >= 2 && !memcmp(pid + n - 2, "-0", 2);
}

static bool is_wanted(const struct fetching *g, const char *labels, size_t len)
{
	return !is_idle(g, labels, len) && (!g->f->state || label_is_listed(labels, len, "state", g->f->state)) &&
	       (!g->f->waits || label_is_listed(labels, len, "wait", g->f->waits));
}

/* The labels of a row, in line.  Returns false if it is not wanted. */
static bool make_labels(struct fetching *g, const struct fields *f)
{
	const struct text_entry *e = f->labels ? texts_find(&g->labels, (const unsigned char *)f->labels) : NULL;
	const char *labels = e ? texts_text(&g->labels, e) : "", *value;
	size_t len = e ? e->len : 0, n;

	str_clear(&g->line);
	g->missing += f->labels && !e;
	if (!is_wanted(g, labels, len))
		return false;
	for (size_t i = 0; i < g->root_count; i++) {
		switch (g->roots[i].place) {
		case OF_HOST: add_name(g, i, f->host, f->host_len); break;
		case OF_SERVICE:
			if (f->service_len)
				add_name(g, i, f->service, f->service_len);
			break;
		case OF_EVENT: add_name(g, i, f->event, f->event_len); break;
		case OF_CPU: add_cpu(g, i, f->cpu, labels, len); break;
		default:
			value = label_value(labels, len, g->roots[i].name, g->roots[i].len, &n);
			if (value)
				add_label(g, i, value, n);
		}
	}
	return true;
}

static uint32_t define_labels(struct fetching *g)
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

/* The last number is that of a stack that is not there, or that nobody asked for. */
static uint32_t define_stack(struct fetching *g, const unsigned char *hash)
{
	const struct text_entry *e = hash ? texts_find(&g->stacks, hash) : NULL;
	size_t i = e ? (size_t)(e - g->stacks.items) : g->stacks.by_hash.count;

	g->missing += hash && !e;
	if (!g->stack_numbers)
		g->stack_numbers = xcalloc(g->stacks.by_hash.count + 1, sizeof(*g->stack_numbers));
	if (!g->stack_numbers[i]) {
		str_addf(&g->text, SAMPLES_STACK "%u ", g->stack_count);
		g->stack_numbers[i] = ++g->stack_count;
		if (e)
			str_add(&g->text, texts_text(&g->stacks, e), e->len);
		else if (hash)
			str_puts(&g->text, "[unknown]");
		str_addc(&g->text, '\n');
	}
	return g->stack_numbers[i] - 1;
}

/* As of recordings: samples that add nothing are no lines. */
static bool is_zero(const struct fetching *g, const struct fields *f)
{
	for (size_t i = 0; i < 8 * g->values; i++) {
		if (f->values[i])
			return false;
	}
	return true;
}

static void print_row(struct fetching *g, const struct fields *f)
{
	uint32_t labels, stack;
	uint64_t n;

	if (is_zero(g, f) || !make_labels(g, f))
		return;
	labels = define_labels(g);
	stack = define_stack(g, (const unsigned char *)f->stack);
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

bool fetching_take(void *argument, const char *bytes, size_t len)
{
	struct fetching *g = argument;
	struct fields fields;
	struct binary_row row, start;

	str_add(&g->rest, bytes, len);
	row = (struct binary_row){ g->rest.buf, g->rest.buf + g->rest.len };
	for (start = row; take_fields(g, &row, &fields); start = row)
		print_row(g, &fields);
	str_keep_from(&g->rest, start.at);
	return !ferror(stdout);
}
