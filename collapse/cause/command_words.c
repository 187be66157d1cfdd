#include "collapse/cause/command_words.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Is the argument the name of a source file? */
static bool command_words_is_source(const char *word, size_t len)
{
	static const char *const endings[] = { "c",   "cc",   "cpp", "cxx",   "C",     "m", "mm",  "rs",
					       "go",  "java", "kt",  "scala", "f90",   "f", "s",   "S",
					       "asm", "hs",   "ml",  "ts",    "proto", "y", "tex", "swift" };
	const char *dot = memrchr(word, '.', len);
	size_t ending = dot ? (size_t)(word + len - dot - 1) : 0;

	for (size_t i = 0; dot > word && *word != '-' && i < sizeof(endings) / sizeof(*endings); i++) {
		if (strlen(endings[i]) == ending && !memcmp(dot + 1, endings[i], ending))
			return true;
	}
	return false;
}

void command_words_add(struct command_words *w, int pid, const char *args, size_t len)
{
	for (size_t at = 0; at < len;) {
		const char *word = args + at, *end = memchr(word, '\0', len - at), *slash;

		if (!end)
			return;
		at += (size_t)(end - word) + 1;
		if (!command_words_is_source(word, (size_t)(end - word)))
			continue;
		slash = memrchr(word, '/', (size_t)(end - word));
		word = slash ? slash + 1 : word;
		*map_at(&w->by_pid, (uint64_t)(uint32_t)pid, 0) = intern_add(&w->texts, word, (size_t)(end - word)) + 1;
		return;
	}
}

const char *command_words_find(const struct command_words *w, int pid)
{
	uint32_t number = map_get(&w->by_pid, (uint64_t)(uint32_t)pid, 0);

	return number ? intern_text(&w->texts, number - 1) : NULL;
}

void command_words_free(struct command_words *w)
{
	map_free(&w->by_pid);
	intern_free(&w->texts);
}
