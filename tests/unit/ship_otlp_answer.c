/* Answers of OpenTelemetry collectors: each message, each prefix of it, and any damage. */
#include <stdlib.h>
#include <string.h>

#include "ship/otlp_answer.h"
#include "tests/unit/check.h"

#define PARTIAL "\x0a\x0c\x08\xac\x02\x12\x07no room"
#define STATUS "\x08\x03\x12\x05wrong\x1a\x02\x0a\x00"

/* In a block of exactly its size, so that the sanitizers see reads beyond it. */
static struct otlp_answer of(long status, const char *bytes, size_t len, struct str *body)
{
	str_free(body);
	body->buf = malloc(len + 1);
	body->len = len;
	body->cap = len + 1;
	memcpy(body->buf, bytes, len);
	body->buf[len] = '\0';
	return otlp_answer_read(status, body);
}

static void check_text(const struct otlp_answer *a, const char *wanted)
{
	CHECK(a->message_len == strlen(wanted) && !memcmp(a->message_len ? a->message : "", wanted, a->message_len));
}

int main(void)
{
	static const char partial[] = PARTIAL, status[] = STATUS;
	struct str body = { 0 };
	struct otlp_answer a = of(200, "", 0, &body);

	CHECK(!a.rejected && !a.message_len);
	a = of(200, partial, sizeof(partial) - 1, &body);
	CHECK(a.rejected == 300);
	check_text(&a, "no room");
	a = of(202, "\x0a\x00", 2, &body);
	CHECK(!a.rejected && !a.message_len);
	a = of(400, status, sizeof(status) - 1, &body);
	CHECK(!a.rejected);
	check_text(&a, "wrong");
	a = of(400, "{\"code\":3,\"message\":\"wrong\"}", 28, &body);
	CHECK(!a.message_len);
	a = of(200, "OK", 2, &body);
	CHECK(!a.rejected && !a.message_len);
	a = of(200, "\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 11, &body);
	CHECK(!a.rejected && !a.message_len);
	for (size_t len = 1; len < sizeof(partial) - 1; len++) {
		a = of(200, partial, len, &body);
		CHECK(!a.rejected && !a.message_len);
	}
	for (size_t at = 0; at < sizeof(partial) - 1; at++) {
		for (int byte = 0; byte < 256; byte++) {
			char damaged[sizeof(partial)];

			memcpy(damaged, partial, sizeof(partial));
			damaged[at] = (char)byte;
			a = of(byte & 1 ? 200 : 500, damaged, sizeof(partial) - 1, &body);
			if (a.message_len && (a.message < body.buf || a.message + a.message_len > body.buf + body.len))
				CHECK(!"within the answer");
		}
	}
	str_free(&body);
	return check_done();
}
