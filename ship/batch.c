#include "ship/batch.h"

#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "core/wallclock.h"
#include "ship/native.h"

#define DAY_NS (86400 * NS_PER_SEC)

static struct batch_text *add_text(struct batch_texts *t)
{
	t->items = xgrow(t->items, &t->cap, t->count + 1, sizeof(*t->items));
	t->items[t->count] = (struct batch_text){ .cpu = BATCH_CPU_NONE };
	return &t->items[t->count++];
}

void batch_add_stack(struct batch_rows *b, const char *text, size_t len)
{
	struct batch_text *t = add_text(&b->stacks);

	str_add(&t->text, text, len);
	sip_hash(text, len, t->hash);
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
	struct batch_text *t = add_text(&b->labels);
	const char *end = text + len, *value;

	str_reserve(&t->text, len); /* at once: every pair of threads has labels */
	for (const char *at = text; at < end;) {
		const char *tab = memchr(at, '\t', (size_t)(end - at)), *stop = tab ? tab : end;
		size_t n = (size_t)(stop - at);

		if (is_label(at, n, "cpu", &value))
			t->cpu = parse_cpu(value, (size_t)(stop - value));
		if (is_label(at, n, "thread", &value))
			native_text(&t->thread, value, (size_t)(stop - value));
		if (!is_label(at, n, "cpu", &value) || t->cpu == BATCH_CPU_NONE) {
			if (t->text.len)
				str_addc(&t->text, '\t');
			str_add(&t->text, at, n);
		}
		at = stop + 1;
	}
	if (!t->thread.len)
		native_text(&t->thread, "", 0);
	sip_hash(str_text(&t->text), t->text.len, t->hash);
}

bool batch_is_full(const struct batch_rows *b, uint64_t time_ns)
{
	return b->rows && (b->rows == BATCH_ROWS || b->day != time_ns / DAY_NS);
}

/* A value of a column: its size is known when this is compiled. */
static inline void add_value(struct str *column, const void *value, size_t size)
{
	str_reserve(column, size);
	memcpy(column->buf + column->len, value, size);
	column->len += size;
}

void batch_add(struct batch_rows *b, const struct batch_sample *s)
{
	struct batch_text *labels = &b->labels.items[s->labels], *stack = &b->stacks.items[s->stack];
	uint32_t second = (uint32_t)(s->time_ns / NS_PER_SEC), ns = (uint32_t)(s->time_ns % NS_PER_SEC);
	int16_t cpu = (int16_t)labels->cpu;

	if (!b->rows++) {
		b->number++;
		b->day = (uint32_t)(s->time_ns / DAY_NS);
		b->first_ns = b->last_ns = s->time_ns;
	}
	b->ns_sum += ns;
	b->first_ns = s->time_ns < b->first_ns ? s->time_ns : b->first_ns;
	b->last_ns = s->time_ns > b->last_ns ? s->time_ns : b->last_ns;
	labels->in_batch = stack->in_batch = b->number;
	add_value(&b->second, &second, sizeof(second));
	add_value(&b->ns, &ns, sizeof(ns));
	add_value(&b->cpu, &cpu, sizeof(cpu));
	str_add(&b->thread, labels->thread.buf, labels->thread.len);
	add_value(&b->label, labels->hash, SIP_BYTES);
	add_value(&b->stack, stack->hash, SIP_BYTES);
	add_value(&b->weight, &s->weight, sizeof(s->weight));
	add_value(&b->count, &s->count, sizeof(s->count));
	add_value(&b->longest, &s->longest, sizeof(s->longest));
}

/* --- parcels ------------------------------------------------------------------------ */

void parcel_parts(struct parcel *p, struct str *parts[PARCEL_PARTS])
{
	struct str *const all[PARCEL_PARTS] = { &p->event,  &p->service,      &p->host,   &p->stacks,
						&p->labels, &p->announcement, &p->samples };

	memcpy(parts, all, sizeof(all));
}

/* Its memory serves the next one: to get it anew costs a page fault for each 4 kB. */
static void parcel_clear(struct parcel *p)
{
	struct str *parts[PARCEL_PARTS];

	parcel_parts(p, parts);
	for (int i = 0; i < PARCEL_PARTS; i++)
		str_clear(parts[i]);
}

