#include "ship/batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "ship/batch_order.h"
#include "ship/definitions.h"
#include "ship/native.h"

#define DAY_NS (86400 * NS_PER_SEC)

enum { PART_KEPT = 64 << 20 };

static struct definition *batch_add_text(struct batch_texts *t)
{
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct definition){ .cpu = BATCH_CPU_NONE };
	return &t->items[t->count++];
}

static void batch_set_text(struct batch_texts *all, struct definition *t, const char *text, size_t len)
{
	t->text = arena_strdup(&all->text, text, len);
	t->len = len;
	sip_hash(t->text, len, t->hash);
}

void batch_add_stack(struct batch_rows *b, const char *text, size_t len)
{
	batch_set_text(&b->stacks, batch_add_text(&b->stacks), text, len);
}

/* "cpu3": 3.  Any other text stays among the labels: BATCH_CPU_NONE. */
static int parse_cpu(const char *text, size_t len)
{
	static const char unknown[] = "[unknown cpu]";
	int cpu = 0;

	if (len == strlen(unknown) && !memcmp(text, unknown, len))
		return BATCH_CPU_UNKNOWN;
	if (len < 4 || len > 7 || memcmp(text, "cpu", 3) != 0 || (text[3] == '0' && len > 4))
		return BATCH_CPU_NONE;
	for (size_t i = 3; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return BATCH_CPU_NONE;
		cpu = cpu * 10 + text[i] - '0';
	}
	return cpu;
}

/* Is the label root=...?  Sets *value. */
static bool is_label(const char *label, size_t len, const char *root, const char **value)
{
	size_t n = strlen(root);

	*value = label + n + 1;
	return len > n && label[n] == '=' && !memcmp(label, root, n);
}

void batch_add_labels(struct batch_rows *b, const char *text, size_t len)
{
	struct definition *t = batch_add_text(&b->labels);
	const char *end = text + len, *value;

	str_clear(&b->line);
	for (const char *at = text; at < end;) {
		const char *tab = memchr(at, '\t', (size_t)(end - at)), *stop = tab ? tab : end;
		size_t n = (size_t)(stop - at);

		if (is_label(at, n, "cpu", &value))
			t->cpu = parse_cpu(value, (size_t)(stop - value));
		if (is_label(at, n, "thread", &value))
			native_text(&t->thread, value, (size_t)(stop - value));
		if (!is_label(at, n, "cpu", &value) || t->cpu == BATCH_CPU_NONE) {
			if (b->line.len)
				str_addc(&b->line, '\t');
			str_add(&b->line, at, n);
		}
		at = stop + 1;
	}
	if (!t->thread.len)
		native_text(&t->thread, "", 0);
	batch_set_text(&b->labels, t, str_text(&b->line), b->line.len);
}

bool batch_is_full(const struct batch_rows *b, uint64_t time_ns)
{
	return b->rows && (b->rows == BATCH_ROWS || b->day != time_ns / DAY_NS);
}

/* A value of a column whose size is known at compile time. */
static inline void batch_add_value(struct str *column, const void *value, size_t size)
{
	str_reserve(column, size);
	memcpy(column->buf + column->len, value, size);
	column->len += size;
}

void batch_add(struct batch_rows *b, const struct batch_sample *s)
{
	uint32_t second = (uint32_t)(s->time_ns / NS_PER_SEC), ns = (uint32_t)(s->time_ns % NS_PER_SEC);

	if (!b->rows++) {
		b->number++;
		b->day = (uint32_t)(s->time_ns / DAY_NS);
		b->first_ns = b->last_ns = s->time_ns;
		b->in_time = true;
	}
	b->ns_sum += ns;
	b->in_time &= s->time_ns >= b->last_ns;
	b->first_ns = s->time_ns < b->first_ns ? s->time_ns : b->first_ns;
	b->last_ns = s->time_ns > b->last_ns ? s->time_ns : b->last_ns;
	b->labels.items[s->labels].in_batch = b->stacks.items[s->stack].in_batch = b->number;
	batch_add_value(&b->second, &second, sizeof(second));
	batch_add_value(&b->ns, &ns, sizeof(ns));
	batch_add_value(&b->labels_of, &s->labels, sizeof(s->labels));
	batch_add_value(&b->stack_of, &s->stack, sizeof(s->stack));
	batch_add_value(&b->weight, &s->weight, sizeof(s->weight));
	batch_add_value(&b->count, &s->count, sizeof(s->count));
	batch_add_value(&b->longest, &s->longest, sizeof(s->longest));
}

/* --- parcels ------------------------------------------------------------------------ */

void parcel_parts(struct parcel *p, struct str *parts[PARCEL_PARTS])
{
	struct str *const all[PARCEL_PARTS] = { &p->event,  &p->service,      &p->host,   &p->stacks,
						&p->labels, &p->announcement, &p->samples };

	memcpy(parts, all, sizeof(all));
}

