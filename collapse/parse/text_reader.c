#include "collapse/parse/text_reader.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collapse/parse/json_input.h"
#include "collapse/parse/stack_builder.h"
#include "core/error.h"
#include "core/memory.h"

/* A part of PART_BYTES fits into a core's own cache while it is parsed. */
enum { PART_BYTES = 1 << 19, DEFAULT_JOBS_MAX = 4 };

/* A record is kept in memory as a whole.  Packed input could unpack to a record of any size, so there is a limit. */
#define RECORD_BYTES_MAX ((size_t)4 << 30)

size_t text_split_lines(const char *text, size_t len)
{
	const char *newline = len ? memrchr(text, '\n', len) : NULL;

	return newline ? (size_t)(newline - text) + 1 : 0;
}

void text_reader_begin(struct text_reader *r, struct input_stream *input)
{
	*r = (struct text_reader){ .input = input, .ahead = input->head };
	input->head = (struct str){ 0 };
	input_fill(input, &r->ahead, PART_BYTES);
}

void text_reader_end(struct text_reader *r)
{
	str_free(&r->ahead);
}

/* --- parts -------------------------------------------------------------------------- */

struct text_work {
	struct text_reader *reader;
	const struct input_format *format;
	pthread_mutex_t lock;
};

struct text_job {
	struct text_work *work;
	struct text_stacks *out;
	pthread_t thread;
};

/* Shortens long runs of blanks between the tokens of JSON: a few kilobytes can unpack to gigabytes of blanks.  Shorter
 * runs, such as ordinary indentation, stay, so that line and column in messages are right. */
struct squeeze {
	bool in_string, escaped;
	size_t at;     /* bytes that were looked at */
	size_t blanks; /* before at, the last of them */
};

enum { BLANKS_MAX = 4096 };

static bool is_json_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void squeeze_blanks(struct squeeze *q, struct str *text)
{
	size_t kept = q->at;

	for (; q->at < text->len; q->at++) {
		char c = text->buf[q->at];

		q->blanks = !q->in_string && is_json_blank(c) ? q->blanks + 1 : 0;
		if (q->blanks > BLANKS_MAX)
			continue;
		if (q->escaped)
			q->escaped = false;
		else if (c == '"')
			q->in_string = !q->in_string;
		else
			q->escaped = q->in_string && c == '\\';
		text->buf[kept++] = c;
	}
	text->len = q->at = kept;
	if (text->buf)
		text->buf[kept] = '\0';
}

static bool is_divided(const struct input_format *format)
{
	return format->split || format->starts || format->ends;
}

/* How many bytes of text are whole records? */
static size_t whole_records(const struct input_format *format, const struct str *text)
{
	if (format->starts)
		return split_before(text->buf, text->len, format->starts);
	if (format->ends)
		return split_after(text->buf, text->len, format->ends);
	return format->split ? format->split(text->buf, text->len) : 0;
}

/* The whole text is kept in memory only if it is not divided into records. */
static bool may_squeeze(const struct input_format *format, const struct str *text)
{
	size_t at = 0;

	if (is_divided(format) || format->has & TEXT_IS_BINARY)
		return false;
	while (at < text->len && (is_json_blank(text->buf[at]) || (text->buf[at] & 0x80))) /* a byte-order mark, too */
		at++;
	return at < text->len && (text->buf[at] == '{' || text->buf[at] == '[');
}

/* Fill text with the next whole records, and keep the remaining bytes for the next part.  Returns false at the end. */
static bool next_part(struct text_work *w, struct str *text, uint64_t *number)
{
	struct text_reader *r = w->reader;
	size_t whole = 0, want = PART_BYTES;
	bool json;
	struct squeeze squeeze = { 0 };

	pthread_mutex_lock(&w->lock);
	str_clear(text);
	str_add(text, str_text(&r->ahead), r->ahead.len);
	str_clear(&r->ahead);
	json = may_squeeze(w->format, text);
	while (!whole && !r->failed) {
		input_fill(r->input, text, want);
		r->failed = r->input->failed;
		if (json)
			squeeze_blanks(&squeeze, text);
		if (r->input->at_end)
			break;
		if (json && text->len < want / 2)
			continue;
		whole = whole_records(w->format, text);
		want *= 2;
		if (!whole && want > RECORD_BYTES_MAX) {
			error("%s: a record of more than %llu bytes", r->input->path, (unsigned long long)text->len);
			r->failed = true;
		}
	}
	if (whole) {
		str_add(&r->ahead, text->buf + whole, text->len - whole);
		text->len = whole;
	}
	*number = r->part_count++;
	pthread_mutex_unlock(&w->lock);
	return text->len && !r->failed;
}

static void *parse_parts(void *argument)
{
	const struct text_job *job = argument;
	struct text_part part = { .out = job->out };
	struct str text = { 0 };

	while (next_part(job->work, &text, &part.number)) {
		part.text = text.buf;
		part.len = text.len;
		text_begin_part(job->out, &part);
		job->work->format->parse(&part);
		if (job->work->format->has & TEXT_IS_JSON)
			json_check_alone(job->out);
		text_end_part(job->out);
	}
	str_free(&text);
	return NULL;
}

static size_t jobs_for(const struct text_reader *r, const struct input_format *format, int64_t jobs)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (!jobs)
		jobs = cpus > DEFAULT_JOBS_MAX ? DEFAULT_JOBS_MAX : cpus;
	if (r->input->at_end || !is_divided(format) || jobs < 1 || format->has & TEXT_IN_ORDER)
		return 1;
	return jobs > TEXT_JOBS_MAX ? TEXT_JOBS_MAX : (size_t)jobs;
}

int text_reader_parse(struct text_reader *r, const struct input_format *format, const struct text_setup *setup,
		      int64_t jobs, struct text_parsed *p)
{
	size_t count = jobs_for(r, format, jobs), started = 1;
	struct text_work work = { .reader = r, .format = format, .lock = PTHREAD_MUTEX_INITIALIZER };
	struct text_job all[TEXT_JOBS_MAX];

	*p = (struct text_parsed){ xcalloc(count, sizeof(*p->shards)), count, setup };
	for (size_t i = 0; i < count; i++) {
		p->shards[i].setup = setup;
		all[i] = (struct text_job){ .work = &work, .out = &p->shards[i] };
	}
	while (started < count && !pthread_create(&all[started].thread, NULL, parse_parts, &all[started]))
		started++;
	parse_parts(&all[0]);
	while (started > 1)
		pthread_join(all[--started].thread, NULL);
	return r->failed || r->input->failed ? -1 : 0;
}

void text_parsed_free(struct text_parsed *p)
{
	for (size_t i = 0; i < p->count; i++)
		text_stacks_free(&p->shards[i]);
	free(p->shards);
	*p = (struct text_parsed){ 0 };
}
