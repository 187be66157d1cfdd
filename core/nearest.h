/* nearest: the known word that was probably meant by an unknown one.
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
	const char *name; /* the best match so far, the first one of equally good ones; NULL: none */
	int edits;        /* letters added, dropped, changed or swapped: 1 or 2 */
};

/* Take known, which must outlive n, if it is more like word than n's match.  Two equal
 * letters of three are not enough. */
void nearest_try(struct nearest *n, const char *word, const char *known);

/* Exit 2 because the value of option is not in names: print the one that was probably meant, or all of them. */
_Noreturn void nearest_die(const char *option, const char *word, const char *const *names, size_t count);

#endif
