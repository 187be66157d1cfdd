#include "collapse/fold/text_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "collapse/frames/columns.h"
#include "core/error.h"
#include "core/format/folded.h"
#include "core/hash.h"
#include "core/memory.h"
#include "core/utf8.h"

_Static_assert(TEXT_VALUES_MAX * 2 <= COLUMNS_MAX, "each value may have a fraction");

/* --- numbers for frames, stacks, labels --------------------------------------------- */

/* The stored text of a frame that has a source: the byte PLACED, this head, the file, the name.  Names that begin with
 * that byte are stored in the same way. */
enum { PLACED = '\0' };

struct placed_head {
	uint32_t line, file_len;
};

static uint32_t placed_frame(struct text_stacks *s, enum text_kind kind, const char *name, size_t len,
			     struct text_source at)
{
	struct placed_head head = { at.line, (uint32_t)at.len };
	uint32_t number;

	str_clear(&s->placed);
	str_addc(&s->placed, PLACED);
	str_add(&s->placed, (const char *)&head, sizeof(head));
	str_add(&s->placed, at.file, at.len);
	str_add(&s->placed, name, len);
	number = intern_add(&s->texts, s->placed.buf, s->placed.len);
	str_trim(&s->placed);
	return number * TEXT_KINDS + kind;
}

uint32_t text_frame(struct text_stacks *s, enum text_kind kind, const char *text, size_t len)
{
	if (len && text[0] == PLACED)
		return placed_frame(s, kind, text, len, (struct text_source){ "", 0, 0 });
	return intern_add(&s->texts, text, len) * TEXT_KINDS + kind;
}

uint32_t text_frame_at(struct text_stacks *s, enum text_kind kind, const char *name, size_t len, struct text_source at)
{
	bool lines = s->setup->lines;

	at.line = lines ? at.line : 0;
	at.len = (s->setup->no_files && !lines) || at.len > UINT32_MAX ? 0 : at.len;
	if (!at.len && !at.line)
		return text_frame(s, kind, name, len);
	if (!at.len)
		at.file = "";
	s->sources = true;
	return placed_frame(s, kind, name, len, at);
}

void text_frame_take(const struct text_stacks *s, uint32_t frame, struct text_frame_parts *parts)
{
	uint32_t number = frame / TEXT_KINDS;
	struct placed_head head;

	*parts = (struct text_frame_parts){ .name = intern_text(&s->texts, number),
					    .len = intern_len(&s->texts, number),
					    .kind = frame % TEXT_KINDS };
	if (!parts->len || parts->name[0] != PLACED)
		return;
	memcpy(&head, parts->name + 1, sizeof(head));
	parts->at = (struct text_source){ parts->name + 1 + sizeof(head), head.file_len, head.line };
	parts->name = parts->at.file + head.file_len;
	parts->len -= 1 + sizeof(head) + head.file_len;
}

uint32_t text_truncated(struct text_stacks *s)
{
	text_lose(s, TEXT_TRUNCATED, 0);
	return text_frame(s, TEXT_PLAIN, FOLDED_TRUNCATED_FRAME, strlen(FOLDED_TRUNCATED_FRAME));
}

uint32_t text_stack(struct text_stacks *s, const uint32_t *frames, size_t count)
{
	size_t before = s->stacks.count;
	uint32_t stack = intern_add(&s->stacks, count ? (const char *)frames : "", count * sizeof(*frames));

	s->frames_in_part += s->stacks.count > before ? count : 0;
	return stack;
}

size_t text_stack_room(const struct text_stacks *s)
{
	enum { FRAMES_ALWAYS = 1 << 24, FRAMES_A_BYTE = 2 };
	uint64_t all = FRAMES_ALWAYS + FRAMES_A_BYTE * (uint64_t)s->part->len;
	uint64_t left = s->frames_in_part < all ? all - s->frames_in_part : 0;

	return left > TEXT_ROOM_LEAST ? (size_t)left : TEXT_ROOM_LEAST;
}

uint32_t text_stack_leaf_first(struct text_stacks *s, uint32_t *frames, size_t count)
{
	for (size_t i = 0; i < count / 2; i++) {
		uint32_t frame = frames[i];

		frames[i] = frames[count - 1 - i];
		frames[count - 1 - i] = frame;
	}
	return text_stack(s, frames, count);
}

