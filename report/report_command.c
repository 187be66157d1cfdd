#include "report/report_command.h"

#include "core/memory.h"
#include "core/str.h"

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

void command_add_shell_word(struct str *out, const char *word)
{
	if (!word[strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._-")]) {
		str_puts(out, word);
		return;
	}
	str_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			str_puts(out, "'\\'");
		str_addc(out, *word);
	}
	str_addc(out, '\'');
}
