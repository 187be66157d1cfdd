#include "ship/otlp_answer.h"

#include <stdbool.h>

enum { PARTIAL_SUCCESS = 1, REJECTED_PROFILES = 1, MESSAGE = 2 }; /* fields: MESSAGE of both messages */
enum { VARINT = 0, BYTES = 2, TYPE_BITS = 3, VARINT_BITS = 64 };

struct answer_part {
	const char *at, *end;
};

static bool take_varint(struct answer_part *s, uint64_t *n)
{
	*n = 0;
	for (int shift = 0; s->at < s->end && shift < VARINT_BITS; shift += 7) {
		unsigned char byte = (unsigned char)*s->at++;

		*n |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return true;
	}
	return false;
}

/* Fields are numbers or bytes; nothing else is in these messages. */
static bool take_field(struct answer_part *s, uint64_t *field, uint64_t *value, struct answer_part *bytes)
{
	uint64_t tag;

	*bytes = (struct answer_part){ 0 };
	if (!take_varint(s, &tag) || !take_varint(s, value))
		return false;
	*field = tag >> TYPE_BITS;
	if ((tag & ((1 << TYPE_BITS) - 1)) == VARINT)
		return true;
	if ((tag & ((1 << TYPE_BITS) - 1)) != BYTES || *value > (uint64_t)(s->end - s->at))
		return false;
	*bytes = (struct answer_part){ s->at, s->at + *value };
	s->at = bytes->end;
	return true;
}

/* Returns whether it is such a message, to its end. */
static bool read_message(struct answer_part s, struct otlp_answer *a)
{
	uint64_t field, value;
	struct answer_part bytes;

	while (s.at < s.end) {
		if (!take_field(&s, &field, &value, &bytes))
			return false;
		if (field == REJECTED_PROFILES && !bytes.at)
			a->rejected = value;
		if (field == MESSAGE && bytes.at) {
			a->message = bytes.at;
			a->message_len = (size_t)(bytes.end - bytes.at);
		}
	}
	return true;
}

struct otlp_answer otlp_answer_read(long status, const struct str *body)
{
	struct answer_part s = { str_text(body), str_text(body) + body->len }, bytes = s;
	struct otlp_answer a = { 0 };
	uint64_t field = PARTIAL_SUCCESS, value;
	bool is_right = true;

	if (status / 100 == 2)
		is_right = s.at == s.end || (take_field(&s, &field, &value, &bytes) && bytes.at);
	if (!is_right || field != PARTIAL_SUCCESS || !read_message(bytes, &a))
		return (struct otlp_answer){ 0 };
	if (status / 100 != 2)
		a.rejected = 0; /* the code of a Status */
	return a;
}
