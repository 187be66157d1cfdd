#include "core/protobuf_reader.h"

enum { TYPE_BITS = 3, FIELD_NUMBER_MAX = (1 << 29) - 1 };

bool wire_varint(struct wire *w, uint64_t *n)
{
	*n = 0;
	for (int i = 0; i < PB_VARINT_MAX && w->at + i < w->end; i++) {
		uint8_t byte = w->at[i];

		*n |= (uint64_t)(byte & 0x7f) << (7 * i);
		if (!(byte & 0x80)) {
			w->at += i + 1;
			return true;
		}
	}
	w->wrong = true;
	return false;
}

bool wire_fixed(struct wire *w, size_t size, uint64_t *n)
{
	*n = 0;
	if (wire_len(w) < size) {
		w->wrong = true;
		return false;
	}
	for (size_t i = 0; i < size; i++)
		*n |= (uint64_t)w->at[i] << (8 * i);
	w->at += size;
	return true;
}

static bool take_bytes(struct wire *w, struct wire *bytes)
{
	uint64_t len;

	if (!wire_varint(w, &len))
		return false;
	if (len > wire_len(w)) {
		w->wrong = true;
		return false;
	}
	*bytes = wire_make(w->at, (size_t)len);
	w->at += len;
	return true;
}

bool wire_next(struct wire *w, struct wire_field *f)
{
	const uint8_t *start = w->at;
	uint64_t tag;
	bool whole = false;

	if (w->at == w->end || w->wrong || !wire_varint(w, &tag))
		return false;
	f->number = (uint32_t)(tag >> TYPE_BITS);
	f->type = (enum pb_type)(tag & ((1 << TYPE_BITS) - 1));
	if (tag >> TYPE_BITS && tag >> TYPE_BITS <= FIELD_NUMBER_MAX) {
		if (f->type == PB_VARINT)
			whole = wire_varint(w, &f->value);
		else if (f->type == PB_BYTES)
			whole = take_bytes(w, &f->bytes);
		else if (f->type == PB_FIXED64 || f->type == PB_FIXED32)
			whole = wire_fixed(w, f->type == PB_FIXED64 ? 8 : 4, &f->value);
	}
	if (!whole) {
		w->wrong = true;
		w->at = start;
	}
	return whole;
}

bool wire_number(const struct wire_field *f, struct wire *rest, bool *first, uint64_t *n)
{
	if (f->type != PB_BYTES) {
		*n = f->value;
		if (!*first)
			return false;
		*first = false;
		return true;
	}
	if (*first)
		*rest = f->bytes;
	*first = false;
	return rest->at < rest->end && wire_varint(rest, n);
}
