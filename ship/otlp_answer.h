/* otlp_answer: a collector's answer to profiles that were posted to it by OpenTelemetry's protocol, in protocol
 * buffers:
 *
 *     2xx    ExportProfilesServiceResponse { partial_success = 1: { rejected_profiles = 1, error_message = 2 } }
 *     other  google.rpc.Status { code = 1, message = 2, details = 3 }
 *
 * https://opentelemetry.io/docs/specs/otlp/#otlphttp-response */
#ifndef SHIP_OTLP_ANSWER_H
#define SHIP_OTLP_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "core/str.h"

struct otlp_answer {
	uint64_t rejected;   /* profiles that were not taken; only of 2xx */
	const char *message; /* [message_len], in the body */
	size_t message_len;  /* 0: there is none */
};

/* Returns zeros if body is something else, or damaged. */
struct otlp_answer otlp_answer_read(long status, const struct str *body);

#endif
