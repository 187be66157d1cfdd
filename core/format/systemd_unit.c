#include "core/format/systemd_unit.h"

#include <string.h>

static bool unit_ends_in(const char *text, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n && !memcmp(text + len - n, end, n);
}

/* The next component of a path that is no slice: "nginx.service".  Returns its length; 0: it has no such component. */
static size_t unit_after_slices(const char **at, const char *end)
{
	size_t len;

	do {
		const char *slash;

		*at += *at < end && **at == '/';
		slash = memchr(*at, '/', (size_t)(end - *at));
		len = slash ? (size_t)(slash - *at) : (size_t)(end - *at);
	} while (unit_ends_in(*at, len, ".slice") && (*at += len));
	return len;
}

static bool unit_is_one(const char *name, size_t len)
{
	static const char *const kinds[] = { ".service", ".scope", ".socket", ".mount", ".swap" };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (unit_ends_in(name, len, kinds[i]))
			return true;
	}
	return false;
}

bool systemd_unit_add(const char *path, size_t len, struct str *out)
{
	const char *at = path, *end = path + len;
	size_t n = unit_after_slices(&at, end);

	if (!unit_is_one(at, n))
		return false;
	str_add(out, at, n);
	if (n < strlen("user@") || memcmp(at, "user@", strlen("user@")) != 0)
		return true;
	at += n;
	n = unit_after_slices(&at, end);
	if (unit_is_one(at, n)) {
		str_addc(out, '/');
		str_add(out, at, n);
	}
	return true;
}
