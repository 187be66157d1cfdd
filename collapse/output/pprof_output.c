/* pprof: gzip of a protobuf message perftools.profiles.Profile (github.com/google/pprof, proto/profile.proto).
 *
 * Samples are written first, as they come, and the tables that they refer to afterwards; protobuf allows any order. */
#include <stdlib.h>
#include <string.h>

#include "collapse/output/facts.h"
#include "collapse/output/output_formats.h"
#include "collapse/output/tables.h"
#include "collapse/output/value_types.h"
#include "collapse/wire/packed_stream.h"
#include "collapse/wire/pprof_fields.h"
#include "collapse/wire/protobuf.h"
#include "core/format/folded.h"
#include "core/memory.h"

enum { FLUSH_BYTES = 64 * 1024 };

/* Offset in struct pprof of the bytes of the fields that all samples of a line share. */
struct kept_line {
	size_t at;
	uint32_t locations_len, labels_len;
	bool used;
};

struct pprof {
	const struct product *p;
	struct packed_stream *out;
	struct header_facts facts;
	struct value_types types;
	struct location_tables tables;
	struct str text, message, inner, packed, kept;
	struct str labels;                /* bytes of the last line's labels, which are usually the same for the next
					   * line */
	const struct fold_line *labelled; /* that line */
	struct kept_line *lines;          /* number of samples, by number of the line; NULL: each line has one sample */
	uint32_t timestamp, nanoseconds;  /* strings */
};

static void pprof_output_flush(struct pprof *w, size_t limit)
{
	if (w->text.len <= limit)
		return;
	packed_stream_add(w->out, w->text.buf, w->text.len);
	str_clear(&w->text);
}

static uint32_t string(struct pprof *w, const char *text)
{
	return intern_add(&w->tables.view.strings, text, strlen(text));
}

/* ---- samples --------------------------------------------------------------------- */

static void pprof_output_add_packed(struct pprof *w, struct str *out, unsigned field)
{
	pb_message(out, field, &w->packed);
	str_clear(&w->packed);
}

static void pprof_output_add_label(struct pprof *w, struct str *out, uint32_t key, uint32_t text, uint64_t number,
				   uint32_t unit)
{
	str_clear(&w->inner);
	pb_number(&w->inner, PPROF_LABEL_KEY, key);
	pb_number(&w->inner, PPROF_LABEL_TEXT, text);
	pb_number(&w->inner, PPROF_LABEL_NUMBER, number);
	pb_number(&w->inner, PPROF_LABEL_UNIT, unit);
	pb_message(out, PPROF_SAMPLE_LABEL, &w->inner);
}

/* Labels depend only on the root frames; in folded text, they may depend on any of the first frames. */
static bool has_last_labels(const struct pprof *w, const struct fold_line *line)
{
	return w->labelled && !w->tables.view.folded_count && w->labelled->texts[0] == line->texts[0] &&
	       w->labelled->shape == line->shape;
}

static void pprof_output_make_labels(struct pprof *w)
{
	const struct line_view *v = &w->tables.view;

	str_clear(&w->labels);
	for (size_t i = 0; i < v->label_count; i++) {
		const struct view_label *l = &v->labels[i];
		uint32_t key = string(w, l->key);

		/* Readers drop a number that is 0, unless it has a unit.  If a number has no unit, they use the key as
		 * its unit. */
		pprof_output_add_label(w, &w->labels, key, l->text, l->number, l->text || l->number ? 0 : key);
	}
}

/* Append the labels of a line, for which tables_line() was called last. */
static void pprof_output_add_labels(struct pprof *w, const struct fold_line *line, struct str *out)
{
	if (!has_last_labels(w, line))
		pprof_output_make_labels(w);
	w->labelled = line;
	str_add(out, str_text(&w->labels), w->labels.len);
}

static void add_locations_of(struct pprof *w, struct str *out)
{
	const struct location_tables *t = &w->tables;
	char *at;

	str_reserve(&w->packed, t->stack_count * PB_VARINT_MAX);
	at = w->packed.buf;
	for (size_t i = t->stack_count; i-- > 0;)
		at = pb_put_varint(at, t->stack[i]);
	w->packed.len = (size_t)(at - w->packed.buf);
	pprof_output_add_packed(w, out, PPROF_SAMPLE_LOCATION);
}

static void pprof_output_add_values(struct pprof *w, uint64_t first, const uint64_t *more)
{
	for (size_t i = 0; i < w->types.count; i++)
		pb_varint(&w->packed, value_rounded(&w->types, w->p, w->types.items[i].column, first, more));
	pprof_output_add_packed(w, &w->message, PPROF_SAMPLE_VALUE);
}

static void finish_sample(struct pprof *w)
{
	pb_message(&w->text, PPROF_PROFILE_SAMPLE, &w->message);
	pprof_output_flush(w, FLUSH_BYTES);
}

