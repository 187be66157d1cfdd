/* check: unit tests in plain C.  A test is a main() of CHECK lines, each of which prints one TAP line; it ends with
 * `return check_done();`. */
#ifndef TESTS_UNIT_CHECK_H
#define TESTS_UNIT_CHECK_H

#include <stdio.h>
#include <string.h>

static int checks_failed;

#define CHECK(condition)                                                               \
	do {                                                                           \
		if (condition) {                                                       \
			printf("ok - %s:%d %s\n", __FILE__, __LINE__, #condition);     \
		} else {                                                               \
			printf("not ok - %s:%d %s\n", __FILE__, __LINE__, #condition); \
			checks_failed++;                                               \
		}                                                                      \
	} while (0)

#define CHECK_TEXT(got, wanted)                                                                                       \
	do {                                                                                                          \
		const char *got_ = (got), *wanted_ = (wanted);                                                        \
		if (!strcmp(got_, wanted_)) {                                                                         \
			printf("ok - %s:%d %s\n", __FILE__, __LINE__, #got);                                          \
		} else {                                                                                              \
			printf("not ok - %s:%d %s\n#   got:    %s\n#   wanted: %s\n", __FILE__, __LINE__, #got, got_, \
			       wanted_);                                                                              \
			checks_failed++;                                                                              \
		}                                                                                                     \
	} while (0)

static inline int check_done(void)
{
	return checks_failed ? 1 : 0;
}

#endif
