import pg from "pg";
import { parentPort, workerData } from "node:worker_threads";

/** Worker thread that runs one statement on many connections until it is terminated. Reports "flooding" when all have started. */
const { url, connections, text, values } = workerData as {
  url: string;
  connections: number;
  text: string;
  values: unknown[];
};
let count = 0;
await Promise.all(
  Array.from({ length: connections }, async () => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    for (;;) {
      await client.query({ name: "flood", text, values });
      if (++count === connections) parentPort?.postMessage("flooding");
    }
  }),
);
