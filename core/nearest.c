#include "core/nearest.h"

#include <stdbool.h>
#include <string.h>

#include "core/error.h"
#include "core/str.h"

enum { MAX_EDITS = 2 };

/* Can a be turned into b by adding, dropping, changing or swapping at most edits letters? */
static bool nearest_is_near(const char *a, const char *b, int edits)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	if (!*a && !*b)
		return true;
	if (!edits)
		return false;
	return (*a && nearest_is_near(a + 1, b, edits - 1)) || (*b && nearest_is_near(a, b + 1, edits - 1)) ||
	       (*a && *b && nearest_is_near(a + 1, b + 1, edits - 1)) ||
	       (*a && *b && a[0] == b[1] && a[1] == b[0] && nearest_is_near(a + 2, b + 2, edits - 1));
}

void nearest_try(struct nearest *n, const char *word, const char *known)
{
	int limit = n->name ? n->edits - 1 : MAX_EDITS;

	for (int edits = 1; edits <= limit; edits++) {
		if ((int)strlen(known) > 2 * edits && nearest_is_near(word, known, edits)) {
			*n = (struct nearest){ known, edits };
			return;
		}
	}
}

void nearest_die(const char *option, const char *word, const char *const *names, size_t count)
{
	struct nearest meant = { 0 };
	struct str known = { 0 };

	for (size_t i = 0; i < count; i++) {
		nearest_try(&meant, word, names[i]);
		str_addf(&known, " %s", names[i]);
	}
	if (meant.name)
		die_usage("%s: there is no '%s'. Did you mean '%s'?", option, word, meant.name);
	die_usage("%s: '%s' is not one of:%s", option, word, known.buf);
}
