#include "collapse/fold/text_fold.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/fold/text_frames.h"
#include "collapse/fold/text_labels.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/sorted.h"

#define NO_STACK UINT32_MAX

uint64_t text_samples(const struct text_parsed *p)
{
	uint64_t samples = 0;

	for (size_t i = 0; i < p->count; i++)
		samples += p->shards[i].samples;
	return samples;
}

bool text_extent(const struct text_parsed *p, uint64_t *first_ns, uint64_t *last_ns)
{
	*first_ns = UINT64_MAX;
	*last_ns = 0;
	for (size_t i = 0; i < p->count; i++) {
		for (size_t n = 0; n < p->shards[i].time_count; n++) {
			uint64_t ns = p->shards[i].times[n].ns;

			if (ns == TIMES_NONE)
				continue;
			*first_ns = ns < *first_ns ? ns : *first_ns;
			*last_ns = ns > *last_ns ? ns : *last_ns;
		}
	}
	return *first_ns <= *last_ns;
}

uint64_t text_negative(const struct text_parsed *p)
{
	uint64_t negative = 0;

	for (size_t i = 0; i < p->count; i++)
		negative += p->shards[i].negative;
	return negative;
}

/* --- columns ------------------------------------------------------------------------ */

void text_columns(const struct text_parsed *p, struct columns *columns)
{
	bool fractions = false;

	for (size_t i = 0; i < p->count; i++)
		fractions |= p->shards[i].fractions;
	columns->count = text_negative(p) ? 2 : p->setup->value_count;
	columns->fractions = fractions ? columns->count : 0;
	for (size_t i = 0; i < columns->count; i++)
		columns->list[i] = p->setup->longest >> i & 1 ? COLUMN_LONGEST : COLUMN_SAMPLES;
	for (size_t i = 0; i < columns->fractions; i++)
		columns->list[columns->count++] = COLUMN_FRACTION;
}

void text_spread(const struct columns *c, const struct text_value *from, uint64_t *values)
{
	size_t count = c->count - c->fractions;

	for (size_t i = 0; i < count; i++)
		values[i] = from[i].whole;
	for (size_t i = 0; i < c->fractions; i++)
		values[count + i] = c->list[i] == COLUMN_LONGEST ? 0 : from[i].fraction;
}

/* --- lines -------------------------------------------------------------------------- */

struct folding {
	const struct text_parsed *parsed;
	struct text_request *request;
	struct fold *fold;
	struct intern *texts;
	struct timed_samples *times;
	struct all_labels labels;
	uint32_t **stacks; /* by shard and row: index in fold->line_of_stack, or NO_STACK */
	size_t stack_count, stack_cap;
	bool is_signed; /* some values are negative */
	struct text_frames frames;
	uint8_t **used; /* by shard and row: the row has a sample that is wanted */
};

/* Add the line of a row's stack; returns the line's number.  cache: by frame, the number of its text + 1. */
static uint32_t text_fold_line_of(struct folding *f, const struct text_stacks *s, const struct text_row *row,
				  uint32_t root, uint32_t *cache)
{
	size_t count = f->request->no_stack ? 0 : intern_len(&s->stacks, row->stack) / sizeof(uint32_t);
	uint32_t *texts = xmalloc((count + 1) * sizeof(*texts)), line, frame;

	texts[0] = root;
	for (size_t i = 0; i < count; i++) {
		memcpy(&frame, intern_text(&s->stacks, row->stack) + i * sizeof(frame), sizeof(frame));
		if (!cache[frame])
			cache[frame] = text_frames_text(&f->frames, s, frame) + 1;
		texts[i + 1] = cache[frame] - 1;
	}
	line = fold_add_line(f->fold, f->texts, texts, (uint32_t)count + 1);
	free(texts);
	return line;
}

