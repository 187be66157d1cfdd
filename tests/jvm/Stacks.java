import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.LongUnaryOperator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/* Threads that know their own stacks: Stacks NAME ... runs those.  When the input ends, it prints for each
 * "cpu NAME nanoseconds", and of what a thread knows the parts of, "share NAME Stacks.method fraction". */
public class Stacks {
	static volatile boolean stop;
	static volatile long sink;
	static final ThreadMXBean BEAN = ManagementFactory.getThreadMXBean();

	interface Work {
		void run() throws Exception;
	}

	/* ---- nests of calls ---- */

	static long burn(int rounds) {
		long x = sink;
		for (int i = 0; i < rounds; i++)
			x = x * 6364136223846793005L + (x >>> 13);
		return x;
	}

	static long d4(int n) { return burn(n) + 1; }
	static long d3(int n) { return d4(n) + 1; }
	static long d2(int n) { return d3(n) + 1; }
	static long d1(int n) { return d2(n) + 1; }
	static void nest() { sink = d1(200); }

	static long deeper(int depth) {
		return depth == 0 ? burn(20) : deeper(depth - 1) + burn(5);
	}
	static void recursion() { sink = deeper(40); }

	interface Shape { long area(long x); }
	static class Square implements Shape { public long area(long x) { return x * x + burn(10); } }
	static class Circle implements Shape { public long area(long x) { return 3 * x * x + burn(12); } }
	static class Line implements Shape { public long area(long x) { return burn(8); } }
	static final Shape[] SHAPES = { new Square(), new Circle(), new Line() };

	static void interfaces() {
		for (int i = 0; i < 99; i++)
			sink += SHAPES[i % 3].area(i);
	}

	static long apply(LongUnaryOperator f, int times) {
		long x = 1;
		for (int i = 0; i < times; i++)
			x = f.applyAsLong(x);
		return x;
	}
	static void lambdas() {
		final int rounds = 10;
		sink = apply(x -> x + burn(rounds), 50) + apply(x -> apply(y -> y ^ burn(5), 3), 50);
	}

	static synchronized void locked() { sink += burn(10); }
	static void monitors() {
		for (int i = 0; i < 50; i++)
			locked();
	}

	static long failing(int i) throws Exception {
		if (i % 2 == 0)
			throw new IllegalStateException("even");
		return i;
	}
	static void exceptions() {
		for (int i = 0; i < 20; i++) {
			try {
				sink += failing(i);
			} catch (Exception e) {
				sink++;
			}
		}
	}

	static void faults() {
		int[] array = { 1, 2, 3 };
		String text = sink == 42 ? "" : null;
		for (int i = 0; i < 20; i++) {
			try {
				sink += i % 2 == 0 ? array[i] : text.length();
			} catch (RuntimeException e) {
				sink++;
			}
		}
	}

	/* ---- the library ---- */

	static void strings() {
		String s = "";
		HashMap<String, Integer> map = new HashMap<>();
		for (int i = 0; i < 50; i++) {
			s = "key " + i + "/" + s.length();
			map.merge(s, 1, Integer::sum);
		}
		sink += map.hashCode() + String.format("%d %s", 17, "x").length();
	}

	static void copies() {
		byte[] from = new byte[20000], to = new byte[20000];
		Object[] objects = new Object[2000];
		for (int i = 0; i < 10; i++) {
			System.arraycopy(from, i, to, 0, 15000);
			System.arraycopy(from, 0, from, 1, 15000);
			Arrays.fill(to, (byte) i);
			System.arraycopy(objects, 0, objects, 1, 1900);
			sink += objects.clone().length + Arrays.hashCode(to);
		}
	}

	static void math() {
		double x = 1.1;
		for (int i = 0; i < 200; i++)
			x += Math.sin(x * i) + Math.pow(1.01, i % 7 + x / 9) + Math.log(x * x + 2) + Math.exp(-i) + Math.tan(x);
		sink += (long) x;
	}

	static final byte[] DATA = new byte[8000];

	static void checksums() {
		CRC32 crc = new CRC32();
		Deflater deflater = new Deflater();
		byte[] to = new byte[16000];
		for (int i = 0; i < DATA.length; i++)
			DATA[i] = (byte) (i * i >> 5);
		for (int i = 0; i < 10; i++)
			crc.update(DATA, i, DATA.length - i);
		deflater.setInput(DATA);
		deflater.finish();
		sink += crc.getValue() + deflater.deflate(to);
		deflater.end();
	}

	public static long target(int rounds) { return burn(rounds); }
	static final Method TARGET = targetMethod();
	static Method targetMethod() {
		try {
			return Stacks.class.getMethod("target", int.class);
		} catch (NoSuchMethodException e) {
			throw new AssertionError(e);
		}
	}
	static void reflection() throws Exception {
		for (int i = 0; i < 50; i++)
			sink += (Long) TARGET.invoke(null, 10);
	}

