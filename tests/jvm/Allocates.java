import java.util.concurrent.atomic.AtomicLongArray;

/* Allocates arrays and objects of known sizes, all the time, from several threads; from the letter "c" of its
 * input on it counts them, from "p" to the next "c" it rests, and at the end it prints "CLASS BYTES OBJECTS" of each class.
 *
 * Allocates THREADS CLASS=BYTES:SHARE ...: CLASS is byte, int, long, char (arrays that take BYTES each) or
 * Small (BYTES is ignored); SHARE is its part of all bytes.  Objects come in a random order; with
 * -Drow=N, N of a kind each time; with -Dround=BYTES, in rounds of so many, first all of the first class.  With -Dcount=N
 * each thread waits for the "c", makes N of them, and prints "done" when all have.  With -Dlibrary=FILE there is one
 * more thread, which lets native code make arrays; it does not count them. */
public class Allocates {
	static class Small {
		int a, b, c; /* 24 bytes with headers of 12 bytes, and with compact ones of 8 (JDK 28) */
	}

	static final String[] NAMES = { "byte[]", "int[]", "long[]", "char[]", "Allocates$Small" };
	static final AtomicLongArray bytes = new AtomicLongArray(NAMES.length), objects = new AtomicLongArray(NAMES.length);
	static volatile boolean counting, rests, over;
	static volatile Object sink;
	static final int COUNT = Integer.getInteger("count", 0), ROW = Integer.getInteger("row", 1);
	static final int ROUND = Integer.getInteger("round", 0);

	static int kind(String name) {
		for (int i = 0; i < NAMES.length; i++)
			if (NAMES[i].startsWith(name) || NAMES[i].endsWith("$" + name))
				return i;
		throw new IllegalArgumentException(name);
	}

	/* A header takes 16 bytes, and all sizes are multiples of 8. */
	static Object make(int kind, int size) {
		switch (kind) {
		case 0: return new byte[size - 16];
		case 1: return new int[(size - 16) / 4];
		case 2: return new long[(size - 16) / 8];
		case 3: return new char[(size - 16) / 2];
		default: return new Small();
		}
	}

	/* tests/jvm/jni/allocates.c */
	static native Object makeNative(int bytes);

	static void runNative() {
		while (!over)
			sink = makeNative(1000);
	}

	static void run(int[] kinds, int[] sizes, double[] upTo, int[] inRound, long seed) {
		long[] b = new long[NAMES.length], o = new long[NAMES.length];
		boolean counted = false;
		int k = 0, left = 0;

		while (COUNT > 0 && !counting && !over)
			pause(1);
		while (!over) {
			for (int i = 0; i < (COUNT > 0 ? COUNT : 1000); i++) {
				if (left-- == 0 && ROUND > 0) {
					k = (k + 1) % kinds.length;
					left = inRound[k] - 1;
				} else if (left < 0) {
					seed ^= seed << 13;
					seed ^= seed >>> 7;
					seed ^= seed << 17;
					double at = (seed >>> 11) * 0x1p-53;
					k = 0;
					while (at >= upTo[k])
						k++;
					left = ROW - 1;
				}
				sink = make(kinds[k], sizes[k]);
				b[kinds[k]] += sizes[k];
				o[kinds[k]]++;
			}
			if (COUNT > 0)
				break;
			while (rests && !over)
				pause(5);
			if (counting && !counted) {
				b = new long[NAMES.length];
				o = new long[NAMES.length];
				counted = true;
			}
		}
		for (int i = 0; i < b.length; i++) {
			bytes.addAndGet(i, b[i]);
			objects.addAndGet(i, o[i]);
		}
	}

	static void pause(int ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
		}
	}

	public static void main(String[] args) throws Exception {
		int n = args.length - 1;
		int[] kinds = new int[n], sizes = new int[n], inRound = new int[n];
		double[] upTo = new double[n];
		double sum = 0;
		Thread[] threads = new Thread[Integer.parseInt(args[0])];

		for (int i = 0; i < n; i++) {
			String[] parts = args[i + 1].split("[=:]");
			kinds[i] = kind(parts[0]);
			sizes[i] = kinds[i] == 4 ? 24 : Integer.parseInt(parts[1]);
			sum += Double.parseDouble(parts[2]) / sizes[i];
			upTo[i] = sum;
			inRound[i] = (int) Math.max(1, ROUND * Double.parseDouble(parts[2]) / sizes[i]);
		}
		for (int i = 0; i < n; i++)
			upTo[i] = i + 1 < n ? upTo[i] / sum : 2;
		for (int i = 0; i < NAMES.length; i++) {
			sink = make(i, 64); /* so that what it needs is loaded */
			bytes.addAndGet(i, 0);
		}
		for (int i = 0; i < threads.length; i++) {
			long seed = 88172645463325252L + 7919L * i;
			threads[i] = new Thread(() -> run(kinds, sizes, upTo, inRound, seed), "allocator-" + i);
			threads[i].start();
		}
		if (System.getProperty("library") != null) {
			System.load(System.getProperty("library"));
			new Thread(() -> runNative(), "native").start();
		}
		System.out.println("ready");
		for (int c; (c = System.in.read()) >= 0;) {
			counting |= c == 'c';
			rests = c == 'p' || c != 'c' && rests;
			for (Thread t : threads)
				if (COUNT > 0 && c == 'c')
					t.join();
			if (COUNT > 0 && c == 'c')
				System.out.println("done");
		}
		over = true;
		for (Thread t : threads)
			t.join();
		for (int i = 0; i < NAMES.length; i++)
			if (objects.get(i) > 0)
				System.out.println(NAMES[i] + " " + bytes.get(i) + " " + objects.get(i));
	}
}
