#include "render/states/states.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/bars/bars_text.h"
#include "render/profile/line.h"
#include "render/profile/number.h"

enum {
	WORTH_PERMILLE = 10,                    /* least share of a thread's time that is worth mentioning */
	NOTED_PERCENT = 5,                      /* least share of its waiting with which a usurper is named beside its
						 * bar */
	CULPRIT_PERCENT = 25,                   /* least share with which the headline names a usurper */
	OTHERS_ALARM_PERCENT = CULPRIT_PERCENT, /* least share at which it matters that no thread can be named */
};

static bool states_words_is_called(const struct bars *b, uint32_t name, const char *text)
{
	return !strcmp(intern_text(&b->names, name), text);
}

static bool states_words_is_share(uint64_t part, uint64_t whole, unsigned percent)
{
	return (__uint128_t)part * 100 >= (__uint128_t)whole * percent;
}

void states_tell_by(struct str *out, const struct bars *b, uint32_t by)
{
	if (states_words_is_called(b, by, FOLDED_BY_IDLE)) {
		str_puts(out, "nobody had the CPU: it came out of idleness");
	} else if (states_words_is_called(b, by, FOLDED_BY_OTHERS)) {
		str_puts(out, "other threads had the CPU, too many to be told apart");
	} else if (!bars_limit_add(out, intern_text(&b->names, by))) {
		bars_name_add(out, b, by);
		str_puts(out, " had the CPU");
	}
}

/* "45.1 % of it for spin-b-4712" */
static void states_words_add_share(struct str *out, const struct bars *b, const struct row_wait *row,
				   const struct wait *wait, bool first)
{
	percentage_add(out, wait->amount.value, row->value);
	str_puts(out, first ? " of it " : " ");
	if (states_words_is_called(b, wait->by, FOLDED_BY_IDLE)) {
		str_puts(out, "while the CPU came out of idleness");
	} else {
		str_puts(out, "for ");
		bars_by_add(out, b, wait->by);
	}
}

/* "; of those told apart, bully-12 ran most (20.6 %)": used if the usurper's share is too small to blame it. */
static void add_minor(struct str *out, const struct bars *b, const struct row_wait *row, bool named)
{
	if (!row->thread || states_words_is_share(row->thread->amount.value, row->value, CULPRIT_PERCENT))
		return;
	if (named) {
		str_puts(out, "; of those told apart, ");
	} else {
		str_puts(out, ", no single thread is to blame: ");
		number_add(out, row->threads);
		str_puts(out, " ran, ");
	}
	bars_name_add(out, b, row->thread->by);
	str_puts(out, named ? " ran most (" : " most (");
	percentage_add(out, row->thread->amount.value, row->value);
	str_addc(out, ')');
}

/* Append the usurpers with a large share of a row's waiting, or say that there was none. */
static void add_usurpers(struct str *out, const struct bars *b, const struct row_wait *row)
{
	size_t named = 0;

	for (size_t i = 0; i < row->top_count; i++) {
		if (!states_words_is_share(row->top[i]->amount.value, row->value, CULPRIT_PERCENT))
			break;
		str_puts(out, ", ");
		states_words_add_share(out, b, row, row->top[i], !named++);
	}
	if (row->threads == 1 && !named)
		return;
	add_minor(out, b, row, named);
}

/* A row's whole time; 0 if unknown, as when only waits were recorded, whose sum is not the thread's lifetime. */
static uint64_t whole_of(const struct bars *b, size_t row)
{
	bool has_range = source_get(&b->source, FOLDED_START) && source_get(&b->source, FOLDED_END);

	if (!states_only_waits(b))
		return b->rows[row].amount.value;
	return has_range && bars_in_ns(b) ? bars_window(b) * b->rows[row].members : 0;
}

static bool is_worth_it(const struct bars *b, size_t row, uint64_t waited)
{
	return waited && waited / WORTH_PERMILLE * 1000 >= whole_of(b, row);
}

static void states_words_add_worst(struct str *out, const struct bars *b, size_t worst, const struct row_wait *row)
{
	uint64_t whole = whole_of(b, worst);

	bars_row_name(out, b, &b->rows[worst]);
	str_puts(out, " waited ");
	if (whole) {
		percentage_add(out, row->value, whole);
		str_puts(out, " of ");
	}
	bars_value_add(out, b, whole ? whole : row->value);
	str_puts(out, " for a CPU");
	add_usurpers(out, b, row);
	str_addc(out, '.');
}