bool text_known(struct text_stacks *s, const char *bytes, size_t len, uint32_t *stack, uint32_t *known)
{
	enum { KEPT_MAX = 1 << 20 };
	size_t before = s->known.count;

	*known = len > KEPT_MAX ? intern_append(&s->known, "", 0) : intern_add(&s->known, bytes, len);
	if (s->known.count > before)
		return false;
	*stack = s->known_stacks[*known];
	return true;
}

void text_is(struct text_stacks *s, uint32_t known, uint32_t stack)
{
	s->known_stacks = xgrow(s->known_stacks, &s->known_cap, known + 1, sizeof(*s->known_stacks));
	s->known_stacks[known] = stack;
}

uint32_t text_label(struct text_stacks *s, const struct text_labels *labels)
{
	uint32_t number = intern_add(&s->labels, (const char *)labels, sizeof(*labels));

	s->label_seen = xgrow(s->label_seen, &s->label_cap, number + 1, sizeof(*s->label_seen));
	if (s->labels.count > s->label_count)
		s->label_seen[s->label_count++] = (struct text_seen){ UINT64_MAX, 0 };
	return number;
}

int32_t text_thread_number(const char *id, size_t len)
{
	enum { FROM = 1000000000, NUMBERS = 1000000000 }; /* as java_no_tid() */

	return FROM + (int32_t)(hash_bytes(id, len) % NUMBERS);
}

bool text_event_is_clock(const char *event, size_t len)
{
	static const char *const clocks[] = { "cpu-clock", "task-clock" };

	for (size_t i = 0; i < sizeof(clocks) / sizeof(*clocks); i++) {
		size_t n = strlen(clocks[i]);

		if (text_begins(event, len, clocks[i]) && (len == n || event[n] == ':'))
			return true;
	}
	return false;
}

/* --- samples ------------------------------------------------------------------------ */

/* Most stacks have the same labels again and again, so the row used last is looked up in a small table first. */
static struct text_last_row *last_row_of(struct text_stacks *s, uint32_t stack)
{
	size_t before = s->last_row_cap;

	if (stack < before)
		return &s->last_rows[stack];
	s->last_rows = xgrow(s->last_rows, &s->last_row_cap, stack + 1, sizeof(*s->last_rows));
	memset(s->last_rows + before, 0, (s->last_row_cap - before) * sizeof(*s->last_rows));
	return &s->last_rows[stack];
}

static uint32_t text_stacks_row_of(struct text_stacks *s, uint32_t stack, uint32_t labels)
{
	uint32_t *number = map_at(&s->row_of, stack, labels);
	size_t width = s->setup->value_count;

	if (*number)
		return *number - 1;
	s->rows = xgrow(s->rows, &s->row_cap, s->row_count + 1, sizeof(*s->rows));
	s->rows[s->row_count] = (struct text_row){ stack, labels };
	if (!s->setup->keep_times) {
		s->sums = xgrow(s->sums, &s->sum_cap, (s->row_count + 1) * width, sizeof(*s->sums));
		memset(s->sums + s->row_count * width, 0, width * sizeof(*s->sums));
	}
	*number = (uint32_t)++s->row_count;
	return *number - 1;
}

static void keep_time(struct text_stacks *s, const struct text_sample *sample, uint32_t row)
{
	size_t width = s->setup->value_count;

	s->times = xgrow(s->times, &s->time_cap, s->time_count + 1, sizeof(*s->times));
	s->values = xgrow(s->values, &s->value_cap, (s->time_count + 1) * width, sizeof(*s->values));
	s->times[s->time_count] = (struct text_time){ sample->time_ns, row };
	memcpy(s->values + s->time_count * width, sample->values, width * sizeof(*s->values));
	s->time_count++;
}

static void note_labels(struct text_stacks *s, uint32_t labels)
{
	struct text_seen *seen = &s->label_seen[labels];

	seen->last = s->part->number << 32 | s->samples_in_part++;
	if (seen->first == UINT64_MAX)
		seen->first = seen->last;
}

