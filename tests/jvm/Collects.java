/** A service that its garbage collector stops all the time: it keeps many small objects, and makes more of them. */
public class Collects {
    static final class Order {
        Order before;
        long[] lines = new long[8];
    }

    static final int KEPT = 300_000;
    static volatile Order[] book = new Order[KEPT];

    static void takeOrders(int seed) {
        java.util.Random random = new java.util.Random(seed);
        while (true) {
            Order o = new Order();
            o.before = book[random.nextInt(KEPT)];
            if (o.before != null) o.before.before = null;
            book[random.nextInt(KEPT)] = o;
        }
    }

    public static void main(String[] args) throws Exception {
        for (int i = 1; i <= 3; i++) {
            int seed = i;
            Thread t = new Thread(() -> takeOrders(seed), "request-" + i);
            t.setDaemon(true);
            t.start();
        }
        System.out.println("ready");
        System.in.read();
    }
}
