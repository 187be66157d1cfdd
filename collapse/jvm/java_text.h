/* java_text: what formats with Java stack traces have in common. */
#ifndef COLLAPSE_JVM_JAVA_TEXT_H
#define COLLAPSE_JVM_JAVA_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "collapse/fold/text_stacks.h"

/* A stack that is read leaf first, as numbers of frames. */
struct java_stack {
	uint32_t *frames; /* [count] */
	size_t count, cap;
};

void java_stack_add(struct java_stack *stack, uint32_t frame);

/* Add the stack, root first; returns its number, as text_stack() does. */
uint32_t java_stack_number(struct text_stacks *s, const struct java_stack *stack);

void java_stack_free(struct java_stack *stack);

/* The length of the method's name at the front of "java.lang.Thread.run(Thread.java:833)"; 0: there is none.  Names of
 * methods in Kotlin, Groovy and Scala may contain blanks: "com.example.AppTest.adds two numbers(AppTest.kt:5)". */
size_t java_method_len(const char *text, size_t len);

/* The frame for an element of a trace, such as "java.base@17/java.lang.Thread.run(Thread.java:833) ~[?:?]":
 * "java.lang.Thread.run", or with setup.lines "java.lang.Thread.run:Thread.java:833".  Returns false if it has no
 * "method(...)". */
bool java_frame(struct text_stacks *s, const char *text, size_t len, uint32_t *frame);

/* Skip the class loader and the module at the front of a method's or a file's name: "app//", "java.base@17/".  The
 * slash of a hidden class, "App$$Lambda$14/0x0000000800c03000.run", belongs to the name. */
void java_skip_module(const char **text, size_t *len);

void java_skip_blanks(const char **text, size_t *len);

/* If the text begins with prefix, skip it and return true. */
bool java_take(const char **text, size_t *len, const char *start);

/* Take a decimal number or, after "0x", a hexadecimal one, of at most limit.  Returns false if there is none, or if a
 * letter, digit or underscore follows it. */
bool java_take_number(const char **text, size_t *len, uint64_t limit, uint64_t *number);

/* Take a date and a time, as instant_parse() (core/wallclock.h) reads them; without a zone, they are local.  Returns
 * false if there are none. */
bool java_date(const char *text, size_t len, uint64_t *epoch_ns);

enum { JAVA_TID_LIMIT = 1 << 22 }; /* the kernel's PID_MAX_LIMIT */

/* Stands for the tid of a thread without one, such as a virtual thread; number is the thread's Java number. */
static inline int32_t java_no_tid(uint64_t number)
{
	return 1000000000 + (int32_t)(number % 1000000000);
}

/* The state of a thread: that of the JVM, with two exceptions.  A RUNNABLE thread that waits in a native method is
 * "POLLING" (for one of several descriptors) or "NETWORK" (for a connection or its data); a thread without Java frames,
 * or one of the JVM's own threads, is "BACKGROUND".  leaf: the text of the innermost frame; NULL: there is none. */
const char *java_state(const char *state, const char *leaf);

#endif
