#include "ship/header.h"

#include <stdio.h>
#include <string.h>

#include "core/format/folded.h"
#include "core/format/pairs.h"

bool header_value(const char *header, const char *key, struct str *value)
{
	size_t mark = strlen(FOLDED_HEADER);

	if (strncmp(header, FOLDED_HEADER, mark) != 0)
		mark = 0;
	return pairs_value(header + mark, strlen(header + mark), key, value);
}

void header_lost(const char *header, uint64_t *lost, uint64_t *seen)
{
	unsigned long long a = 0, b = 0;
	struct str text = { 0 };

	if (header_value(header, FOLDED_LOST, &text))
		sscanf(text.buf, "%llu/%llu", &a, &b);
	*lost = a;
	*seen = b;
	str_free(&text);
}
