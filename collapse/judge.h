/* judge: reports on stderr what is doubtful about the lines that a run wrote. */
#ifndef COLLAPSE_JUDGE_H
#define COLLAPSE_JUDGE_H

#include "collapse/collapse.h"

void judge(const struct collapse *c);

#endif
