/* protobuf: the wire format of protocol buffers (protobuf.dev/programming-guides/encoding), for pprof and OTLP.
 *
 *     08 96 01       field 1, a varint: 150              tag = field << 3 | type
 *     12 03 61 62 63 field 2, 3 bytes: "abc"             texts, messages, packed numbers
 *     19 ........    field 3, 8 bytes, little endian     fixed64
 *
 * Field numbers are defined by the formats that use it.  As in proto3, a zero is not written. */
#ifndef COLLAPSE_WIRE_PROTOBUF_H
#define COLLAPSE_WIRE_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

#include "core/protobuf_reader.h"
#include "core/str.h"

/* ---- writing: each function appends ------------------------------------------------ */

/* Write value to to[0..PB_VARINT_MAX).  Returns its end. */
static inline char *pb_put_varint(char *to, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		*to++ = (char)(value | 0x80);
	*to++ = (char)value;
	return to;
}

static inline void pb_varint(struct str *out, uint64_t value)
{
	if (out->cap - out->len <= PB_VARINT_MAX)
		str_reserve(out, PB_VARINT_MAX);
	out->len = (size_t)(pb_put_varint(out->buf + out->len, value) - out->buf);
	out->buf[out->len] = '\0';
}

/* How many bytes pb_varint() appends. */
static inline size_t pb_varint_len(uint64_t value)
{
	return value ? (size_t)(63 - __builtin_clzll(value)) / 7 + 1 : 1;
}

static inline void pb_tag(struct str *out, unsigned field, enum pb_type type)
{
	pb_varint(out, (uint64_t)field << 3 | (unsigned)type);
}

/* A number that is not negative, or the two's complement of an int64. */
static inline void pb_number(struct str *out, unsigned field, uint64_t value)
{
	if (!value)
		return;
	pb_tag(out, field, PB_VARINT);
	pb_varint(out, value);
}

/* Eight bytes without a tag, as in a packed field. */
void pb_fixed64_bare(struct str *out, uint64_t value);

void pb_fixed64(struct str *out, unsigned field, uint64_t value);

/* The tag and the length of a field; len bytes follow. */
static inline void pb_begin(struct str *out, unsigned field, size_t len)
{
	pb_tag(out, field, PB_BYTES);
	pb_varint(out, len);
}

/* A message, bytes, or packed numbers; written even if empty. */
static inline void pb_bytes(struct str *out, unsigned field, const char *bytes, size_t len)
{
	pb_begin(out, field, len);
	str_add(out, bytes, len);
}

static inline void pb_message(struct str *out, unsigned field, const struct str *message)
{
	pb_bytes(out, field, str_text(message), message->len);
}

/* A text; bytes that are not UTF-8 become U+FFFD, since readers would refuse the whole message because of them. */
void pb_text(struct str *out, unsigned field, const char *text, size_t len);

static inline void pb_puts(struct str *out, unsigned field, const char *text)
{
	pb_text(out, field, text, strlen(text));
}

#endif
