/* Starts short threads, one after the other, until its input ends; then it prints how many. */
public class Starts {
	static volatile boolean over;
	static volatile Object sink;

	static void run() {
		for (int i = 0; i < 1000; i++)
			sink = new byte[1000];
	}

	public static void main(String[] args) throws Exception {
		Thread starter = new Thread(() -> {
			int count = 0;

			for (; !over; count++) {
				Thread t = new Thread(Starts::run);
				t.start();
				try {
					t.join();
				} catch (InterruptedException e) {
					break;
				}
			}
			System.out.println("started " + count);
		});
		starter.start();
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		over = true;
		starter.join();
	}
}