static void pprof_output_add_sum(struct pprof *w, const struct fold_line *line)
{
	tables_line(&w->tables, line);
	str_clear(&w->message);
	add_locations_of(w, &w->message);
	pprof_output_add_values(w, line->value, fold_more(w->p->fold, line));
	pprof_output_add_labels(w, line, &w->message);
	finish_sample(w);
}

static void pprof_output_keep_line(struct pprof *w, const struct fold_line *of, struct kept_line *line)
{
	line->at = w->kept.len;
	tables_line(&w->tables, of);
	add_locations_of(w, &w->kept);
	line->locations_len = (uint32_t)(w->kept.len - line->at);
	pprof_output_add_labels(w, of, &w->kept);
	line->labels_len = (uint32_t)(w->kept.len - line->at) - line->locations_len;
}

static void pprof_output_add_timed(struct pprof *w, const struct timed_sample *s)
{
	const struct kept_line *line = &w->lines[s->stack];

	str_clear(&w->message);
	str_add(&w->message, w->kept.buf + line->at, line->locations_len);
	pprof_output_add_values(w, s->value, times_more(w->p->times, s));
	str_add(&w->message, w->kept.buf + line->at + line->locations_len, line->labels_len);
	if (s->wall_ns != TIMES_NONE)
		pprof_output_add_label(w, &w->message, w->timestamp, 0, s->wall_ns, w->nanoseconds);
	finish_sample(w);
}

/* Prepare the bytes of the lines that have samples, in the order of lines, because neighbours share most frames. */
static void keep_lines(struct pprof *w)
{
	const struct timed_samples *times = w->p->times;
	const struct fold *fold = w->p->fold;

	w->lines = xcalloc(fold->count + 1, sizeof(*w->lines));
	for (size_t i = 0; i < times->count; i++)
		w->lines[times->items[i].stack].used = true;
	for (size_t i = 0; i < fold->count; i++) {
		fold_load_ahead(fold, i);
		if (fold->lines[i].kept && w->lines[i].used)
			pprof_output_keep_line(w, &fold->lines[i], &w->lines[i]);
	}
}

static void pprof_output_add_samples(struct pprof *w)
{
	const struct fold *fold = w->p->fold;
	const struct timed_samples *times = w->p->times;

	for (size_t i = 0; !times && i < fold->count; i++) {
		fold_load_ahead(fold, i);
		if (fold->lines[i].kept)
			pprof_output_add_sum(w, &fold->lines[i]);
	}
	if (!times)
		return;
	keep_lines(w);
	for (size_t i = 0; i < times->count; i++) {
		if (fold->lines[times->items[i].stack].kept)
			pprof_output_add_timed(w, &times->items[i]);
	}
}

/* ---- tables ---------------------------------------------------------------------- */

static void pprof_output_add_mapping(struct pprof *w, size_t i)
{
	const struct module *module = w->tables.modules[i];
	const char *build_id = tables_build_id(&w->tables, module);

	str_clear(&w->message);
	pb_number(&w->message, PPROF_MAPPING_ID, i + 1);
	pb_number(&w->message, PPROF_MAPPING_FILE, string(w, module->path));
	if (build_id)
		pb_number(&w->message, PPROF_MAPPING_BUILD_ID, string(w, build_id));
	for (unsigned field = PPROF_MAPPING_FUNCTIONS; field <= PPROF_MAPPING_INLINED; field++)
		pb_number(&w->message, field, 1); /* nothing is to be looked up */
	pb_message(&w->text, PPROF_PROFILE_MAPPING, &w->message);
}

/* Readers take the first mapping to be the program, so it should not be a library or the kernel. */
static void pprof_output_add_mappings(struct pprof *w)
{
	const struct location_tables *t = &w->tables;
	size_t first = 0;

	while (first < t->module_count && (t->modules[first]->path[0] != '/' || strstr(t->modules[first]->path, ".so")))
		first++;
	if (first < t->module_count)
		pprof_output_add_mapping(w, first);
	for (size_t i = 0; i < t->module_count; i++) {
		if (i != first)
			pprof_output_add_mapping(w, i);
	}
}

static void pprof_output_add_locations(struct pprof *w)
{
	for (size_t i = 0; i < w->tables.locations.count; i++) {
		struct table_line lines[TABLE_DEPTH_MAX];
		uint32_t module;
		size_t count = tables_location(&w->tables, i, &module, lines);

		str_clear(&w->message);
		pb_number(&w->message, PPROF_LOCATION_ID, i + 1);
		pb_number(&w->message, PPROF_LOCATION_MAPPING, module);
		for (size_t n = 0; n < count; n++) {
			str_clear(&w->inner);
			pb_number(&w->inner, PPROF_LINE_FUNCTION, lines[n].function);
			pb_number(&w->inner, PPROF_LINE_LINE, lines[n].line);
			pb_message(&w->message, PPROF_LOCATION_LINE, &w->inner);
		}
		pb_message(&w->text, PPROF_PROFILE_LOCATION, &w->message);
		pprof_output_flush(w, FLUSH_BYTES);
	}
}

