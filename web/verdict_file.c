#include "web/verdict_file.h"

#include <errno.h>
#include <string.h>

#include "core/error.h"
#include "core/outfile.h"
#include "core/str.h"

enum { FILE_MAX = 4096 };

static const char head[] = "# pyrograph web: ";

/* Returns the length of the file, 0 when it is missing or is not ours. */
static size_t read_ours(int dir, char *bytes)
{
	ssize_t len = outfile_read_start(dir, VERDICT_FILE, bytes, FILE_MAX);
	size_t head_len = sizeof(head) - 1;

	return len >= (ssize_t)head_len && !memcmp(bytes, head, head_len) ? (size_t)len : 0;
}

void verdict_file_read(struct verdicts *rules, struct arena *text, int dir, const char *name)
{
	char bytes[FILE_MAX];
	size_t len = read_ours(dir, bytes), bad = 0;
	const char *why = NULL;

	for (size_t at = 0, line_len; at < len; at += line_len + 1) {
		const char *end = memchr(bytes + at, '\n', len - at), *wrong;

		line_len = end ? (size_t)(end - bytes) - at : len - at;
		if (!line_len || bytes[at] == '#')
			continue;
		wrong = end && !memchr(bytes + at, '\0', line_len)
				? verdicts_try(rules, arena_strdup(text, bytes + at, line_len))
				: "not a whole line of text";
		bad += wrong != NULL;
		why = wrong ? wrong : why;
	}
	if (bad)
		warn("%s/" VERDICT_FILE ": skipped %zu line%s: %s", name, bad, bad == 1 ? "" : "s", why);
}

int verdict_file_write(const struct verdicts *rules, int dir, const char *name, bool force)
{
	char bytes[FILE_MAX];
	struct str text = { 0 }, path = { 0 };
	int status = 0;

	str_addf(&path, "%s/" VERDICT_FILE, name);
	str_puts(&text, head);
	str_puts(&text, "rules for the colours of runs, as --verdict has them\n");
	for (size_t i = 0; i < rules->count; i++)
		str_addf(&text, "%.*s:%s\n", (int)rules->rules[i].text_len, rules->rules[i].text,
			 rules->rules[i].colour);
	if (!force && !read_ours(dir, bytes) &&
	    (outfile_read_start(dir, VERDICT_FILE, bytes, 1) >= 0 || errno != ENOENT))
		status = error("%s was not made by pyrograph: give --force to replace it", path.buf);
	else
		status = outfile_update(dir, VERDICT_FILE, path.buf, text.buf, text.len);
	str_free(&text);
	str_free(&path);
	return status;
}