/* Its memory serves the next one: allocating it again would cost a page fault for each 4 kB.  A table of many stacks,
 * which is usually that of the first batch, is not needed again. */
static void parcel_clear(struct parcel *p)
{
	struct str *parts[PARCEL_PARTS];

	parcel_parts(p, parts);
	for (int i = 0; i < PARCEL_PARTS; i++)
		str_clear_large(parts[i], PART_KEPT);
}

static const struct definition *batch_labels_of(const struct batch_rows *b, size_t row)
{
	return &b->labels.items[((const uint32_t *)(const void *)b->labels_of.buf)[row]];
}

static const struct definition *batch_stack_of(const struct batch_rows *b, size_t row)
{
	return &b->stacks.items[((const uint32_t *)(const void *)b->stack_of.buf)[row]];
}

/* Columns that follow from definitions.  order: the order of rows; NULL: as they came. */
enum derived { CPUS, THREADS, LABELS, STACKS };

static void add_derived(struct str *out, const struct batch_rows *b, const uint32_t *order, enum derived column)
{
	for (size_t i = 0; i < b->rows; i++) {
		size_t row = order ? order[i] : i;
		const struct definition *labels = batch_labels_of(b, row);
		int16_t cpu = (int16_t)labels->cpu;

		switch (column) {
		case CPUS: batch_add_value(out, &cpu, sizeof(cpu)); break;
		case THREADS: batch_add_value(out, labels->thread.buf, labels->thread.len); break;
		case LABELS: batch_add_value(out, labels->hash, SIP_BYTES); break;
		case STACKS: batch_add_value(out, batch_stack_of(b, row)->hash, SIP_BYTES); break;
		}
	}
}

/* Columns in the order of the recording, which is the same whenever it is shipped.  space has room for a column. */
static void make_id(const struct batch_rows *b, unsigned char id[SIP_BYTES], struct str *space)
{
	const struct batch_origin *o = b->origin;
	struct sip s;

	sip_begin(&s);
	sip_add(&s, o->host, strlen(o->host) + 1);
	sip_add(&s, o->service, strlen(o->service) + 1);
	sip_add(&s, str_text(&o->event), o->event.len + 1);
	sip_add(&s, str_text(&o->columns), o->columns.len + 1);
	sip_add(&s, b->second.buf, b->second.len);
	sip_add(&s, b->ns.buf, b->ns.len);
	for (enum derived column = CPUS; column <= STACKS; column++) {
		str_clear(space);
		add_derived(space, b, NULL, column);
		sip_add(&s, space->buf, space->len);
	}
	str_clear(space);
	sip_add(&s, b->weight.buf, b->weight.len);
	sip_add(&s, b->count.buf, b->count.len);
	sip_add(&s, b->longest.buf, b->longest.len);
	sip_end(&s, id);
}

/* The definitions that the batch uses and no earlier batch had, each once, in the order of their table, so that the
 * server need not sort them. */
static void add_definitions(const struct batch_rows *b, const struct batch_texts *t, struct str *out)
{
	size_t used, left = 0;
	const struct definition **texts = batch_used(b, t, &used);

	for (size_t i = 0; i < used; i++) {
		bool again = left && !memcmp(texts[left - 1]->hash, texts[i]->hash, SIP_BYTES);

		if (texts[i]->stored != b->day + 1 && !again)
			texts[left++] = texts[i];
	}
	definitions_add(out, (uint16_t)b->day, texts, left);
	free(texts);
}

static void batch_add_number(struct str *out, const char *name, uint64_t n)
{
	native_column(out, name, "UInt64");
	str_add(out, (const char *)&n, sizeof(n));
}

static void batch_add_string(struct str *out, const char *name, const char *text)
{
	native_column(out, name, "String");
	native_text(out, text, strlen(text));
}

static void add_announcement(const struct batch_rows *b, struct parcel *p)
{
	const struct batch_origin *o = b->origin;
	struct str *out = &p->announcement;
	unsigned char recording[SIP_BYTES];
	uint16_t day = (uint16_t)b->day, number = (uint16_t)o->number;

	sip_hash(str_text(&o->header), o->header.len, recording);
	native_begin(out, 15, 1);
	native_column(out, "day", "Date");
	str_add(out, (const char *)&day, sizeof(day));
	native_column(out, "id", "FixedString(16)");
	str_add(out, (const char *)p->id, SIP_BYTES);
	native_column(out, "recording", "FixedString(16)");
	str_add(out, (const char *)recording, SIP_BYTES);
	native_column(out, "number", "UInt16");
	str_add(out, (const char *)&number, sizeof(number));
	batch_add_string(out, "event", str_text(&o->event));
	batch_add_string(out, "service", o->service);
	batch_add_string(out, "host", o->host);
	batch_add_string(out, "columns", str_text(&o->columns));
	batch_add_string(out, "unit", str_text(&o->unit));
	batch_add_string(out, "header", str_text(&o->header));
	batch_add_number(out, "first", b->first_ns);
	batch_add_number(out, "last", b->last_ns);
	batch_add_number(out, "samples", b->rows);
	batch_add_number(out, "lost", o->lost);
	batch_add_number(out, "seen", o->seen);
}

