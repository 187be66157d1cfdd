/* Is what no thread of the lines took idle time?  Only a recording of the whole machine
 * can tell, when nothing was left out of it. */
#include <string.h>

#include "collapse/folded.h"
#include "render/timeline/timeline.h"

/* The next word of text; returns its length, 0 at the end. */
static size_t next_word(const char **text)
{
	*text += strspn(*text, " ");
	return strcspn(*text, " ");
}

static bool is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* "-a", "-qa", "--all-cpus" */
static bool is_all(const char *word, size_t len)
{
	return is_word(word, len, "--all-cpus") ||
	       (len > 1 && *word == '-' && strspn(word + 1, "qva") == len - 1 && word[len - 1] == 'a');
}

static bool is_cpus(const char *word, size_t len)
{
	return (len >= 2 && !memcmp(word, "-C", 2)) || (len >= 5 && !memcmp(word, "--cpu", 5));
}

/* "pyrograph collect sched -a -d 3", "perf sched record" */
static bool is_of_all(const char *command)
{
	const char *at = command;
	size_t len = next_word(&at), words = 0;
	const char *slash = memrchr(at, '/', len), *name = slash ? slash + 1 : at;
	bool perf = is_word(name, (size_t)(at + len - name), "perf"), all = false;

	for (at += len; (len = next_word(&at)) && !is_word(at, len, "--"); at += len, words++) {
		if (is_cpus(at, len))
			return false;
		all |= is_all(at, len) || (perf && !words && is_word(at, len, "sched"));
	}
	return all;
}

/* Does what collapse kept leave out nothing but times: "--state running --from +1s"? */
static bool keeps_all(const char *filter)
{
	size_t len;

	for (const char *at = filter; (len = next_word(&at)); at += len) {
		bool state = is_word(at, len, "--state");

		if (!state && !is_word(at, len, "--from") && !is_word(at, len, "--to"))
			return false;
		at += len;
		len = next_word(&at);
		if (state && !is_word(at, len, "running"))
			return false;
	}
	return true;
}

bool timeline_is_whole(const struct timeline *t)
{
	const char *command = source_get(&t->source, FOLDED_COMMAND);
	const char *filter = source_get(&t->source, FOLDED_FILTER);

	return !t->filtered_lines && command && is_of_all(command) && (!filter || keeps_all(filter));
}
