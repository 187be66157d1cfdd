/* sorted: comparison functions for qsort(), and binary search in sorted arrays. */
#ifndef CORE_SORTED_H
#define CORE_SORTED_H

#include <stddef.h>
#include <stdint.h>

/* -1, 0 or 1, as qsort() needs it; ORDER(a, b) ?: ORDER(c, d) compares c and d if a and b are equal. */
#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

/* Defines name() for qsort(): compares things of a type by one of their members, ascending. */
#define SORT_BY(name, type, member)                   \
	static int name(const void *a, const void *b) \
	{                                             \
		const type *x = a, *y = b;            \
                                                      \
		return ORDER(x->member, y->member);   \
	}                                             \
	static int name(const void *, const void *)

static inline int by_u64(const void *a, const void *b)
{
	return ORDER(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* The first i below count for which an expression of i is false; count if there is none.  The expression must be true
 * before that i, and false from it on. */
#define FIRST_NOT(i, count, expression)                \
	({                                             \
		size_t low_ = 0, high_ = (count);      \
                                                       \
		while (low_ < high_) {                 \
			size_t i = (low_ + high_) / 2; \
                                                       \
			if (expression)                \
				low_ = i + 1;          \
			else                           \
				high_ = i;             \
		}                                      \
		low_;                                  \
	})

#endif
