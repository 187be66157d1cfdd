/* why: reasons for which a frame has no name. */
#ifndef CORE_SYMBOLS_SPACE_WHY_H
#define CORE_SYMBOLS_SPACE_WHY_H

#include <stddef.h>

/* X(constant, word in a recording, text for people, remedy) */
#define WHY_TABLE(X)                                                                                                   \
	X(UNKNOWN, "unknown", "reason not known", "")                                                                  \
	X(UNMAPPED, "unmapped", "no code is mapped there",                                                             \
	  "stacks of code without frame pointers: --call-graph dwarf")                                                 \
	X(NO_SYMBOLS, "no-symbols", "the file has no symbols: it is stripped",                                         \
	  "install its debug package, or set DEBUGINFOD_URLS")                                                         \
	X(NO_SYMBOL, "no-symbol", "no symbol covers the address", "")                                                  \
	X(NO_FILE, "no-file", "the file is gone", "record while it exists")                                            \
	X(ELSEWHERE, "elsewhere", "the recording is from another machine or boot: the file is not here",               \
	  "collapse where it was recorded, or install the same build, with its build-id, here")                        \
	X(NO_RIGHT, "no-right", "the file may not be read", "run as its owner, or as root")                            \
	X(TOO_MANY_OPEN, "too-many-open", "too many files were open", "raise the limit: ulimit -Hn")                   \
	X(OTHER_BUILD, "other-build", "the file is another build than the one recorded",                               \
	  "collapse on the machine, and before the update")                                                            \
	X(DAMAGED, "damaged", "the file, or its debug information, is damaged", "")                                    \
	X(NO_MAP, "no-map", "JIT-compiled code without a map",                                                         \
	  "node --perf-basic-prof, python -X perf, Java: --jvm perfmap")                                               \
	X(BAD_MAP, "bad-map", "the map of JIT-compiled code is not trusted: owner, links or age", "")                  \
	X(UNFINISHED, "unfinished", "Java names are written at the end of a recording, which this one lacks",          \
	  "end it with -d, Ctrl-C or SIGTERM, not with SIGKILL")                                                       \
	X(NOT_DUMPED, "not-dumped", "its jitdump does not contain this code, or not yet", "")                          \
	X(KERNEL_HIDDEN, "kernel-hidden", "kernel symbols are hidden", "sysctl kernel.kptr_restrict=0, or CAP_SYSLOG") \
	X(OTHER_KERNEL, "other-kernel", "another kernel, or boot, than the one recorded", "")

enum why {
#define WHY_NUMBER(name, word, text, remedy) WHY_##name,
	WHY_TABLE(WHY_NUMBER)
#undef WHY_NUMBER
		WHY_COUNT,
};

const char *why_word(enum why why);   /* the word in a recording: "no-file" */
const char *why_text(enum why why);   /* the text for people */
const char *why_remedy(enum why why); /* the remedy, in a few words; "" when nothing helps */

/* The reason that a word stands for; WHY_UNKNOWN for any other word. */
enum why why_of_word(const char *word, size_t len);

#endif
