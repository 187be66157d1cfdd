#include "report/report_command.h"

#include "core/memory.h"

void command_add(struct report_command *c, const char *word)
{
	c->words = xgrow(c->words, &c->cap, c->count + 2, sizeof(*c->words));
	c->words[c->count++] = word;
	c->words[c->count] = NULL;
}

void command_add_all(struct report_command *c, const char *const *words)
{
	while (*words)
		command_add(c, *words++);
}

void command_add_option(struct report_command *c, const char *option, const char *value)
{
	if (value)
		COMMAND_ADD(c, option, value);
}

void command_add_flag(struct report_command *c, const char *option, bool given)
{
	if (given)
		command_add(c, option);
}
