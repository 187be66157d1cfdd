#include "core/symbols/space/why.h"

#include <string.h>

static const struct reason {
	const char *word, *text, *remedy;
} reasons[WHY_COUNT] = {
#define WHY_ROW(name, word, text, remedy) [WHY_##name] = { word, text, remedy },
	WHY_TABLE(WHY_ROW)
#undef WHY_ROW
};

const char *why_word(enum why why)
{
	return reasons[why].word;
}

const char *why_text(enum why why)
{
	return reasons[why].text;
}

const char *why_remedy(enum why why)
{
	return reasons[why].remedy;
}

enum why why_of_word(const char *word, size_t len)
{
	for (int i = 0; i < WHY_COUNT; i++) {
		if (strlen(reasons[i].word) == len && !memcmp(reasons[i].word, word, len))
			return (enum why)i;
	}
	return WHY_UNKNOWN;
}
