/* Threads that live for two milliseconds each, one after the other, "short-lived worker number N", and one
 * that stays, "the one that stays". */
public class Short {
	static volatile boolean over;
	static volatile long sink;

	static void burn(long ns) {
		for (long end = System.nanoTime() + ns; System.nanoTime() < end;)
			sink++;
	}

	static void stay() {
		while (!over)
			burn(1000000);
	}

	public static void main(String[] args) throws Exception {
		Thread stays = new Thread(Short::stay, "the one that stays");

		stays.start();
		Thread starts = new Thread(() -> {
			for (long n = 0; !over; n++) {
				Thread t = new Thread(() -> burn(2000000), "short-lived worker number " + n);
				t.start();
				try {
					t.join();
				} catch (InterruptedException e) {
				}
			}
		}, "the one that starts others");
		starts.start();
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		over = true;
		stays.join();
		starts.join();
	}
}
