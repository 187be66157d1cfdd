#include "collapse/perfdata/command_words.h"

#include <stdint.h>
#include <string.h>

static const char *const sources[] = { "c",    "cc", "cpp",   "cxx", "C",   "m",     "mm", "rs",  "go",
				       "java", "kt", "scala", "f90", "f",   "s",     "S",  "asm", "hs",
				       "ml",   "ts", "proto", "y",   "tex", "swift", NULL };
static const char *const scripts[] = { "sh", "bash", "py", "pl", "rb", "js", "php", "lua", NULL };

/* Does the argument name a file with one of these endings? */
static bool command_words_ends(const char *word, size_t len, const char *const *endings)
{
	const char *dot = memrchr(word, '.', len);
	size_t ending = dot ? (size_t)(word + len - dot - 1) : 0;

	for (size_t i = 0; dot > word && *word != '-' && endings[i]; i++) {
		if (strlen(endings[i]) == ending && !memcmp(dot + 1, endings[i], ending))
			return true;
	}
	return false;
}

/* Does the next argument name what is compiled: rustc --crate-name shop, Go's compile -p example.com/shop?  Each package of
 * these has a lib.rs, or many files. */
static bool command_words_names_next(const char *program, const char *word)
{
	const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;

	return (!strcmp(name, "rustc") && !strcmp(word, "--crate-name")) ||
	       (!strcmp(name, "compile") && !strcmp(word, "-p"));
}

/* Keep the first source file.  A script counts only as the first operand, and not after -c or -e, which take code. */
void command_words_add(struct command_words *w, int pid, const char *args, size_t len)
{
	uint32_t *number = map_at(&w->by_pid, (uint64_t)(uint32_t)pid, 0);
	bool operands = false, named = false;

	if (len) /* the process may have begun another program */
		*number = 0;
	for (size_t at = 0; at < len && !*number;) {
		const char *word = args + at, *end = memchr(word, '\0', len - at), *slash;
		size_t word_len = end ? (size_t)(end - word) : 0;

		if (!end)
			return;
		if (named)
			*number = intern_add(&w->texts, word, word_len) + 1;
		else if (at && (command_words_ends(word, word_len, sources) ||
				(!operands && command_words_ends(word, word_len, scripts)))) {
			slash = memrchr(word, '/', word_len);
			word = slash ? slash + 1 : word;
			*number = intern_add(&w->texts, word, (size_t)(end - word)) + 1;
		}
		named = command_words_names_next(args, word);
		operands |= at && (word[0] != '-' || !strcmp(word, "-c") || !strcmp(word, "-e"));
		at += word_len + 1;
	}
}

const char *command_words_find(const struct command_words *w, int pid)
{
	uint32_t number = map_get(&w->by_pid, (uint64_t)(uint32_t)pid, 0);

	return number ? intern_text(&w->texts, number - 1) : NULL;
}

bool command_words_is_shell(const char *name)
{
	static const char *const shells[] = { "sh",   "bash",    "dash", "ash", "zsh", "ksh",
					      "mksh", "busybox", "fish", "csh", "tcsh" };

	for (size_t i = 0; i < sizeof(shells) / sizeof(*shells); i++) {
		if (!strcmp(name, shells[i]))
			return true;
	}
	return false;
}

void command_words_free(struct command_words *w)
{
	map_free(&w->by_pid);
	intern_free(&w->texts);
}
