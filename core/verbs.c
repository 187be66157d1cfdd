#include "core/verbs.h"

#include <stdio.h>
#include <string.h>

#include "core/error.h"

static void show_help(const struct verb *verbs, const char *stage, const char *examples)
{
	printf("Examples:\n%s\nUsage: %s VERB [options]\n\nVerbs:\n", examples, stage);
	for (const struct verb *v = verbs; v->name; v++)
		printf("  %-12s%s\n", v->name, v->about);
	printf("\n'%s VERB --help' says more.\n", stage);
}

int verbs_run(const struct verb *verbs, const char *stage, const char *examples, int argc,
	      char **argv)
{
	static char name[64];

	program_name = stage;
	if (argc < 2)
		die_usage("which verb?");
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		show_help(verbs, stage, examples);
		return 0;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("pyrograph %s\n", PYROGRAPH_VERSION);
		return 0;
	}
	for (const struct verb *v = verbs; v->name; v++) {
		if (!strcmp(argv[1], v->name)) {
			snprintf(name, sizeof(name), "%s %s", stage, v->name);
			program_name = name;
			return v->run(argc - 1, argv + 1);
		}
	}
	die_usage("unknown verb '%s'", argv[1]);
}
