#include <string.h>

#include "collapse/frames/frame.h"
#include "collapse/roots/label_words.h"
#include "collapse/roots/root.h"
#include "collapse/roots/roots.h"
#include "core/format/folded.h"
#include "core/format/recording.h"

/* For samples that are not processes, all words of the key are 0. */

static uint32_t process_roots_name_of(struct roots *r, const struct recorded_sample *s)
{
	const char *name = s->process.name;

	return intern_add(&r->process_texts, name, strnlen(name, sizeof(s->process.name))) + 1;
}

static void process_roots_write_text(const struct roots *r, uint32_t word, struct str *out)
{
	frame_add(out, intern_text(&r->process_texts, word - 1), intern_len(&r->process_texts, word - 1));
}

/* command: "cc1", the name of the process */
static void command_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = s->has_process ? process_roots_name_of(r, s) : 0;
}

static void command_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0])
		process_roots_write_text(r, words[0], out);
}

/* process: "cc1-4711" */
static void process_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	words[0] = s->has_process ? process_roots_name_of(r, s) : 0;
	words[1] = s->has_process ? (uint32_t)s->pid : 0;
}

static void process_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (!words[0])
		return;
	process_roots_write_text(r, words[0], out);
	str_addf(out, "-%u", words[1]);
}

/* parent: "ppid:4700" */
static void parent_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->has_process;
	words[1] = s->has_process ? s->process.parent : 0;
}

static void parent_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_addf(out, FOLDED_PROCESS_PARENT "%u", words[1]);
}

/* begun: "exec", "failed:ENOENT" */
static void begun_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->has_process ? s->process.begun + 1 : 0;
	words[1] = s->has_process && s->process.begun == RECORDING_FAILED ? s->process.status : 0;
}

static void begun_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	static const char *const begun[] = { "", FOLDED_PROCESS_BEFORE, FOLDED_PROCESS_FORK, FOLDED_PROCESS_EXEC,
					     FOLDED_PROCESS_FAILED };

	(void)r;
	str_puts(out, begun[words[0]]);
	if (words[0] == RECORDING_FAILED + 1)
		error_word_add(out, words[1]);
}

/* ended: "exit:0", "signal:SEGV", "signal:ABRT+core", "exec", "runs", "lost" */
static void ended_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->has_process ? s->process.ended + 1 : 0;
	words[1] = s->has_process && s->process.begun != RECORDING_FAILED ? s->process.status : 0;
	if (s->has_process && s->process.begun == RECORDING_FAILED)
		words[0] = RECORDING_ENDED_COUNT + 1;
}

/* As wait(2) has it. */
static void add_status(struct str *out, uint32_t status)
{
	uint32_t signal = status & 0x7f;
	const char *word = signal ? sigabbrev_np((int)signal) : NULL;

	if (!signal)
		str_addf(out, FOLDED_PROCESS_EXIT "%u", status >> 8 & 0xff);
	else if (word)
		str_addf(out, FOLDED_PROCESS_SIGNAL "%s", word);
	else
		str_addf(out, FOLDED_PROCESS_SIGNAL "%u", signal);
	if (status & 0x80)
		str_puts(out, FOLDED_PROCESS_CORE);
}

static void ended_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	static const char *const ended[] = {
		"", FOLDED_PROCESS_RUNS, "", FOLDED_PROCESS_EXEC, FOLDED_PROCESS_LOST, FOLDED_PROCESS_NONE
	};

	(void)r;
	if (words[0] == RECORDING_EXITED + 1)
		add_status(out, words[1]);
	else
		str_puts(out, ended[words[0]]);
}

/* awaited: "awaited" if the parent was asleep when the process ended, else "-" */
static void awaited_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	(void)r;
	words[0] = s->has_process ? 1 + (s->process.flags & RECORDING_AWAITED) : 0;
}

static void awaited_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	(void)r;
	if (words[0])
		str_puts(out, words[0] > 1 ? FOLDED_PROCESS_AWAITED : FOLDED_PROCESS_NONE);
}

/* args: "cc1 -quiet a.c"; for a process without arguments, "[cc1]" */
static void args_key(struct roots *r, const struct recorded_sample *s, uint32_t *words)
{
	struct str text = { 0 };
	size_t len = s->has_process ? s->process.args_bytes : 0;

	words[0] = 0;
	if (!s->has_process)
		return;
	while (len && !s->args[len - 1])
		len--;
	for (size_t i = 0; i < len; i++)
		str_addc(&text, s->args[i] ? s->args[i] : ' ');
	if (s->process.flags & RECORDING_ARGS_CUT)
		str_puts(&text, "...");
	if (!text.len)
		str_addf(&text, "[%.*s]", (int)sizeof(s->process.name), s->process.name);
	words[0] = intern_add(&r->process_texts, text.buf, text.len) + 1;
	str_free(&text);
}

static void args_write(const struct roots *r, const uint32_t *words, struct str *out)
{
	if (words[0])
		process_roots_write_text(r, words[0], out);
}

const struct root process_roots[] = {
	{ "command", 1, command_key, command_write }, { "process", 2, process_key, process_write },
	{ "parent", 2, parent_key, parent_write },    { "begun", 2, begun_key, begun_write },
	{ "ended", 2, ended_key, ended_write },       { "awaited", 1, awaited_key, awaited_write },
	{ "args", 1, args_key, args_write },          { 0 },
};
