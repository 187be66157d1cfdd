#include "collapse/text/number_lists.h"

#include <stdlib.h>

#include "core/decimal.h"
#include "core/memory.h"

void number_lists_begin(struct number_lists *l, uint64_t id)
{
	l->lists = xgrow(l->lists, &l->cap, l->count + 1, sizeof(*l->lists));
	l->lists[l->count++] = (struct number_list){ l->item_count, 0 };
	*map_at(&l->by_id, id, 0) = (uint32_t)l->count;
}

void number_lists_append(struct number_lists *l, uint64_t number)
{
	l->items = xgrow(l->items, &l->item_cap, l->item_count + 1, sizeof(*l->items));
	l->items[l->item_count++] = number;
	l->lists[l->count - 1].count++;
}

void number_lists_parse(struct number_lists *l, const char *text)
{
	char *end;

	for (; *text; text = end) {
		while (*text == ' ' || *text == '\n')
			text++;
		if (!is_digit(*text))
			return;
		number_lists_append(l, strtoull(text, &end, 10));
	}
}

void number_lists_free(struct number_lists *l)
{
	free(l->items);
	free(l->lists);
	map_free(&l->by_id);
	*l = (struct number_lists){ 0 };
}
