/* One thread that computes until the input ends, then says what it found.  Spin [THREAD_NAME]. */
public class Spin {
	static volatile boolean over;
	static long found;

	static long burn(long x) {
		for (int i = 0; i < 100000; i++)
			x = x * 6364136223846793005L + 1442695040888963407L;
		return x;
	}

	static void spin() {
		while (!over)
			found |= burn(found) | 1;
	}

	public static void main(String[] args) throws Exception {
		Thread t = new Thread(Spin::spin, args.length > 0 ? args[0] : "spinner");

		t.start();
		while (found == 0)
			Thread.sleep(1);
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		over = true;
		t.join();
		System.out.println("found " + (found & 1));
	}
}
