#include "render/flame/split.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { NAME_MAX_BYTES = 100 };

static bool is_safe(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
	       c == '_';
}

static void add_safe(struct str *out, const char *name, size_t len)
{
	if (len > NAME_MAX_BYTES)
		len = NAME_MAX_BYTES;
	for (size_t i = 0; i < len; i++)
		str_addc(out, is_safe(name[i]) && (i || (name[0] != '.' && name[0] != '-')) ? name[i] : '_');
	if (!len)
		str_puts(out, "unnamed");
}

/* Take name; false if it is already taken. */
static bool split_take(struct split_names *names, const struct str *name)
{
	size_t before = names->taken.count;
	struct str lower = { 0 };

	for (size_t i = 0; i < name->len; i++)
		str_addc(&lower, (char)tolower((unsigned char)name->buf[i]));
	intern_add(&names->taken, lower.buf, lower.len);
	str_free(&lower);
	return names->taken.count > before;
}

void split_name_add(struct str *out, struct split_names *names, const char *name, size_t len, const char *suffix)
{
	struct str safe = { 0 }, numbered = { 0 };

	add_safe(&safe, name, len);
	str_add(&numbered, safe.buf, safe.len);
	for (unsigned number = 2; !split_take(names, &numbered); number++) {
		str_clear(&numbered);
		str_addf(&numbered, "%s-%u", safe.buf, number);
	}
	str_add(out, numbered.buf, numbered.len);
	str_puts(out, suffix);
	str_free(&safe);
	str_free(&numbered);
}

void split_names_free(struct split_names *names)
{
	if (names)
		intern_free(&names->taken);
}
