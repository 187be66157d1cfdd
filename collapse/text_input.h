/* text_input: a run of pyrograph collapse that reads text. */
#ifndef COLLAPSE_TEXT_INPUT_H
#define COLLAPSE_TEXT_INPUT_H

#include "collapse/collapse.h"

/* Read the text, and write what the options ask for.  Returns 0, or -1 after a message. */
int text_input_run(struct collapse *c);

#endif
