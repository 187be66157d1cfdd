#include "collapse/cause/programs.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/cause/explanation.h"
#include "core/memory.h"

/* compiled: the functions are seen even so. */
static const struct program_kind {
	const char *language, *unseen, *shown;
	bool compiled;
} program_kinds[] = {
	{ "node", "functions of JavaScript are not seen",
	  "node --perf-basic-prof --interpreted-frames-native-stack shows them", false },
	{ "python", "functions of Python are not seen", "python3 -X perf shows them, from Python 3.12 on", false },
	{ "ruby", "functions of Ruby and waits for its lock are not seen", "rbspy record shows functions", false },
	{ "perl", "functions of Perl are not seen", "perl -d:NYTProf shows them", false },
	{ "php", "functions of PHP are not seen", "phpspy shows them", false },
	{ "dotnet", "functions of .NET are not seen", "DOTNET_PerfMapEnabled=1 shows them", false },
	{ "go", "waits of goroutines are not seen", "the block and mutex profiles of Go show them", true },
};

enum { PROGRAM_KINDS = sizeof(program_kinds) / sizeof(*program_kinds) };

/* ---- what a process is -------------------------------------------------------------------- */

/* Of the stacks of one process. */
struct program_sums {
	uint64_t stacks, of_kind[PROGRAM_KINDS];
	bool named; /* set if the stack has functions that a JIT compiled, or names of interpreted functions */
};

static void programs_add_stack(struct program_sums *s, struct cause_frames *f, uint32_t stack)
{
	struct frames_languages found = frames_languages(f, stack);

	if (!frames_has_user(f, stack))
		return;
	s->stacks++;
	s->named |= found.named;
	for (size_t i = 0; i < PROGRAM_KINDS; i++)
		s->of_kind[i] += frames_runs(f, found, program_kinds[i].language);
}

static void programs_add_list(struct program_sums *sums, const struct history *h, const struct history_list *list,
			      struct cause_frames *f)
{
	for (size_t i = 0; i < list->count; i++) {
		if (list->items[i].stack != HISTORY_NONE)
			programs_add_stack(&sums[h->threads[list->items[i].thread].process], f, list->items[i].stack);
	}
}

/* Does the language account for most of the stacks? */
static uint8_t programs_kind_of(const struct program_sums *s)
{
	for (unsigned i = 0; i < PROGRAM_KINDS; i++) {
		if (s->of_kind[i] * 2 > s->stacks && (program_kinds[i].compiled || !s->named))
			return (uint8_t)(i + 1);
	}
	return 0;
}

void programs_find(struct programs *p, const struct history *h, struct cause_frames *f)
{
	struct program_sums *sums = xcalloc(h->count + 1, sizeof(*sums));

	p->kinds = xcalloc(h->count + 1, sizeof(*p->kinds));
	programs_add_list(sums, h, &h->samples, f);
	programs_add_list(sums, h, &h->blocks, f);
	for (size_t i = 0; i < h->count; i++)
		p->kinds[i] = h->threads[i].recorder ? 0 : programs_kind_of(&sums[i]);
	free(sums);
}

/* ---- in words ----------------------------------------------------------------------------- */

void programs_add_note(const struct programs *p, const struct history *h, uint32_t thread, bool of_waits,
		       struct str *out)
{
	uint8_t kind = thread < h->count ? p->kinds[h->threads[thread].process] : 0;

	if (kind && (of_waits || !program_kinds[kind - 1].compiled))
		str_addf(out, "; %s (%s)", program_kinds[kind - 1].unseen, program_kinds[kind - 1].shown);
}

bool programs_hides_waits(const struct programs *p, const struct history *h, uint32_t thread)
{
	uint8_t kind = thread < h->count ? p->kinds[h->threads[thread].process] : 0;

	return kind && program_kinds[kind - 1].compiled;
}

enum { PROGRAMS_NAMED = 3 };

void programs_add_unknown(const struct programs *p, const struct explanation *e, struct str *out)
{
	for (unsigned kind = 1; kind <= PROGRAM_KINDS; kind++) {
		size_t count = 0;

		for (uint32_t i = 0; i < e->history->count; i++) {
			if (p->kinds[i] != kind || count++ >= PROGRAMS_NAMED)
				continue;
			str_puts(out, count > 1 ? ", " : "");
			explanation_process(e, i, out);
		}
		if (count > PROGRAMS_NAMED)
			str_addf(out, " and %zu others", count - PROGRAMS_NAMED);
		if (count)
			str_addf(out, ": %s (%s)\n", program_kinds[kind - 1].unseen, program_kinds[kind - 1].shown);
	}
}

void programs_free(struct programs *p)
{
	if (p)
		free(p->kinds);
}
