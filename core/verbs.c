#include "core/verbs.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "core/nearest.h"
#include "core/opts.h"
#include "core/outfile.h"

static void verbs_show_help(const struct verb *verbs, const char *stage, const char *examples)
{
	printf("Examples:\n%s\nUsage: %s VERB [options]\n\nVerbs:\n", examples, stage);
	for (const struct verb *v = verbs; v->name; v++)
		printf("  %-12s%s\n", v->name, v->about);
	printf("\nFor more: '%s VERB --help'.\n", stage);
}

/* "collect -a": the message shows the first verb in its place. */
static _Noreturn void no_verb(const struct verb *verbs, const char *stage, int argc, char **argv)
{
	if (argc < 2)
		die_usage("no verb given");
	die_usage("the verb must come first: '%s %s %s%s'", stage, verbs->name, argv[1], argc > 2 ? " ..." : "");
}

static _Noreturn void verbs_unknown_verb(const struct verb *verbs, const char *word)
{
	struct nearest meant = { 0 };

	for (; verbs->name; verbs++)
		nearest_try(&meant, word, verbs->name);
	if (meant.name)
		die_usage("unknown verb '%s'\nDid you mean '%s'?", word, meant.name);
	die_usage("unknown verb '%s'", word);
}

static bool is_option(const char *word, const char *letter, const char *name)
{
	return !strcmp(word, letter) || !strcmp(word, name);
}

bool help_asked(int argc, char **argv)
{
	if (argc < 2)
		return false;
	if (is_option(argv[1], "-h", "--help"))
		return true;
	if (strcmp(argv[1], "help"))
		return false;
	if (argc == 2 || (argc == 3 && (!strcmp(argv[2], "help") || is_option(argv[2], "-h", "--help"))))
		return true;
	for (int i = 1; i + 1 < argc; i++)
		argv[i] = argv[i + 1];
	argv[argc - 1] = "--help";
	return false;
}

bool version_asked(int argc, char **argv)
{
	return argc > 1 && is_option(argv[1], "-V", "--version");
}

void completion_verbs(const struct verb *verbs, char **argv)
{
	const char *so_far = argv[2];
	size_t head = completion_list_head(so_far);

	for (const struct verb *v = verbs; v->name; v++) {
		if (strchr(v->name, ',') ||
		    (head && (v->run != verbs->run || completion_has(so_far, head, v->name, strlen(v->name)))))
			continue;
		completion_offer(so_far, head, so_far + head, v->name, strlen(v->name), v->about);
	}
}

/* "--complete cpu --fr": the verb's options, or verbs. */
static int verbs_complete(const struct verb *verbs, int argc, char **argv)
{
	if (argc == 3)
		completion_verbs(verbs, argv);
	for (const struct verb *v = verbs; argc > 3 && v->name; v++) {
		if (!strcmp(argv[2], v->name)) {
			char *verb = argv[2];

			argv[2] = argv[1];
			argv[1] = verb;
			return v->run(argc - 1, argv + 1);
		}
	}
	return flush_stdout() < 0;
}

int verbs_run(const struct verb *verbs, const char *stage, const char *examples, int argc, char **argv)
{
	static char name[64];

	program_begin(stage);
	if (help_asked(argc, argv)) {
		verbs_show_help(verbs, stage, examples);
		return flush_stdout() < 0;
	}
	if (version_asked(argc, argv)) {
		printf("pyrograph %s\n", PYROGRAPH_VERSION);
		return flush_stdout() < 0;
	}
	if (completion_asked(argc, argv))
		return verbs_complete(verbs, argc, argv);
	if (argc < 2 || argv[1][0] == '-')
		no_verb(verbs, stage, argc, argv);
	for (const struct verb *v = verbs; v->name; v++) {
		if (!strcmp(argv[1], v->name)) {
			snprintf(name, sizeof(name), "%s %s", stage, v->name);
			program_begin(name);
			return v->run(argc - 1, argv + 1);
		}
	}
	verbs_unknown_verb(verbs, argv[1]);
}
