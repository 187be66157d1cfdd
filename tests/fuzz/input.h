/* input: the bytes that libFuzzer gives, taken from the front; and files made of them. */
#ifndef TESTS_FUZZ_INPUT_H
#define TESTS_FUZZ_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

struct input {
	const uint8_t *bytes;
	size_t size;
};

/* Whatever the bytes, this holds. */
static inline void must(bool condition)
{
	if (!condition)
		abort();
}

/* The next byte; 0 if all have been taken. */
static inline uint8_t input_byte(struct input *in)
{
	if (!in->size)
		return 0;
	in->size--;
	return *in->bytes++;
}

/* The next len bytes, or fewer if there are no more. */
static inline struct input input_part(struct input *in, size_t len)
{
	struct input part = { in->bytes, len < in->size ? len : in->size };

	in->bytes += part.size;
	in->size -= part.size;
	return part;
}

/* A file in memory with these bytes; -1 if it cannot be made.  The caller closes it. */
static inline int input_file(const struct input *in)
{
	int fd = memfd_create("fuzz", 0);

	if (fd >= 0 && write(fd, in->bytes, in->size) == (ssize_t)in->size)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

#endif
