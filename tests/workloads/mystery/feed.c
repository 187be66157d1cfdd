/* A library that is linked lazily, like the messaging library in the original case: a function that it rarely needs is
 * bound at its first call. */
int late_yield(void);

int lbm_poll(int idle);
int lbm_poll(int idle)
{
	return idle ? late_yield() + 1 : 0; /* not the last thing that the function does, because then a jump would
					     * do */
}
