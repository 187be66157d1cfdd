#include "collect/jvm/code_bytes.h"

#include <stdlib.h>
#include <string.h>

#include "core/hash.h"
#include "core/memory.h"

void code_bytes_init(struct code_bytes *c, const struct remote *remote)
{
	*c = (struct code_bytes){ .remote = remote, .batch = 1, .lines = xcalloc(CODE_LINES, sizeof(*c->lines)) };
}

static const uint8_t *get_line(struct code_bytes *c, uint64_t number)
{
	struct code_line *line = &c->lines[hash_mix(number, 1) % CODE_LINES];

	if (line->batch == c->batch && line->number == number)
		return line->bytes;
	line->batch = remote_read(c->remote, number * CODE_LINE, line->bytes, CODE_LINE) ? c->batch : 0;
	line->number = number;
	return line->batch ? line->bytes : NULL;
}

bool code_bytes_get(struct code_bytes *c, uint64_t address, uint8_t *to, size_t len)
{
	while (len) {
		size_t at = address % CODE_LINE, part = len < CODE_LINE - at ? len : CODE_LINE - at;
		const uint8_t *bytes = get_line(c, address / CODE_LINE);

		if (!bytes)
			return false;
		memcpy(to, bytes + at, part);
		address += part;
		to += part;
		len -= part;
	}
	return true;
}

void code_bytes_next_batch(struct code_bytes *c)
{
	c->batch++;
}

void code_bytes_free(struct code_bytes *c)
{
	free(c->lines);
	*c = (struct code_bytes){ 0 };
}