static void pprof_output_add_functions(struct pprof *w)
{
	for (size_t i = 0; i < w->tables.function_count; i++) {
		const struct table_function *f = &w->tables.functions[i];

		str_clear(&w->message);
		pb_number(&w->message, PPROF_FUNCTION_ID, i + 1);
		pb_number(&w->message, PPROF_FUNCTION_NAME, f->name);
		pb_number(&w->message, PPROF_FUNCTION_SYSTEM_NAME, f->name);
		pb_number(&w->message, PPROF_FUNCTION_FILE, f->file);
		pb_message(&w->text, PPROF_PROFILE_FUNCTION, &w->message);
		pprof_output_flush(w, FLUSH_BYTES);
	}
}

/* Write the last table, which has the strings of all others. */
static void add_strings(struct pprof *w)
{
	const struct line_view *v = &w->tables.view;

	for (uint32_t i = 0; i < v->strings.count; i++) {
		pb_text(&w->text, PPROF_PROFILE_STRING, view_text(v, i), view_len(v, i));
		pprof_output_flush(w, FLUSH_BYTES);
	}
}

/* ---- what it is of --------------------------------------------------------------- */

static void pprof_output_add_type(struct pprof *w, unsigned field, const char *type, const char *unit)
{
	str_clear(&w->message);
	pb_number(&w->message, PPROF_TYPE_TYPE, string(w, type));
	pb_number(&w->message, PPROF_TYPE_UNIT, string(w, unit));
	pb_message(&w->text, field, &w->message);
}

/* "lost=3/12345": one comment for each fact, and for each gap or stall. */
static void add_comments(struct pprof *w)
{
	struct str comment = { 0 };

	for (size_t i = 0; i < w->facts.count; i++) {
		str_clear(&comment);
		str_addf(&comment, "%s=%s", w->facts.items[i].key, w->facts.items[i].value);
		pb_varint(&w->packed, string(w, comment.buf));
	}
	for (size_t i = 0; i < w->facts.note_count; i++)
		pb_varint(&w->packed, string(w, w->facts.notes[i]));
	if (w->packed.len)
		pb_message(&w->text, PPROF_PROFILE_COMMENT, &w->packed);
	str_clear(&w->packed);
	str_free(&comment);
}

/* The default type of value: CPU time, if there is such a type; otherwise the first type. */
static const struct value_type *main_type(const struct value_types *types)
{
	for (size_t i = 0; i < types->count; i++) {
		if (!strcmp(types->items[i].type, "cpu"))
			return &types->items[i];
	}
	return &types->items[0];
}

static void pprof_output_add_facts(struct pprof *w)
{
	uint64_t start_ns = facts_instant(&w->facts, FOLDED_START), end_ns = facts_instant(&w->facts, FOLDED_END);
	uint64_t period_ns = value_period(&w->facts);

	for (size_t i = 0; i < w->types.count; i++)
		pprof_output_add_type(w, PPROF_PROFILE_SAMPLE_TYPE, w->types.items[i].type, w->types.items[i].unit);
	pb_number(&w->text, PPROF_PROFILE_TIME_NANOS, start_ns);
	pb_number(&w->text, PPROF_PROFILE_DURATION_NANOS, end_ns > start_ns ? end_ns - start_ns : 0);
	if (period_ns) {
		pprof_output_add_type(w, PPROF_PROFILE_PERIOD_TYPE, "cpu", "nanoseconds");
		pb_number(&w->text, PPROF_PROFILE_PERIOD, period_ns);
	}
	pb_number(&w->text, PPROF_PROFILE_DEFAULT_TYPE, string(w, main_type(&w->types)->type));
	add_comments(w);
}

static void write_pprof(FILE *out, const struct product *p)
{
	struct pprof w = { .p = p, .out = packed_stream_begin(out) };

	facts_read(&w.facts, str_text(&p->header));
	value_types_make(&w.types, p, &w.facts);
	tables_begin(&w.tables, p);
	w.timestamp = string(&w, "timestamp");
	w.nanoseconds = string(&w, "nanoseconds");
	pprof_output_add_facts(&w);
	pprof_output_add_samples(&w);
	pprof_output_add_mappings(&w);
	pprof_output_add_locations(&w);
	pprof_output_add_functions(&w);
	add_strings(&w);
	pprof_output_flush(&w, 0);
	packed_stream_end(w.out);
	value_types_warn(&w.types, p);
	tables_end(&w.tables);
	facts_free(&w.facts);
	str_free(&w.text);
	str_free(&w.message);
	str_free(&w.inner);
	str_free(&w.packed);
	str_free(&w.kept);
	str_free(&w.labels);
	free(w.lines);
}

const struct output_format pprof_output = {
	.name = "pprof",
	.endings = ENDINGS(".pb.gz", ".pprof"),
	.binary = true,
	.spans = true,
	.tables = true,
	.owners = true,
	.write = write_pprof,
};