static bool text_fold_is_in_time(const struct text_request *r, uint64_t ns)
{
	if (ns == TIMES_NONE)
		return !r->from_ns && r->to_ns == UINT64_MAX;
	return ns >= r->from_ns && ns < r->to_ns;
}

/* Returns a flag for each row: whether it has a sample that is wanted. */
static uint8_t *used_rows(const struct folding *f, size_t shard)
{
	const struct text_stacks *s = &f->parsed->shards[shard];
	uint8_t *used = xmalloc(s->row_count);

	memset(used, !f->parsed->setup->keep_times, s->row_count);
	for (size_t i = 0; i < s->time_count; i++)
		used[s->times[i].row] |= text_fold_is_in_time(f->request, s->times[i].ns);
	for (size_t i = 0; i < s->row_count; i++)
		used[i] &= f->labels.items[f->labels.of_shard[shard][s->rows[i].labels]].wanted;
	return used;
}

/* The values of a row.  If some values of the input are negative, a row has two: the amount to subtract, and the sum of
 * the positive values. */
static void spread_sums(const struct folding *f, const struct text_stacks *s, size_t row, uint64_t *values)
{
	struct text_value both[2] = { { 0, 0 } };

	if (!f->is_signed) {
		text_spread(f->fold->columns, &s->sums[row * f->parsed->setup->value_count], values);
		return;
	}
	if (row < s->minus_count)
		both[0] = s->minus[row];
	both[1] = s->sums[row];
	text_spread(f->fold->columns, both, values);
}

static void fold_shard(struct folding *f, size_t shard)
{
	const struct text_stacks *s = &f->parsed->shards[shard];
	uint32_t *cache = xcalloc(s->texts.count * TEXT_KINDS, sizeof(*cache)), *stacks;
	const uint8_t *used = f->used[shard];
	uint64_t values[COLUMNS_MAX];

	stacks = f->stacks[shard] = xmalloc(s->row_count * sizeof(*stacks));
	for (size_t i = 0; i < s->row_count; i++) {
		const struct merged_labels *labels = &f->labels.items[f->labels.of_shard[shard][s->rows[i].labels]];
		uint32_t line;

		stacks[i] = NO_STACK;
		if (!used[i])
			continue;
		line = text_fold_line_of(f, s, &s->rows[i], labels->root, cache);
		fold_set_shape(f->fold, line, labels->root, fold_shape(f->fold, labels->root_frames));
		stacks[i] = (uint32_t)f->stack_count++;
		f->fold->line_of_stack =
			xgrow(f->fold->line_of_stack, &f->stack_cap, f->stack_count, sizeof(*f->fold->line_of_stack));
		f->fold->line_of_stack[stacks[i]] = line;
		if (f->parsed->setup->keep_times)
			continue;
		spread_sums(f, s, i, values);
		fold_add_values(f->fold, line, values[0], values + 1);
	}
	free(cache);
}

/* --- parts, in their order ---------------------------------------------------------- */

struct part_of_shard {
	const struct text_stacks *shard;
	size_t number; /* of the shard */
	const struct text_done *done;
	size_t time_start, comment_start;
};

SORT_BY(text_fold_by_number, struct part_of_shard, done->number);

/* All parts of all shards, sorted by their place in the input.  The caller frees the array. */
static struct part_of_shard *all_parts(const struct text_parsed *p, size_t *count)
{
	struct part_of_shard *parts = NULL;
	size_t cap = 0;

	*count = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct text_stacks *s = &p->shards[i];

		for (size_t n = 0; n < s->part_count; n++) {
			const struct text_done *before = n ? &s->parts[n - 1] : NULL;

			parts = xgrow(parts, &cap, *count + 1, sizeof(*parts));
			parts[(*count)++] = (struct part_of_shard){ s, i, &s->parts[n], before ? before->time_count : 0,
								    before ? before->comment_len : 0 };
		}
	}
	if (*count)
		qsort(parts, *count, sizeof(*parts), text_fold_by_number);
	return parts;
}

