#include "core/symbols/kallsyms.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/memory.h"
#include "core/open_files.h"
#include "core/symbols/space/chooser.h"

enum { FIRST_READ = 8 << 20 };

int kallsyms_read(struct kallsyms *k, const atomic_bool *unwanted)
{
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	size_t cap = FIRST_READ;
	ssize_t n = 0;

	*k = (struct kallsyms){ 0 };
	if (fd < 0) {
		open_files_failed(errno);
		return -1;
	}
	k->text = xmalloc(cap);
	while (!(unwanted && atomic_load(unwanted)) && (n = read(fd, k->text + k->len, cap - k->len - 1)) > 0) {
		k->len += (size_t)n;
		k->text = xgrow(k->text, &cap, k->len + 2, 1);
	}
	k->text[k->len] = '\0';
	close(fd);
	return n < 0 ? -1 : 0;
}

const char *kallsyms_obstacle(void)
{
	static char text[160];
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	if (fd < 0) {
		snprintf(text, sizeof(text), "/proc/kallsyms cannot be read: %s%s", strerror(errno),
			 errno == EMFILE ? " (ulimit -n)" : "");
		return text;
	}
	close(fd);
	return "/proc/kallsyms hides addresses (sudo sysctl kernel.kptr_restrict=0, or CAP_SYSLOG)";
}

bool kallsyms_next(const char **p, struct kallsyms_line *line)
{
	static const signed char digits[256] = {
		['0'] = 1, ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
		['8'] = 9, ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
	};
	const char *c = *p, *end;
	int digit;

	if (!*c)
		return false;
	line->address = 0;
	while ((digit = digits[(unsigned char)*c])) {
		line->address = line->address << 4 | (uint64_t)(digit - 1);
		c++;
	}
	line->type = *c == ' ' ? c[1] : '\0';
	line->name = line->type && c[2] == ' ' ? c + 3 : c;
	line->name_len = strcspn(line->name, "\t\n ");
	end = strchr(line->name + line->name_len, '\n');
	*p = end ? end + 1 : line->name + strlen(line->name);
	return true;
}

struct symbol kallsyms_symbol(const struct kallsyms_line *line)
{
	int kind = tolower((unsigned char)line->type);
	struct symbol s = { .start = line->address, .weak = kind == 'w', .local = islower((unsigned char)line->type) };

	if (kind == 't' || kind == 'w') {
		s.name = line->name;
		s.name_len = line->name_len;
	}
	return s;
}

bool kallsyms_visible(const struct kallsyms *k)
{
	const char *p = k->text ? k->text : "";
	struct kallsyms_line line;

	while (kallsyms_next(&p, &line)) {
		if (line.address)
			return true;
	}
	return false;
}

uint64_t kallsyms_look_up(const char *name)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	uint64_t address = 0;
	size_t cap = 0, len = strlen(name);
	char *text = NULL;
	struct kallsyms_line line;

	while (file && !address && getline(&text, &cap, file) > 0) {
		const char *p = text;

		if (kallsyms_next(&p, &line) && line.name_len == len && !memcmp(line.name, name, len))
			address = line.address;
	}
	free(text);
	if (file)
		fclose(file);
	return address;
}

void kallsyms_resolve(const struct kallsyms *k, struct place *wanted, size_t count, struct arena *names)
{
	const char *p = k->text ? k->text : "";
	struct chooser chooser;
	struct kallsyms_line line;
	uint64_t last = count ? wanted[count - 1].address : 0;

	chooser_init(&chooser, wanted, count);
	while (kallsyms_next(&p, &line)) {
		struct symbol s;

		if (!line.address || line.address > last)
			continue;
		s = kallsyms_symbol(&line);
		chooser_offer(&chooser, &s);
	}
	chooser_finish(&chooser, names);
}

void kallsyms_free(struct kallsyms *k)
{
	if (!k)
		return;
	free(k->text);
	*k = (struct kallsyms){ 0 };
}
