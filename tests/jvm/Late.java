/** Two threads compute; one of them, in late(), does not notice for long that the JVM wants all to stop. */
public class Late {
    static volatile long sink;

    /** A counted loop: without -XX:+UseCountedLoopSafepoints it has no safepoint. */
    static long late(int n) {
        long sum = 1;
        for (int i = 0; i < n; i++)
            sum = sum * 31 + (sum >>> 7 ^ i);
        return sum;
    }

    /** No counted loop, as its steps differ; one of equal steps is split into counted ones, be i a long. */
    static long prompt(long n) {
        long sum = 1;
        for (long i = 0; i < n; i += 1 + (sum & 1))
            sum = sum * 31 + (sum >>> 7 ^ i);
        return sum;
    }

    static void start(String name, Runnable body) {
        Thread thread = new Thread(() -> {
            while (true)
                body.run();
        }, name);
        thread.setDaemon(true);
        thread.start();
    }

    public static void main(String[] args) throws Exception {
        for (int i = 0; i < 20; i++)
            sink += late(1000000) + prompt(1000000);
        start("late", () -> sink += late(40000000));
        start("prompt", () -> sink += prompt(20000000));
        start("asks", () -> {
            try {
                Thread.sleep(100);
            } catch (InterruptedException e) {
                return;
            }
            sink += Thread.getAllStackTraces().size();
        });
        System.out.println("ready");
        while (System.in.read() >= 0)
            ;
    }
}