/* The values of a column in the order of the table; the column is empty then. */
static void move_column(struct str *out, const struct batch_rows *b, const uint32_t *order, const char *name,
			const char *type, struct str *values)
{
	bool is_long = values->len == b->rows * sizeof(uint64_t);
	const char *from = values->buf;

	native_column(out, name, type);
	for (size_t i = 0; i < b->rows && is_long; i++)
		batch_add_value(out, from + order[i] * sizeof(uint64_t), sizeof(uint64_t));
	for (size_t i = 0; i < b->rows && !is_long; i++)
		batch_add_value(out, from + order[i] * sizeof(uint32_t), sizeof(uint32_t));
	str_clear(values);
}

static void batch_add_column(struct str *out, const struct batch_rows *b, const uint32_t *order, const char *name,
			     const char *type, enum derived column)
{
	native_column(out, name, type);
	add_derived(out, b, order, column);
}

static void batch_add_samples(struct batch_rows *b, struct parcel *p)
{
	const struct batch_origin *o = b->origin;
	uint32_t *order = batch_order(b);
	struct str *out = &p->samples;
	uint16_t day = (uint16_t)b->day;

	str_reserve(out, b->rows * (110 + strlen(o->host) + strlen(o->service) + o->event.len) + 1000);
	native_begin(out, 14, b->rows);
	native_column(out, "day", "Date");
	native_repeat(out, &day, sizeof(day), b->rows);
	native_column(out, "event", "String");
	native_repeat_text(out, str_text(&o->event), b->rows);
	native_column(out, "service", "String");
	native_repeat_text(out, o->service, b->rows);
	native_column(out, "host", "String");
	native_repeat_text(out, o->host, b->rows);
	native_column(out, "batch", "UInt32");
	native_repeat(out, p->id, sizeof(uint32_t), b->rows);
	move_column(out, b, order, "second", "DateTime('UTC')", &b->second);
	move_column(out, b, order, "ns", "UInt32", &b->ns);
	batch_add_column(out, b, order, "cpu", "Int16", CPUS);
	batch_add_column(out, b, order, "thread", "String", THREADS);
	batch_add_column(out, b, order, "labels", "FixedString(16)", LABELS);
	batch_add_column(out, b, order, "stack", "FixedString(16)", STACKS);
	move_column(out, b, order, "weight", "UInt64", &b->weight);
	move_column(out, b, order, "count", "UInt64", &b->count);
	move_column(out, b, order, "longest", "UInt64", &b->longest);
	str_clear(&b->labels_of);
	str_clear(&b->stack_of);
	free(order);
}

void batch_end(struct batch_rows *b, struct parcel *p)
{
	parcel_clear(p);
	make_id(b, p->id, &p->samples);
	str_puts(&p->event, str_text(&b->origin->event));
	str_puts(&p->service, b->origin->service);
	str_puts(&p->host, b->origin->host);
	p->rows = b->rows;
	p->ns_sum = b->ns_sum;
	p->first_ns = b->first_ns;
	p->last_ns = b->last_ns;
	add_definitions(b, &b->stacks, &p->stacks);
	add_definitions(b, &b->labels, &p->labels);
	add_announcement(b, p);
	batch_add_samples(b, p);
	b->rows = 0;
	b->ns_sum = 0;
}

static void texts_are_stored(const struct batch_rows *b, struct batch_texts *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (t->items[i].in_batch == b->number)
			t->items[i].stored = b->day + 1;
	}
}

void batch_is_stored(struct batch_rows *b)
{
	texts_are_stored(b, &b->stacks);
	texts_are_stored(b, &b->labels);
}

static void batch_texts_free(struct batch_texts *t)
{
	for (size_t i = 0; i < t->count; i++)
		str_free(&t->items[i].thread);
	free(t->items);
	arena_free(&t->text);
}

void batch_free(struct batch_rows *b)
{
	struct str *const columns[] = { &b->second, &b->ns,    &b->labels_of, &b->stack_of,
					&b->weight, &b->count, &b->longest };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		str_free(columns[i]);
	batch_texts_free(&b->stacks);
	batch_texts_free(&b->labels);
	str_free(&b->line);
	*b = (struct batch_rows){ 0 };
}

void parcel_free(struct parcel *p)
{
	struct str *parts[PARCEL_PARTS];

	parcel_parts(p, parts);
	for (int i = 0; i < PARCEL_PARTS; i++)
		str_free(parts[i]);
	*p = (struct parcel){ 0 };
}
