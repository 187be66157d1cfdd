/* vector: the numbers from which a palette makes a name's colour. */
#ifndef RENDER_VECTOR_H
#define RENDER_VECTOR_H

#include <stddef.h>

struct vector {
	double v1, v2, v3; /* each 0..1 */
};

/* The vector of a name, with its annotation as in the profile. */
typedef struct vector vector_fn(const char *name, size_t len);

/* Our own vector: a hash of the name without its annotation, so that a function has the same colour in every picture,
 * and in each of its variants. */
vector_fn vector_of_name;

/* --hash of flamegraph.pl (its namehash()): mostly of the first three characters, so that names with the same beginning
 * have similar colours. */
vector_fn vector_of_beginning;

/* flamegraph.pl without options: one number for all three, the first one that Perl's
 * rand() gives after srand(sum of the characters); that is drand48(),
 * POSIX. */
vector_fn vector_of_sum;

/* --deterministic of inferno-flamegraph: FNV-1a, 64 bits. */
vector_fn vector_of_fnv;

/* --random: three independent numbers from a generator that is seeded by the name, so that the picture is the same each
 * time. */
vector_fn vector_at_random;

/* The function called "name", "hash", "classic", "fnv" or "random"; any other name exits 2. */
vector_fn *vector_find(const char *name);

#endif