static void make_id(struct batch_rows *b, unsigned char id[SIP_BYTES])
{
	const struct batch_origin *o = b->origin;
	struct str *const columns[] = { &b->second, &b->ns,     &b->cpu,   &b->thread, &b->label,
					&b->stack,  &b->weight, &b->count, &b->longest };
	struct sip s;

	sip_begin(&s);
	sip_add(&s, o->host, strlen(o->host) + 1);
	sip_add(&s, o->service, strlen(o->service) + 1);
	sip_add(&s, str_text(&o->event), o->event.len + 1);
	sip_add(&s, str_text(&o->columns), o->columns.len + 1);
	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		sip_add(&s, columns[i]->buf, columns[i]->len);
	sip_end(&s, id);
}

static void add_definitions(const struct batch_rows *b, const struct batch_texts *t, struct str *out)
{
	size_t rows = 0;
	uint16_t day = (uint16_t)b->day;

	for (size_t i = 0; i < t->count; i++)
		rows += t->items[i].in_batch == b->number && t->items[i].stored != b->day + 1;
	if (!rows)
		return;
	native_begin(out, 3, rows);
	native_column(out, "day", "Date");
	native_repeat(out, &day, sizeof(day), rows);
	for (int column = 0; column < 2; column++) {
		native_column(out, column ? "frames" : "hash", column ? "String" : "FixedString(16)");
		for (size_t i = 0; i < t->count; i++) {
			const struct batch_text *text = &t->items[i];

			if (text->in_batch != b->number || text->stored == b->day + 1)
				continue;
			if (column)
				native_text(out, str_text(&text->text), text->text.len);
			else
				str_add(out, (const char *)text->hash, SIP_BYTES);
		}
	}
}

static void add_number(struct str *out, const char *name, uint64_t n)
{
	native_column(out, name, "UInt64");
	str_add(out, (const char *)&n, sizeof(n));
}

static void add_string(struct str *out, const char *name, const char *text)
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
	add_string(out, "event", str_text(&o->event));
	add_string(out, "service", o->service);
	add_string(out, "host", o->host);
	add_string(out, "columns", str_text(&o->columns));
	add_string(out, "unit", str_text(&o->unit));
	add_string(out, "header", str_text(&o->header));
	add_number(out, "first", b->first_ns);
	add_number(out, "last", b->last_ns);
	add_number(out, "samples", b->rows);
	add_number(out, "lost", o->lost);
	add_number(out, "seen", o->seen);
}

static void move_column(struct str *out, const char *name, const char *type, struct str *values)
{
	native_column(out, name, type);
	str_add(out, values->buf, values->len);
	str_clear(values);
}

static void add_samples(struct batch_rows *b, struct parcel *p)
{
	const struct batch_origin *o = b->origin;
	struct str *out = &p->samples;
	uint16_t day = (uint16_t)b->day;

	str_reserve(out, b->rows * (86 + strlen(o->host) + strlen(o->service) + o->event.len) + b->thread.len + 1000);
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
	move_column(out, "second", "DateTime('UTC')", &b->second);
	move_column(out, "ns", "UInt32", &b->ns);
	move_column(out, "cpu", "Int16", &b->cpu);
	move_column(out, "thread", "String", &b->thread);
	move_column(out, "labels", "FixedString(16)", &b->label);
	move_column(out, "stack", "FixedString(16)", &b->stack);
	move_column(out, "weight", "UInt64", &b->weight);
	move_column(out, "count", "UInt64", &b->count);
	move_column(out, "longest", "UInt64", &b->longest);
}

void batch_end(struct batch_rows *b, struct parcel *p)
{
	parcel_clear(p);
	make_id(b, p->id);
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
	add_samples(b, p);
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

static void texts_free(struct batch_texts *t)
{
	for (size_t i = 0; i < t->count; i++) {
		str_free(&t->items[i].text);
		str_free(&t->items[i].thread);
	}
	free(t->items);
}

void batch_free(struct batch_rows *b)
{
	struct str *const columns[] = { &b->second, &b->ns,     &b->cpu,   &b->thread, &b->label,
					&b->stack,  &b->weight, &b->count, &b->longest };

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		str_free(columns[i]);
	texts_free(&b->stacks);
	texts_free(&b->labels);
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