/* Add to the amount that is to be taken off a row. */
static void add_minus(struct text_stacks *s, const struct text_value *value, uint32_t row)
{
	struct text_value plain = { value->whole, value->fraction & ~TEXT_MINUS };

	if (s->setup->keep_times) {
		text_lose(s, TEXT_NEGATIVE, value->whole);
		return;
	}
	if (row >= s->minus_count) {
		s->minus = xgrow(s->minus, &s->minus_cap, (size_t)row + 1, sizeof(*s->minus));
		memset(s->minus + s->minus_count, 0, (row + 1 - s->minus_count) * sizeof(*s->minus));
		s->minus_count = (size_t)row + 1;
	}
	s->negative++;
	text_value_add(&s->minus[row], &plain, false);
}

void fold_add_text(struct text_stacks *s, const struct text_sample *sample)
{
	struct text_last_row *last = last_row_of(s, sample->stack);
	uint32_t row;

	if (!last->row || last->labels != sample->labels)
		*last = (struct text_last_row){ sample->labels,
						text_stacks_row_of(s, sample->stack, sample->labels) + 1 };
	row = last->row - 1;
	s->samples++;
	note_labels(s, sample->labels);
	if (sample->values[0].fraction & TEXT_MINUS) {
		add_minus(s, &sample->values[0], row);
		return;
	}
	if (s->setup->keep_times) {
		keep_time(s, sample, row);
		return;
	}
	for (size_t i = 0; i < s->setup->value_count; i++)
		text_value_add(&s->sums[row * s->setup->value_count + i], &sample->values[i],
			       s->setup->longest >> i & 1);
}

void text_whole_line(struct text_stacks *s, const char *stack, size_t len, const struct text_value *values)
{
	s->samples++;
	if (values->fraction & TEXT_MINUS)
		whole_lines_add(&s->whole_minus, stack, len,
				&(struct text_value){ values->whole, values->fraction & ~TEXT_MINUS });
	else
		whole_lines_add(&s->whole, stack, len, values);
}

bool text_value_read(struct text_stacks *s, const char **text, size_t *len, struct text_value *value,
		     const char **wrong)
{
	const char *start = *text;
	size_t start_len = *len;
	struct decimal number;

	*value = (struct text_value){ 0 };
	*wrong = *len && **text == '-' ? "a negative value" : "no value";
	if (**wrong == 'a' || !decimal_read(text, len, &number))
		return false;
	*wrong = "a value that is too large";
	if (!decimal_scale(&number, 0, &value->whole)) {
		*text = start;
		*len = start_len;
		return false;
	}
	value->fraction = decimal_fraction(&number);
	s->fractions |= value->fraction > 0;
	return true;
}

bool text_signed_read(struct text_stacks *s, const char **text, size_t *len, struct text_value *value,
		      const char **wrong)
{
	const char *digits = *text + 1;
	size_t left = *len - 1;

	if (s->setup->value_count != 1 || *len < 2 || **text != '-')
		return text_value_read(s, text, len, value, wrong);
	if (!text_value_read(s, &digits, &left, value, wrong))
		return false;
	*text = digits;
	*len = left;
	if (value->whole || value->fraction)
		value->fraction |= TEXT_MINUS;
	return true;
}

/* --- places in the input ------------------------------------------------------------ */

/* Newlines are counted in 16 byte counters at once, each up to 255. */
typedef uint8_t lanes __attribute__((vector_size(16)));

static uint64_t text_stacks_count_lines(const char *text, size_t len)
{
	uint64_t count = 0;

	while (len >= sizeof(lanes)) {
		lanes found = { 0 }, some;

		for (size_t i = 0; i < 255 && len >= sizeof(some); i++, text += sizeof(some), len -= sizeof(some)) {
			memcpy(&some, text, sizeof(some));
			found -= (lanes)(some == '\n');
		}
		for (size_t i = 0; i < sizeof(found); i++)
			count += found[i];
	}
	for (size_t i = 0; i < len; i++)
		count += text[i] == '\n';
	return count;
}

/* Each error text of a parser is a kind of its own; there are few. */
static struct text_wrong_kind *kind_of_wrong(struct text_stacks *s, const char *what)
{
	struct text_wrong_kind *kind;

