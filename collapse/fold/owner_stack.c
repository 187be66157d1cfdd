#include "collapse/fold/owner_stack.h"

#include <string.h>

#include "collapse/perfdata/record.h"
#include "core/error.h"
#include "core/format/chain.h"

enum owner_stack owner_stack_parse(const char *text, const char *option)
{
	if (!strcmp(text, "while"))
		return OWNER_STACK_WHILE;
	if (!strcmp(text, "release"))
		return OWNER_STACK_RELEASE;
	if (strcmp(text, "both") != 0)
		die_usage("%s: '%s' is not while, release or both", option, text);
	return OWNER_STACK_BOTH;
}

/* The first waker at index `from` or later; chain_count if there is none. */
static uint64_t fold_owner_stack_find_waker(const struct recorded_sample *s, uint64_t from)
{
	while (from < s->chain_count && !chain_is_waker(load_u64(s->chain + 8 * from)))
		from++;
	return from;
}

static void remove_hop(struct recorded_sample *s, uint64_t first, uint64_t second, struct str *buffer)
{
	uint64_t label = load_u64(s->chain + 8 * second);

	str_clear(buffer);
	str_add(buffer, (const char *)s->chain, 8 * (size_t)first);
	str_add(buffer, (const char *)s->chain + 8 * second, 8 * (size_t)(s->chain_count - second));
	s->chain = (const uint8_t *)str_text(buffer);
	s->chain_count -= second - first;
	s->chain_is_temporary = true;
	s->waker_pid = chain_waker_pid(label);
	s->waker_tid = chain_waker_tid(label);
}

void owner_stack_choose(enum owner_stack which, struct recorded_sample *s, struct str *buffer)
{
	uint64_t first, second;

	if (which == OWNER_STACK_BOTH || !s->has_meanwhile || !s->has_wakers)
		return;
	first = fold_owner_stack_find_waker(s, s->own_count);
	second = fold_owner_stack_find_waker(s, first + 1);
	if (which == OWNER_STACK_WHILE) {
		s->chain_count = second;
	} else if (second < s->chain_count) {
		remove_hop(s, first, second, buffer);
	} else {
		s->chain_count = s->own_count;
		s->has_wakers = false;
	}
}
