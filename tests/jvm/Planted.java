/* A service with one planted fault, whose guilty thread and method are known; as tests/workloads/planted_faults.c has.
 *
 *     monitor     archiver sleeps for 120 ms while it has the desk's monitor             compactArchive
 *     starved     a ForkJoinPool of two threads: calls of a slow backend have both       callBackend
 *     resolver    a pool of four threads, all in reads of a slow server's answers        GeoResolver.locate
 *
 * All other threads behave.  Ends when its input does. */
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;

public class Planted {
	static final Object desk = new Object();
	static volatile long sink;

	static void pass(long ms) {
		try {
			Thread.sleep(ms);
		} catch (InterruptedException e) {
			System.exit(1);
		}
	}

	static void priceOrder(long ms) {
		long end = System.nanoTime() + ms * 1000000;

		while (System.nanoTime() < end)
			sink++;
	}

	static void start(String name, Runnable body) {
		Thread thread = new Thread(() -> {
			for (;;)
				body.run();
		}, name);

		thread.setDaemon(true);
		thread.start();
	}

	/* ---- monitor ---- */

	static void compactArchive() {
		synchronized (desk) {
			pass(120);
		}
		pass(80);
	}

	static void takeOrder() {
		synchronized (desk) {
			priceOrder(1);
		}
		pass(10);
	}

	static void monitor() {
		start("archiver", Planted::compactArchive);
		for (int i = 1; i <= 3; i++)
			start("request-" + i, Planted::takeOrder);
	}

	/* ---- starved ---- */

	static final ForkJoinPool pool = new ForkJoinPool(2);

	/* A process for each thread of the pool: slow, which is another's business. */
	static Process backend() {
		String[] command = { "sh", "-c", "while read -r call; do sleep 0.12; echo $call; done" };

		try {
			return new ProcessBuilder(command).start();
		} catch (java.io.IOException e) {
			throw new RuntimeException(e);
		}
	}

	static final ThreadLocal<Process> connection = ThreadLocal.withInitial(Planted::backend);

	static void callBackend() {
		try {
			connection.get().getOutputStream().write('\n');
			connection.get().getOutputStream().flush();
			connection.get().getInputStream().read();
		} catch (java.io.IOException e) {
			System.exit(1);
		}
	}

	static void askPool() {
		pool.submit(Planted::callBackend).join();
		priceOrder(1);
	}

	static void starved() {
		for (int i = 1; i <= 6; i++)
			start("request-" + i, Planted::askPool);
	}

	/* ---- resolver ---- */

	static class GeoResolver {
		final Socket socket;

		GeoResolver(int port) throws IOException {
			socket = new Socket(InetAddress.getLoopbackAddress(), port);
		}

		int locate() throws IOException {
			socket.getOutputStream().write(1);
			return socket.getInputStream().read();
		}
	}

	static void resolveOrders(int port) {
		try {
			GeoResolver resolver = new GeoResolver(port);
			while (resolver.locate() >= 0)
				priceOrder(2);
		} catch (IOException e) {
			System.exit(1);
		}
	}

	/* The server, a process of its own, ends when its input does. */
	static void serve() throws IOException {
		ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		System.out.println(server.getLocalPort());
		start("accept", () -> {
			try {
				Socket socket = server.accept();
				start("serve", () -> {
					try {
						int call = socket.getInputStream().read();
						pass(40);
						socket.getOutputStream().write(call);
					} catch (IOException e) {
						System.exit(0);
					}
				});
			} catch (IOException e) {
				System.exit(1);
			}
		});
	}

	static void resolver() throws Exception {
		Process server = new ProcessBuilder("java", "-cp", System.getProperty("java.class.path"), "Planted", "serve").start();
		int port = Integer.parseInt(new java.io.BufferedReader(new java.io.InputStreamReader(server.getInputStream())).readLine());
		ExecutorService pool = Executors.newFixedThreadPool(4);

		for (int i = 0; i < 4; i++)
			pool.submit(() -> resolveOrders(port));
	}

	public static void main(String[] arguments) throws Exception {
		switch (arguments[0]) {
		case "monitor": monitor(); break;
		case "starved": starved(); break;
		case "resolver": resolver(); break;
		case "serve": serve(); break;
		}
		Thread.sleep(500); /* until it is compiled */
		if (!arguments[0].equals("serve"))
			System.out.println("ready");
		while (System.in.read() >= 0)
			;
		System.exit(0);
	}
}
