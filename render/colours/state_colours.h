/* state_colours: the colours for how threads spend their time: one for each state, the same in every chart.  `safe` are
 * Okabe's and Ito's (hue.h), for colour-blind people, mixed with white where one colour serves several states. Labels
 * on them are black. */
#ifndef RENDER_COLOURS_STATE_COLOURS_H
#define RENDER_COLOURS_STATE_COLOURS_H

#include "core/format/folded.h"

/* X(state of FOLDED_STATE_TABLE, colour, safe colour) */
#define STATE_COLOUR_TABLE(X)               \
	X(PREEMPTED, 0xdb4a3a, 0xdb6a1c)    \
	X(QUANTUM, 0xf68d6e, 0xeda76a)      \
	X(YIELDED, 0xf8b5a0, 0xf3c49b)      \
	X(WOKEN, 0xfbcfc8, 0xf8e0cd)        \
	X(THROTTLED, 0xb5651d, 0xa6761d)    \
	X(RUNNING, 0x7fb2e5, 0x56b4e9)      \
	X(BLOCKED_IO, 0xf7d448, 0xf0e442)   \
	X(BLOCKED, 0xd9a441, 0xcc79a7)      \
	X(SLEEPING, 0xa9d99b, 0x66c5ab)     \
	X(STOPPED, 0x9c9c9c, 0x9c9c9c)      \
	X(TRACED, 0xb0a3bd, 0xb0b0b0)       \
	X(PARKED, 0xbdbdbd, 0xbdbdbd)       \
	X(IDLE, 0xd6d6d6, 0xd6d6d6)         \
	X(DEAD, 0x8a8a8a, 0x8a8a8a)         \
	X(NOISE_THREAD, 0xf68d6e, 0xdb6a1c) \
	X(INTERRUPT, 0xf7d448, 0xf0e442)    \
	X(CALL, 0xfbe7a2, 0xf7f1a0)         \
	X(SOFTIRQ, 0xa9d99b, 0x66c5ab)      \
	X(TIMER, 0x6cc5c1, 0x4c9cc9)        \
	X(WORK, 0xc3b0e8, 0xcc79a7)         \
	X(NMI, 0xf2a0c8, 0xeda76a)          \
	X(HARDWARE, 0xbdbdbd, 0xbdbdbd)     \
	X(STATE_UNKNOWN, 0xcbb8a5, 0xc8c8c8)

/* STATE_RUNNING_RGB, STATE_RUNNING_SAFE */
enum {
#define X(state, rgb, safe) STATE_##state##_RGB = rgb, STATE_##state##_SAFE = safe,
	STATE_COLOUR_TABLE(X)
#undef X
};

#endif
