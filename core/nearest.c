#include "core/nearest.h"

#include <stdbool.h>
#include <string.h>

enum { MAX_EDITS = 2 };

/* Does a become b by at most edits letters added, left out, changed or swapped? */
static bool is_near(const char *a, const char *b, int edits)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (!*a && !*b)
		return true;
	if (!edits)
		return false;
	return (*a && is_near(a + 1, b, edits - 1)) || (*b && is_near(a, b + 1, edits - 1)) ||
	       (*a && *b && is_near(a + 1, b + 1, edits - 1)) ||
	       (*a && *b && a[0] == b[1] && a[1] == b[0] && is_near(a + 2, b + 2, edits - 1));
}

void nearest_try(struct nearest *n, const char *word, const char *known)
{
	int limit = n->name ? n->edits - 1 : MAX_EDITS;

	for (int edits = 1; edits <= limit; edits++) {
		if ((int)strlen(known) > 2 * edits && is_near(word, known, edits)) {
			*n = (struct nearest){ known, edits };
			return;
		}
	}
}
