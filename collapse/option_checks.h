/* option_checks: which options of collapse go with each other, and with which formats. */
#ifndef COLLAPSE_OPTION_CHECKS_H
#define COLLAPSE_OPTION_CHECKS_H

#include "collapse/options.h"

/* Check what can be checked without the input, choose the preset, and set options that other ones imply.  Exits 2 on
 * wrong usage. */
void options_check(struct options *o);

/* Call this once the format is known.  Exits 2 if an option makes no sense with the format. */
void options_check_format(struct options *o);

/* The labels (TEXT_HAS_PIDS, ...) that the options need from text. */
unsigned options_text_labels(const struct options *o);

/* The value of samples of text with periods. */
enum text_weight options_text_weight(const struct options *o);

#endif
