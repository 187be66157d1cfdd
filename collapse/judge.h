/* judge: warns on stderr about output that may mislead. */
#ifndef COLLAPSE_JUDGE_H
#define COLLAPSE_JUDGE_H

#include "collapse/collapse.h"

void judge(const struct collapse *c);

#endif