static void text_fold_add_time(struct folding *f, const struct part_of_shard *part, size_t i)
{
	const struct text_stacks *s = part->shard;
	uint32_t stack = f->stacks[part->number][s->times[i].row];
	struct text_request *r = f->request;
	uint64_t ns = s->times[i].ns, values[COLUMNS_MAX];

	r->untimed += ns == TIMES_NONE && !text_fold_is_in_time(r, ns);
	if (stack == NO_STACK || !text_fold_is_in_time(r, ns))
		return;
	if (!r->samples++ || ns < r->first_ns)
		r->first_ns = ns;
	if (ns > r->last_ns && ns != TIMES_NONE)
		r->last_ns = ns;
	text_spread(f->fold->columns, &s->values[i * f->parsed->setup->value_count], values);
	times_add(f->times, ns, values, stack);
	fold_add_values(f->fold, f->fold->line_of_stack[stack], values[0], values + 1);
}

static void text_fold_add_times(struct folding *f)
{
	size_t count;
	struct part_of_shard *parts = all_parts(f->parsed, &count);

	f->times->width = f->fold->columns->count - 1;
	f->times->cap = text_samples(f->parsed);
	f->times->items = xmalloc(f->times->cap * sizeof(*f->times->items));
	for (size_t n = 0; n < count; n++) {
		for (size_t i = parts[n].time_start; i < parts[n].done->time_count; i++)
			text_fold_add_time(f, &parts[n], i);
	}
	free(parts);
}

/* The unit of values that are periods, as in recordings; NULL: the values are not periods. */
static const char *event_unit_of(const struct folding *f)
{
	const char *event = f->labels.event == TEXT_NO_NAME ? NULL : intern_text(&f->labels.names, f->labels.event);
	struct perfdata *d = f->request->data;
	bool periods = false;

	for (size_t i = 0; i < f->parsed->count; i++)
		periods |= f->parsed->shards[i].periods;
	if (!periods ||
	    (event && f->parsed->setup->weight == TEXT_WEIGHT_EVENT && text_event_is_clock(event, strlen(event))))
		return NULL;
	if (!event)
		return "period";
	if (text_event_is_clock(event, strlen(event)))
		return "ns";
	for (size_t i = 0; i < d->event_count; i++) {
		if (!strcmp(d->events[i].name, event))
			return d->events[i].name;
	}
	return NULL;
}

/* In most formats, the text of a frame depends only on its name. */
static void look_at_frames(struct folding *f)
{
	bool needed = f->request->count_names && !f->request->no_stack;

	for (size_t i = 0; i < f->parsed->count; i++)
		needed |= f->parsed->shards[i].sources;
	for (size_t i = 0; needed && i < f->parsed->count; i++)
		text_frames_look(&f->frames, &f->parsed->shards[i], f->used[i]);
	text_frames_choose(&f->frames);
}

void text_fold(const struct text_parsed *p, struct text_request *request, struct fold *fold, struct intern *texts,
	       struct timed_samples *times)
{
	struct folding f = { .parsed = p, .request = request, .fold = fold, .texts = texts, .times = times };

	f.is_signed = text_negative(p) > 0;
	all_labels_make(&f.labels, p, request, texts);
	request->event_unit = event_unit_of(&f);
	f.frames = (struct text_frames){ .request = request, .texts = texts };
	f.stacks = xcalloc(p->count, sizeof(*f.stacks));
	f.used = xcalloc(p->count, sizeof(*f.used));
	for (size_t i = 0; i < p->count; i++)
		f.used[i] = used_rows(&f, i);
	look_at_frames(&f);
	for (size_t i = 0; i < p->count; i++)
		fold_shard(&f, i);
	if (p->setup->keep_times)
		text_fold_add_times(&f);
	else
		request->samples = f.stack_count;
	fold_sort(fold, texts, f.stack_count);
	times_sort(times, fold->line_of_stack, fold->columns);
	for (size_t i = 0; i < p->count; i++) {
		free(f.stacks[i]);
		free(f.used[i]);
	}
	free(f.stacks);
	free(f.used);
	text_frames_free(&f.frames);
	all_labels_free(&f.labels);
}

