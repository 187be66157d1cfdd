#include "collapse/output/pairs.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "core/markup.h"
#include "core/wallclock.h"

void pair_add(struct str *out, const char *key, const char *value)
{
	bool bare = value[0];

	for (const char *c = value; *c; c++)
		bare &= isalnum((unsigned char)*c) || strchr("_.,:+/%@~-", *c);
	str_addf(out, "%s=", key);
	if (bare)
		str_puts(out, value);
	else
		json_puts(out, value);
	str_addc(out, ' ');
}

void pair_add_time(struct str *out, const char *key, uint64_t wall_ns)
{
	struct str text = { 0 };

	wallclock_add(&text, wall_ns);
	pair_add(out, key, text.buf);
	str_free(&text);
}

void pair_add_count(struct str *out, const char *key, uint64_t count)
{
	struct str text = { 0 };

	str_add_u64(&text, count);
	pair_add(out, key, text.buf);
	str_free(&text);
}

void pair_add_instant(struct str *out, const char *key, uint64_t ns)
{
	str_addf(out, "%s=", key);
	wallclock_add_seconds(out, ns);
	str_addc(out, ' ');
}
