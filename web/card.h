/* card: one capture on the page: its pictures, facts, sources and threads. */
#ifndef WEB_CARD_H
#define WEB_CARD_H

#include "core/str.h"
#include "web/captures.h"

/* Append the <article> of a capture. */
void card_write(struct str *page, const struct web_capture *c);

#endif