	for (size_t i = 0; i < s->wrong_kind_count; i++) {
		if (!strcmp(s->wrong_kinds[i].what, what))
			return &s->wrong_kinds[i];
	}
	s->wrong_kinds = xgrow(s->wrong_kinds, &s->wrong_kind_cap, s->wrong_kind_count + 1, sizeof(*kind));
	kind = &s->wrong_kinds[s->wrong_kind_count++];
	*kind = (struct text_wrong_kind){ what, 0 };
	return kind;
}

static struct text_wrong wrong_at(const struct text_stacks *s, const char *at, const char *what)
{
	size_t before = (size_t)(at - s->part->text);
	const char *newline = NULL, *start;

	if (before && !s->setup->binary)
		newline = memrchr(s->part->text, '\n', before);
	start = newline ? newline + 1 : s->part->text;
	return (struct text_wrong){ s->part->number,
				    s->setup->binary ? before : text_stacks_count_lines(s->part->text, before) + 1,
				    (uint64_t)(at - start) + 1, what };
}

void text_wrong(struct text_stacks *s, const char *at, const char *what)
{
	s->wrong_count++;
	if (kind_of_wrong(s, what)->count++ >= MESSAGES_MAX)
		return; /* return before the search for the error's line and column: there may be millions of errors in
			 * one line */
	s->wrongs = xgrow(s->wrongs, &s->wrong_cap, s->wrong_kept + 1, sizeof(*s->wrongs));
	s->wrongs[s->wrong_kept++] = wrong_at(s, at, what);
}

void text_refuse(struct text_stacks *s, const char *at, const char *differs)
{
	if (!s->refused.what)
		s->refused = wrong_at(s, at, differs);
}

void text_comment(struct text_stacks *s, const char *line, size_t len)
{
	size_t start = s->comments.len;

	str_add(&s->comments, line, len);
	s->comments.len = start + printable_clean(s->comments.buf + start, len, "\t");
	str_addc(&s->comments, '\n');
}

void text_begin_part(struct text_stacks *s, const struct text_part *part)
{
	s->part = part;
	s->part_lines = part->len;
	if (!s->setup->binary) /* count now, while the part is in the cache: kept lines displace it */
		s->part_lines = text_stacks_count_lines(part->text, part->len);
	s->samples_in_part = s->frames_in_part = 0;
	s->whole.value_count = s->setup->value_count;
	s->whole.longest = s->setup->longest;
	s->whole_minus.value_count = 1;
}

void text_end_part(struct text_stacks *s)
{
	whole_lines_settle(&s->whole);
	if (s->whole_minus.len)
		whole_lines_settle(&s->whole_minus);
	s->parts = xgrow(s->parts, &s->part_cap, s->part_count + 1, sizeof(*s->parts));
	s->parts[s->part_count++] =
		(struct text_done){ s->part->number, s->part_lines, s->time_count, s->comments.len };
}

bool text_line(const struct text_part *part, const char **at, const char **line, size_t *len)
{
	const char *end = part->text + part->len, *newline;

	if (!*at)
		*at = part->text;
	if (*at == end)
		return false;
	newline = memchr(*at, '\n', (size_t)(end - *at));
	*line = *at;
	*len = (size_t)((newline ? newline : end) - *at);
	*at = newline ? newline + 1 : end;
	if (*len && (*line)[*len - 1] == '\r')
		--*len;
	return true;
}

void text_stacks_settle(struct text_stacks *s)
{
	if (s->own)
		s->own_free(s->own);
	s->own = NULL;
	str_free(&s->placed);
	intern_free(&s->known);
	free(s->known_stacks);
	s->known_stacks = NULL;
	s->known_cap = 0;
}

void text_stacks_free(struct text_stacks *s)
{
	if (!s)
		return;
	text_stacks_settle(s);
	intern_free(&s->texts);
	intern_free(&s->stacks);
	intern_free(&s->labels);
	map_free(&s->row_of);
	free(s->last_rows);
	free(s->label_seen);
	free(s->rows);
	free(s->sums);
	free(s->times);
	free(s->values);
	free(s->parts);
	free(s->wrongs);
	free(s->wrong_kinds);
	str_free(&s->comments);
	whole_lines_free(&s->whole);
	whole_lines_free(&s->whole_minus);
	free(s->minus);
	*s = (struct text_stacks){ 0 };
}