void text_comments(const struct text_parsed *p, struct str *out)
{
	size_t count;
	struct part_of_shard *parts = all_parts(p, &count);

	for (size_t i = 0; i < count; i++) {
		size_t start = parts[i].comment_start;

		if (parts[i].done->comment_len > start)
			str_add(out, parts[i].shard->comments.buf + start, parts[i].done->comment_len - start);
	}
	free(parts);
}

/* --- malformed lines ---------------------------------------------------------------- */

/* The errors of all shards. */
struct wrongs {
	struct text_wrong *items; /* [count] */
	size_t count, cap;
	struct wrongs_of_kind {
		struct text_wrong_kind all;
		uint64_t told;
	} * kinds; /* [kind_count] */
	size_t kind_count, kind_cap;
	uint64_t all;
};

static int text_fold_by_place(const void *a, const void *b)
{
	const struct text_wrong *x = a, *y = b;

	return ORDER(x->part, y->part) ?: ORDER(x->line, y->line) ?: ORDER(x->column, y->column);
}

static int by_what(const void *a, const void *b)
{
	return strcmp(((const struct wrongs_of_kind *)a)->all.what, ((const struct wrongs_of_kind *)b)->all.what);
}

static struct wrongs_of_kind *text_fold_kind_of(struct wrongs *w, const char *what)
{
	size_t i = 0;

	while (i < w->kind_count && strcmp(w->kinds[i].all.what, what) != 0)
		i++;
	if (i == w->kind_count) {
		w->kinds = xgrow(w->kinds, &w->kind_cap, w->kind_count + 1, sizeof(*w->kinds));
		w->kinds[w->kind_count++] = (struct wrongs_of_kind){ .all.what = what };
	}
	return &w->kinds[i];
}

static void add_wrongs(struct wrongs *w, const struct text_stacks *s)
{
	w->all += s->wrong_count;
	w->items = xgrow(w->items, &w->cap, w->count + s->wrong_kept + 1, sizeof(*w->items));
	for (size_t i = 0; i < s->wrong_kept; i++)
		w->items[w->count++] = s->wrongs[i];
	for (size_t i = 0; i < s->wrong_kind_count; i++)
		text_fold_kind_of(w, s->wrong_kinds[i].what)->all.count += s->wrong_kinds[i].count;
}

static void text_fold_tell(struct wrongs *w, const struct part_of_shard *parts, const char *path, const char *wanted,
			   const struct text_setup *setup)
{
	uint64_t before = setup->lines_skipped;
	size_t part = 0;

	for (size_t i = 0; i < w->count; i++) {
		const struct text_wrong *wrong = &w->items[i];

		if (text_fold_kind_of(w, wrong->what)->told++ >= MESSAGES_MAX)
			continue;
		while (parts[part].done->number < wrong->part)
			before += parts[part++].done->lines;
		if (setup->binary)
			warn("%s: at offset %llu: %s", path, (unsigned long long)(before + wrong->line), wrong->what);
		else
			warn("%s:%llu:%llu: %s; expected %s", path, (unsigned long long)(before + wrong->line),
			     (unsigned long long)wrong->column, wrong->what, wanted);
	}
	qsort(w->kinds, w->kind_count, sizeof(*w->kinds), by_what);
	for (size_t i = 0; i < w->kind_count; i++) {
		const struct text_wrong_kind *kind = &w->kinds[i].all;

		if (kind->count > MESSAGES_MAX)
			warn("%s: %s: %llu more", path, kind->what, (unsigned long long)(kind->count - MESSAGES_MAX));
	}
}

