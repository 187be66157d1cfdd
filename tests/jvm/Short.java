/* Threads that live for two milliseconds each, one after the other, "short-lived worker number N", and one
 * that stays, "the one that stays".  Both rest from "p" in the input to "c". */
public class Short {
	static volatile boolean over, rests;
	static volatile long sink;

	static void burn(long ns) {
		for (long end = System.nanoTime() + ns; System.nanoTime() < end;)
			sink++;
	}

	static void rest() throws InterruptedException {
		while (rests && !over)
			Thread.sleep(5);
	}

	static void stay() {
		try {
			for (; !over; rest())
				burn(1000000);
		} catch (InterruptedException e) {
		}
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
					rest();
				} catch (InterruptedException e) {
				}
			}
		}, "the one that starts others");
		starts.start();
		System.out.println("ready");
		for (int c; (c = System.in.read()) >= 0;)
			rests = c == 'p' || c != 'c' && rests;
		over = true;
		stays.join();
		starts.join();
	}
}
