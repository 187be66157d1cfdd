/* One thread that computes until the input ends, then says what it found.  Spin [THREAD_NAME].  It rests from "p" in
 * the input to "c". */
public class Spin {
	static volatile boolean over, rests;
	static long found;

	static long burn(long x) {
		for (int i = 0; i < 100000; i++)
			x = x * 6364136223846793005L + 1442695040888963407L;
		return x;
	}

	static void spin() {
		while (!over) {
			found |= burn(found) | 1;
			if (rests)
				rest();
		}
	}

	static void rest() {
		try {
			while (rests && !over)
				Thread.sleep(5);
		} catch (InterruptedException e) {
		}
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(Spin::spin, args.length > 0 ? args[0] : "spinner");

		t.start();
		while (found == 0)
			Thread.sleep(1);
		System.out.println("ready");
		for (int c; (c = System.in.read()) >= 0;)
			rests = c == 'p' || c != 'c' && rests;
		over = true;
		t.join();
		System.out.println("found " + (found & 1));
	}
}