uint64_t text_tell_wrong(const struct text_parsed *p, const char *path, const char *wanted)
{
	struct wrongs w = { 0 };
	struct part_of_shard *parts;
	size_t count;

	for (size_t i = 0; i < p->count; i++)
		add_wrongs(&w, &p->shards[i]);
	if (w.count) {
		qsort(w.items, w.count, sizeof(*w.items), text_fold_by_place);
		parts = all_parts(p, &count);
		text_fold_tell(&w, parts, path, wanted, p->setup);
		free(parts);
		warn("%s: %s, skipped: %llu", path, p->setup->binary ? "damaged places" : "malformed lines",
		     (unsigned long long)w.all);
	}
	free(w.items);
	free(w.kinds);
	return w.all;
}

/* --- losses ------------------------------------------------------------------------- */

static const struct {
	const char *word, *message;
} loss_texts[TEXT_LOSSES] = {
	[TEXT_NEGATIVE] = { "negative values",
			    "negative values, which have no place in time: %; without signs, together %, "
			    "left out" },
	[TEXT_CLIPPED] = { "clipped calls", "calls that last longer than the call that they began in: %; the % ns "
					    "after its end are left out" },
	[TEXT_UNENDED] = { "unended calls", "calls without an end: %; % ns are counted until the last time of their "
					    "threads" },
	[TEXT_BACKWARDS] = { "times out of order", "times before the one above, taken for that: %; by % ns "
						   "altogether" },
	[TEXT_ASYNC] = { "asynchronous operations",
			 "asynchronous operations, which no stack of calls has: %, left out" },
	[TEXT_TRUNCATED] = { "truncated stacks", "stacks that are too deep: %; their outermost frames are left out" },
};

/* "%" in a message stands for the count; a second one, for the amount. */
static void add_message(struct str *out, const char *message, const struct text_lost *all)
{
	const uint64_t *number = &all->count;

	for (; *message; message++) {
		if (*message != '%')
			str_addc(out, *message);
		else
			str_add_u64(out, number == &all->count ? all->count : all->amount);
		number = *message == '%' ? &all->amount : number;
	}
}

void text_tell_lost(const struct text_parsed *p, const char *path, struct str *losses)
{
	for (int what = 0; what < TEXT_LOSSES; what++) {
		struct text_lost all = { 0 };
		struct str message = { 0 };

		for (size_t i = 0; i < p->count; i++) {
			all.count += p->shards[i].lost[what].count;
			all.amount = column_sum(all.amount, p->shards[i].lost[what].amount);
		}
		if (!all.count)
			continue;
		add_message(&message, loss_texts[what].message, &all);
		warn("%s: %s", path, message.buf);
		str_addf(losses, "%s%s %llu", losses->len ? ", " : "", loss_texts[what].word,
			 (unsigned long long)all.count);
		str_free(&message);
	}
}

/* --- another file behind the first -------------------------------------------------- */

static uint64_t lines_before(const struct text_parsed *p, uint64_t number)
{
	uint64_t before = p->setup->lines_skipped;

	for (size_t i = 0; i < p->count; i++) {
		for (size_t n = 0; n < p->shards[i].part_count; n++) {
			if (p->shards[i].parts[n].number < number)
				before += p->shards[i].parts[n].lines;
		}
	}
	return before;
}

int text_tell_refused(const struct text_parsed *p, const char *path)
{
	const struct text_wrong *first = NULL;

	for (size_t i = 0; i < p->count; i++) {
		const struct text_wrong *refused = &p->shards[i].refused;

		if (refused->what && (!first || text_fold_by_place(refused, first) < 0))
			first = refused;
	}
	if (!first)
		return 0;
	return error(
		"%s%s%llu: another file begins here, with %s, which cannot be read as one with what is above: give "
		"collapse each file by its name",
		path, p->setup->binary ? ": at offset " : ":",
		(unsigned long long)(lines_before(p, first->part) + first->line), first->what);
}
