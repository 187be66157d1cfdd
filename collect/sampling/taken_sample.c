#include "collect/sampling/taken_sample.h"

#include <stddef.h>
#include <string.h>

/* The part of a record that is still to be read. */
struct rest {
	const uint8_t *bytes;
	size_t len;
};

/* The next len bytes, or NULL if there are fewer. */
static const uint8_t *taken_sample_take(struct rest *rest, uint64_t len)
{
	const uint8_t *bytes = rest->bytes;

	if (len > rest->len)
		return NULL;
	rest->bytes += len;
	rest->len -= len;
	return bytes;
}

static bool taken_sample_take_u64(struct rest *rest, uint64_t *n)
{
	const uint8_t *bytes = taken_sample_take(rest, sizeof(*n));

	if (bytes)
		memcpy(n, bytes, sizeof(*n));
	return bytes;
}

static bool taken_sample_take_raw(struct rest *rest, struct taken_sample *t)
{
	uint32_t len;

	if (rest->len < sizeof(len))
		return false;
	memcpy(&len, rest->bytes, sizeof(len));
	t->raw_len = sizeof(len) + len;
	t->raw = taken_sample_take(rest, t->raw_len);
	return t->raw;
}

/* A sample ends with: abi, regs[]; size, bytes[size], and how many of these bytes are valid (stack_walk_shorten()
 * keeps only these).  Without registers, there is no stack. */
static bool taken_sample_take_user(struct rest *rest, struct taken_sample *t)
{
	struct unwind_sample *user = &t->user;
	uint64_t there;

	if (!taken_sample_take_u64(rest, &user->abi))
		return false;
	if (user->abi)
		user->regs = taken_sample_take(rest, 8 * (size_t)__builtin_popcountll(user->regs_mask));
	if ((user->abi && !user->regs) || !taken_sample_take_u64(rest, &user->stack_wanted))
		return false;
	if (!user->stack_wanted)
		return true;
	if (rest->len < sizeof(there))
		return false;
	memcpy(&there, rest->bytes + rest->len - sizeof(there), sizeof(there));
	user->stack_len = there < user->stack_wanted ? there : user->stack_wanted;
	user->stack = taken_sample_take(rest, user->stack_len);
	return user->stack;
}

static bool taken_sample_take_fields(struct rest *rest, const struct taken_form *form, struct recording_sample *fields)
{
	size_t before = offsetof(struct recording_sample, period);
	size_t lacks = form->period ? sizeof(fields->period) : 0;

	if (rest->len < sizeof(*fields) - lacks)
		return false;
	memcpy(fields, taken_sample_take(rest, before), before);
	fields->period = form->period;
	if (!lacks)
		memcpy(&fields->period, taken_sample_take(rest, sizeof(fields->period)), sizeof(fields->period));
	memcpy(&fields->chain_count, taken_sample_take(rest, sizeof(fields->chain_count)), sizeof(fields->chain_count));
	return true;
}

bool taken_sample_read(const uint8_t *record, const struct taken_form *form, struct taken_sample *t)
{
	struct rest rest = { record, 0 };

	*t = (struct taken_sample){ .user.regs_mask = form->regs_mask };
	memcpy(&t->header, record, sizeof(t->header));
	rest = (struct rest){ record + sizeof(t->header), t->header.size - sizeof(t->header) };
	if (!taken_sample_take_fields(&rest, form, &t->fields))
		return false;
	t->user.time_ns = t->fields.time_ns;
	if (t->fields.chain_count > rest.len / 8)
		return false;
	t->chain = taken_sample_take(&rest, 8 * t->fields.chain_count);
	t->rest = rest.bytes;
	t->rest_len = rest.len;
	return !form->is_walked ||
	       ((!form->has_raw || taken_sample_take_raw(&rest, t)) && taken_sample_take_user(&rest, t));
}