static void states_words_add_headline(struct str *out, const struct bars *b, const struct row_wait *rows)
{
	size_t worst = 0, others = 0;

	for (size_t i = 1; i < b->row_count; i++)
		worst = rows[i].value > rows[worst].value ? i : worst;
	if (!rows[worst].value) {
		str_puts(out, "Nobody waited for a CPU.");
		return;
	}
	for (size_t i = 0; i < b->row_count; i++)
		others += i != worst && is_worth_it(b, i, rows[i].value);
	if (!is_worth_it(b, worst, rows[worst].value))
		str_puts(out, "Nobody waited long for a CPU. The worst: ");
	states_words_add_worst(out, b, worst, &rows[worst]);
	if (others && whole_of(b, worst)) {
		str_addc(out, ' ');
		number_add(out, others);
		str_addf(out, " other%s waited 1 %% or more.", others > 1 ? "s" : "");
	}
}

/* "18 %": there is little room beside a bar. */
static void add_percent(struct str *out, uint64_t part, uint64_t whole)
{
	uint64_t percent = (uint64_t)(((__uint128_t)part * 200 + whole) / ((__uint128_t)whole * 2));

	if (!percent)
		str_puts(out, "<1 %");
	else if (percent == 100 && part < whole)
		str_puts(out, ">99 %");
	else
		str_addf(out, "%u %%", (unsigned)percent);
}

/* "4.98 s: 99 % spin-b-4712" */
static void states_words_add_note(struct str *out, const struct bars *b, uint32_t name, const struct row_wait *row)
{
	if (!row->value)
		return;
	bars_value_add(out, b, row->value);
	for (size_t i = 0; i < row->top_count; i++) {
		if (i && !states_words_is_share(row->top[i]->amount.value, row->value, NOTED_PERCENT))
			break;
		str_puts(out, i ? ", " : ": ");
		add_percent(out, row->top[i]->amount.value, row->value);
		str_addc(out, ' ');
		bars_near_add(out, b, row->top[i]->by, name);
	}
}

/* Note the waiting time that could not be attributed to a thread, if it is worth a line. */
static void tell_others(struct states_words *w, const struct waits *waits)
{
	uint64_t whole = 0, others = 0;

	for (size_t i = 0; i < waits->count; i++) {
		const struct wait *wait = &waits->items[i];

		whole += wait->amount.value;
		if (wait->by != BARS_NOBODY && states_words_is_called(waits->bars, wait->by, FOLDED_BY_OTHERS))
			others += wait->amount.value;
	}
	if (!others || others < whole / 1000)
		return;
	percentage_add(&w->others, others, whole);
	str_puts(&w->others, " of the waiting could not be attributed to a thread: "
			     "the threads were too many to be told apart");
	w->others_alarm = states_words_is_share(others, whole, OTHERS_ALARM_PERCENT);
}

void states_words_make(struct states_words *w, const struct bars *b)
{
	struct waits waits = waits_find(b);
	struct row_wait *rows = waits_sum_rows(&waits);

	w->notes = xcalloc(b->row_count, sizeof(*w->notes));
	states_words_add_headline(&w->headline, b, rows);
	tell_others(w, &waits);
	for (size_t i = 0; i < b->row_count; i++)
		states_words_add_note(&w->notes[i], b, b->rows[i].name, &rows[i]);
	free(rows);
	free(waits.items);
}

void states_words_free(struct states_words *w, size_t row_count)
{
	str_free(&w->headline);
	str_free(&w->others);
	for (size_t i = 0; w->notes && i < row_count; i++)
		str_free(&w->notes[i]);
	free(w->notes);
}

bool states_only_waits(const struct bars *b)
{
	for (size_t i = 0; i < b->kind_count; i++) {
		if (strcmp(b->kinds[i].group, STATES_RUNNABLE))
			return false;
	}
	return true;
}

const char *states_many(const struct bars *b)
{
	const char *roots = source_get(&b->source, FOLDED_ROOT);

	if (!roots || line_column(roots, "thread") >= 0 || line_column(roots, "tid") >= 0)
		return "threads";
	return "rows";
}
