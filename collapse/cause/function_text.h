/* function_text: what a function is called in a sentence.
 *
 *     com.example.Desk.rebuildCache_[j]        com.example.Desk.rebuildCache
 *     JS:*handle /srv/app.js:7:16              handle (app.js:7)
 *     py::save_orders:/srv/desk.py             save_orders (desk.py)
 *     __GI___libc_write, of libc.so.6          write */
#ifndef COLLAPSE_CAUSE_FUNCTION_TEXT_H
#define COLLAPSE_CAUSE_FUNCTION_TEXT_H

#include <stdint.h>

#include "collapse/frames/names.h"
#include "core/str.h"

/* Append that.  text: number in n->texts. */
void function_text_add(const struct names *n, uint32_t text, struct str *out);

#endif
