#include "collect/machine/mount_lines.h"

#include <stdio.h>
#include <string.h>

enum { MINOR_BITS = 20 };

void mount_add_field(const char *text, size_t len, struct str *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned code;

		if (text[i] == '\\' && i + 3 < len && sscanf(text + i + 1, "%3o", &code) == 1) {
			str_addc(out, (char)code);
			i += 3;
		} else {
			str_addc(out, text[i]);
		}
	}
}

bool mount_line_read(const char *line, size_t len, struct mount_line *m)
{
	unsigned major, minor;
	size_t root, root_len, point_len;
	int at = 0;

	if (sscanf(line, "%*u %*u %u:%u %n", &major, &minor, &at) < 2 || !at || (size_t)at >= len)
		return false;
	root = (size_t)at;
	root_len = strcspn(line + root, " \n");
	if (line[root + root_len] != ' ')
		return false;
	point_len = strcspn(line + root + root_len + 1, " \n");
	if (root + root_len + 1 + point_len > len)
		return false;
	m->device = major << MINOR_BITS | minor;
	str_clear(&m->root);
	str_clear(&m->point);
	mount_add_field(line + root, root_len, &m->root);
	mount_add_field(line + root + root_len + 1, point_len, &m->point);
	return true;
}

void mount_line_free(struct mount_line *m)
{
	str_free(&m->root);
	str_free(&m->point);
}
