/* nearest: what was probably meant by a word that is none of those known.
 *
 *     struct nearest n = {0};
 *
 *     for (...)
 *             nearest_try(&n, word, known[i]);
 *     if (n.name)
 *             printf("Did you mean '%s'?\n", n.name); */
#ifndef CORE_NEAREST_H
#define CORE_NEAREST_H

#include <stddef.h>

struct nearest {
	const char *name; /* of those tried, the first that is most like; NULL: none is */
	int edits;        /* letters added, left out, changed or swapped: 1 or 2 */
};

/* Is known, which must outlive n, more like word than what n has?  Two of three
 * letters are no resemblance. */
void nearest_try(struct nearest *n, const char *word, const char *known);

/* Exit 2, as option has a value that is not in names: say which one was meant, or all of them. */
_Noreturn void nearest_die(const char *option, const char *word, const char *const *names, size_t count);

#endif