	static void clocks() {
		for (int i = 0; i < 100; i++)
			sink += System.nanoTime() + System.currentTimeMillis() + Thread.currentThread().getId();
	}

	static void allocations() {
		List<Object> list = new ArrayList<>();
		for (int i = 0; i < 500; i++)
			list.add(i % 3 == 0 ? new int[i] : new Object[3]);
		sink += list.size();
	}

	static void sorting() {
		Integer[] numbers = new Integer[300];
		for (int i = 0; i < numbers.length; i++)
			numbers[i] = i * 7919 % 301;
		Arrays.sort(numbers, (a, b) -> Integer.compare(a, b));
		sink += numbers[7] + Arrays.stream(numbers).filter(n -> n % 2 == 0).mapToInt(n -> n).sum();
	}

	/* ---- native code, that calls back: tests/jvm/jni/stacks.c ---- */

	static native long callBack(int depth);
	static long called(int depth) { return depth == 0 ? burn(50) : callBack(depth - 1) + 1; }
	static void natives() { sink = callBack(3); }

	/* ---- parts of known size ---- */

	static final long[] parts = new long[3];

	static void spend(long nanoseconds) {
		long end = BEAN.getCurrentThreadCpuTime() + nanoseconds;
		while (BEAN.getCurrentThreadCpuTime() < end)
			sink = burn(20000);
	}
	static void half() { spend(6000000); }
	static void third() { spend(4000000); }
	static void sixth() { spend(2000000); }

	static void shares() {
		long a = BEAN.getCurrentThreadCpuTime(), b, c, d;
		half();
		b = BEAN.getCurrentThreadCpuTime();
		third();
		c = BEAN.getCurrentThreadCpuTime();
		sixth();
		d = BEAN.getCurrentThreadCpuTime();
		parts[0] += b - a;
		parts[1] += c - b;
		parts[2] += d - c;
	}

	/* ---- threads ---- */

	static final String[] NAMES = { "nest", "recursion", "interfaces", "lambdas", "monitors", "exceptions", "faults",
		"strings", "copies", "math", "checksums", "reflection", "clocks", "allocations", "sorting", "shares", "natives" };
	static final Work[] WORKS = { Stacks::nest, Stacks::recursion, Stacks::interfaces, Stacks::lambdas,
		Stacks::monitors, Stacks::exceptions, Stacks::faults, Stacks::strings, Stacks::copies, Stacks::math,
		Stacks::checksums, Stacks::reflection, Stacks::clocks, Stacks::allocations, Stacks::sorting,
		Stacks::shares, Stacks::natives };

	static final Semaphore warm = new Semaphore(0);

	static void loop(Work work) {
		try {
			long end = System.nanoTime() + 500000000;
			for (int i = 0; i < 20 && System.nanoTime() < end; i++)
				work.run();
			warm.release();
			while (!stop)
				work.run();
		} catch (Exception e) {
			throw new AssertionError(e);
		}
	}

	static void measure(String name, Work work) {
		loop(work);
		synchronized (System.out) {
			System.out.println("cpu " + name + " " + BEAN.getCurrentThreadCpuTime());
		}
	}

	/* Of JDK 21 and later: on a carrier, with a yield now and then. */
	static Thread virtual(Work work) throws Exception {
		return (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () ->
			loop(() -> {
				for (int i = 0; i < 100; i++)
					work.run();
				Thread.sleep(1);
			}));
	}

	static Work find(String name) {
		return WORKS[Arrays.asList(NAMES).indexOf(name)];
	}

	public static void main(String[] args) throws Exception {
		List<Thread> threads = new ArrayList<>();
		String library = System.getProperty("stacks.library");

		if (library != null)
			System.load(library);
		for (String name : args.length > 0 ? args : Arrays.copyOf(NAMES, NAMES.length - 1)) {
			if (name.startsWith("virtual-")) {
				threads.add(virtual(find(name.substring(8))));
				continue;
			}
			Work work = find(name);
			Thread t = new Thread(() -> measure(name, work), name);
			t.start();
			threads.add(t);
		}
		warm.acquire(threads.size());
		System.out.println("ready");
		while (System.in.read() >= 0)
			;
		stop = true;
		for (Thread t : threads)
			t.join();
		long all = parts[0] + parts[1] + parts[2];
		for (int i = 0; i < 3 && all > 0; i++)
			System.out.println("share shares Stacks." + new String[] { "half", "third", "sixth" }[i] + " " +
					   (double) parts[i] / all);
	}
}
