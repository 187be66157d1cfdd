#include "collapse/fold/levels.h"

#include <ctype.h>
#include <stdlib.h>

#include "core/error.h"
#include "core/memory.h"

/* Read the number at *at, and move *at behind it.  Returns false if there is no number of 1 or more. */
static bool levels_take_number(const char **at, uint32_t *number)
{
	uint64_t n = 0;

	if (!isdigit((unsigned char)**at))
		return false;
	for (; isdigit((unsigned char)**at); ++*at)
		n = n > UINT32_MAX ? n : 10 * n + (uint64_t)(**at - '0');
	*number = n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
	return n > 0;
}

static bool take_range(const char **at, struct level_range *r)
{
	if (!levels_take_number(at, &r->first))
		return false;
	r->last = r->first;
	if (**at != '-')
		return true;
	++*at;
	if (!isdigit((unsigned char)**at)) {
		r->last = UINT32_MAX;
		return true;
	}
	return levels_take_number(at, &r->last) && r->last >= r->first;
}

void levels_parse(struct levels *l, const char *list, const char *option)
{
	const char *at = list;

	do {
		struct level_range range;

		at += at != list; /* the comma */
		if (!take_range(&at, &range) || (*at && *at != ','))
			die_usage("%s: '%s' is not a list of numbers of threads; try 1-2, or 1,4-8,64-", option, list);
		l->ranges = xgrow(l->ranges, &l->cap, l->count + 1, sizeof(*l->ranges));
		l->ranges[l->count++] = range;
	} while (*at);
}

bool levels_have(const struct levels *l, uint32_t level)
{
	for (size_t i = 0; i < l->count; i++) {
		if (level >= l->ranges[i].first && level <= l->ranges[i].last)
			return true;
	}
	return false;
}

void levels_free(struct levels *l)
{
	free(l->ranges);
	*l = (struct levels){ 0 };
}
