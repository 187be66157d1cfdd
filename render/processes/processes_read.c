#include <stdlib.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/memory.h"
#include "render/processes/processes.h"
#include "render/profile/line.h"
#include "render/profile/sample.h"

enum { COLUMNS = 4, FRAMES = 6, FRAME_PROCESS = 0, FRAME_PARENT, FRAME_BEGUN, FRAME_ENDED, FRAME_AWAITED, FRAME_ARGS };

struct line_part {
	const char *text;
	size_t len;
};

static bool processes_read_begins(const struct line_part *f, const char *word)
{
	return f->len >= strlen(word) && !memcmp(f->text, word, strlen(word));
}

static bool processes_read_is_word(const struct line_part *f, const char *word)
{
	return f->len == strlen(word) && processes_read_begins(f, word);
}

/* The last number of text: "cc1-4711", "ppid:4710"; *len becomes the length of the text before it. */
static bool processes_read_take_pid(const struct line_part *f, char before, size_t *len, uint32_t *pid)
{
	size_t at = f->len;
	uint64_t n = 0, scale = 1;

	while (at && f->text[at - 1] >= '0' && f->text[at - 1] <= '9' && f->len - at < 9) {
		n += scale * (uint64_t)(f->text[--at] - '0');
		scale *= 10;
	}
	if (at == f->len || !at || f->text[at - 1] != before)
		return false;
	*len = at - 1;
	*pid = (uint32_t)n;
	return true;
}

static uint32_t processes_read_find_kind(struct processes *p, const struct line_part f[FRAMES])
{
	const struct line_part *begun = &f[FRAME_BEGUN], *ended = &f[FRAME_ENDED];
	const char *end = f[FRAME_AWAITED].text + f[FRAME_AWAITED].len;
	size_t before = p->kind_texts.count;
	uint32_t kind = intern_add(&p->kind_texts, begun->text, (size_t)(end - begun->text));

	if (p->kind_texts.count == before)
		return kind;
	p->kinds = xgrow(p->kinds, &p->kind_cap, p->kind_texts.count, sizeof(*p->kinds));
	p->kinds[kind] = (struct process_kind){
		.execed = processes_read_is_word(begun, FOLDED_PROCESS_EXEC),
		.failed = processes_read_begins(begun, FOLDED_PROCESS_FAILED),
		.before = processes_read_is_word(begun, FOLDED_PROCESS_BEFORE),
		.replaced = processes_read_is_word(ended, FOLDED_PROCESS_EXEC),
		.runs = processes_read_is_word(ended, FOLDED_PROCESS_RUNS),
		.wrong = (processes_read_begins(ended, FOLDED_PROCESS_EXIT) &&
			  !processes_read_is_word(ended, FOLDED_PROCESS_EXIT "0")) ||
			 processes_read_begins(ended, FOLDED_PROCESS_SIGNAL),
		.awaited = processes_read_is_word(&f[FRAME_AWAITED], FOLDED_PROCESS_AWAITED),
	};
	return kind;
}

static bool processes_read_split(const struct sample_line *s, struct line_part f[FRAMES])
{
	for (int i = 0; i < FRAMES; i++) {
		f[i].text = line_frame(s->stack, s->stack_len, i, &f[i].len);
		if (!f[i].text || !f[i].len)
			return false;
	}
	f[FRAME_ARGS].len = (size_t)(s->stack + s->stack_len - f[FRAME_ARGS].text);
	return true;
}

static const char *processes_read_take_span(struct processes *p, const struct sample_line *s,
					    const struct sample_column values[COLUMNS])
{
	struct process_span span = { .time_ns = s->time_ns, .number = p->span_count };
	struct line_part f[FRAMES];
	size_t name, none;

	if (!s->timed)
		return "no time: pyrograph collapse --processes";
	if (!processes_read_split(s, f) || !processes_read_take_pid(&f[FRAME_PROCESS], '-', &name, &span.pid) ||
	    !processes_read_begins(&f[FRAME_PARENT], FOLDED_PROCESS_PARENT) ||
	    !processes_read_take_pid(&f[FRAME_PARENT], ':', &none, &span.parent))
		return "expected 'name-pid;ppid:N;begun;ended;awaited;arguments'";
	if (s->time_ns == UINT64_MAX || values[0].value > UINT64_MAX / 2 - s->time_ns / 2)
		return sample_late;
	for (int i = 0; i < COLUMNS; i++) {
		if (values[i].decimals)
			return "expected whole numbers";
	}
	span.name = intern_add(&p->texts, f[FRAME_PROCESS].text, name);
	span.args = intern_add(&p->texts, f[FRAME_ARGS].text, f[FRAME_ARGS].len);
	span.kind = processes_read_find_kind(p, f);
	span.ns = values[0].value;
	span.cpu_ns = values[2].value;
	span.peak = values[3].value;
	p->spans = xgrow(p->spans, &p->span_cap, p->span_count + 1, sizeof(*p->spans));
	p->spans[p->span_count++] = span;
	return NULL;
}

const char *processes_line(struct processes *p, const struct line_filter *f, const char *line, size_t len)
{
	enum rows_line what = rows_line(&p->in, f, line, len);
	struct sample_column values[COLUMNS];
	struct sample_line s;
	const char *wrong;

	if (what == ROWS_COMMENT)
		source_read(&p->in.source, line, len);
	if (what != ROWS_SAMPLE)
		return NULL;
	wrong = sample_parse_columns(&s, line, len, COLUMNS, values);
	return wrong ? wrong : processes_read_take_span(p, &s, values);
}

static const char *processes_read_take_line(void *p, const struct line_filter *f, const char *line, size_t len)
{
	return processes_line(p, f, line, len);
}

int processes_read(struct processes *p, const char *path, const struct line_filter *filter)
{
	return rows_read(&p->in, path, filter, processes_read_take_line, p);
}

void processes_free(struct processes *p)
{
	source_free(&p->in.source);
	intern_free(&p->texts);
	intern_free(&p->kind_texts);
	free(p->kinds);
	free(p->spans);
	free(p->list);
	free(p->order);
	free(p->rows);
	free(p->path);
	free(p->totals);
	*p = (struct processes){ 0 };
}
