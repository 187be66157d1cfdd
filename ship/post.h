/* post: recordings for other people's stores: Pyroscope, and what takes OTLP. */
#ifndef SHIP_POST_H
#define SHIP_POST_H

#include <stdbool.h>

struct shipment;

/* Is it "pyroscope+http[s]://..." or "otlp+http[s]://..."? */
bool post_is_address(const char *to);

/* Post each input of s.  Returns 0, or -1 after a message. */
int post_run(struct shipment *s);

#endif
