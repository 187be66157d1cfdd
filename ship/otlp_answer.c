#include "ship/otlp_answer.h"

#include "core/protobuf_reader.h"

enum { PARTIAL_SUCCESS = 1, REJECTED_PROFILES = 1, MESSAGE = 2 }; /* fields: MESSAGE of both messages */

/* Returns false if it is no such message, or a damaged one. */
static bool read_message(struct wire message, struct otlp_answer *a)
{
	struct wire_field f;

	while (wire_next(&message, &f)) {
		if (f.number == REJECTED_PROFILES && f.type == PB_VARINT)
			a->rejected = f.value;
		if (f.number == MESSAGE && f.type == PB_BYTES) {
			a->message = (const char *)f.bytes.at;
			a->message_len = wire_len(&f.bytes);
		}
	}
	return !message.wrong;
}

static bool read_success(struct wire response, struct otlp_answer *a)
{
	struct wire_field f;

	while (wire_next(&response, &f)) {
		if (f.number == PARTIAL_SUCCESS && f.type == PB_BYTES && !read_message(f.bytes, a))
			return false;
	}
	return !response.wrong;
}

struct otlp_answer otlp_answer_read(long status, const struct str *body)
{
	struct wire bytes = wire_make(str_text(body), body->len);
	struct otlp_answer a = { 0 };

	if (status / 100 == 2)
		return read_success(bytes, &a) ? a : (struct otlp_answer){ 0 };
	if (!read_message(bytes, &a))
		return (struct otlp_answer){ 0 };
	a.rejected = 0; /* the code of a Status */
	return a;
}
