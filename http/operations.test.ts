import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { createMetrics, type Metrics } from "../runtime/metrics.ts";
import { serveOperations } from "./operations.ts";

async function serve(metrics: Metrics = createMetrics("test")): Promise<URL> {
  const operations = await serveOperations(metrics, { PORT: 0, HOST: "127.0.0.1", prefix: "OPERATIONS_" });
  onTestFinished(operations.stop);
  return new URL(operations.url);
}

test("the port serves /metrics and nothing else", async () => {
  const url = await serve();
  const statusOf = async (path: string, method = "GET") => (await fetch(url.origin + path, { method })).status;
  const metrics = await fetch(url);
  expect([metrics.status, metrics.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  expect(await metrics.text()).toContain("process_cpu_seconds_total");
  expect(await statusOf("/metrics?debug=1")).toBe(200);
  expect(await statusOf("/metrics", "HEAD")).toBe(200);
  expect(await statusOf("/metrics", "POST")).toBe(405);
  for (const path of ["/", "/api/v1/health", "/metrics/", "/v1/graphql", "//metrics", "/%6Detrics"])
    expect([path, await statusOf(path)]).toEqual([path, 404]);
});

test("scrapes of one second collect once, however many they are", async () => {
  let collected = 0;
  const text = () => Promise.resolve(`collected ${++collected}\n`);
  const url = await serve({ ...createMetrics("test"), text });
  const texts = await Promise.all(Array.from({ length: 5 }, async () => (await fetch(url)).text()));
  expect(texts).toEqual(Array.from({ length: 5 }, () => "collected 1\n"));
  await eventually("it collects again", async () => (await (await fetch(url)).text()) === "collected 2\n");
});

test("while scrapes hang, further ones are refused, and connections beyond sixteen are closed", async () => {
  const url = await serve({ ...createMetrics("test"), text: () => new Promise(() => undefined) });
  const sockets = await Promise.all(
    Array.from({ length: 40 }, async () => {
      const socket = connect(Number(url.port), "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      await once(socket, "connect");
      return socket;
    }),
  );
  const isOpen = ({ closed }: Socket) => !closed;
  await eventually("sixteen connections are left", () => sockets.filter(isOpen).length === 16);
  const answers = new Map<Socket, string>();
  for (const socket of sockets.filter(isOpen)) {
    socket.on("data", (chunk: Buffer) => answers.set(socket, (answers.get(socket) ?? "") + chunk.toString()));
    socket.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
  await eventually("eight scrapes are left", () => sockets.filter(isOpen).length === 8);
  expect([...answers.values()].map((text) => text.slice(0, 12))).toEqual(
    Array.from({ length: 8 }, () => "HTTP/1.1 503"),
  );
});
