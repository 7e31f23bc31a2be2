import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { collectLog } from "../../testing/log_lines.ts";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { createSockets } from "./sockets.ts";

/** Nothing is authorized, run or notified here: only handshakes. */
const options = {
  listener: { on: () => () => undefined, onReconnect: () => undefined },
  addressOf: () => "192.0.2.1",
  log: collectLog().log,
} as unknown as Parameters<typeof createSockets>[0];

test("a server that is stopping refuses upgrades with 503 and Retry-After", async () => {
  const http = createServer();
  const sockets = createSockets(options);
  http.on("upgrade", sockets.upgrade);
  await once(http.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void http.close());
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/v1/graphql`;
  const accepted = await openRawWebSocket(url);
  expect(accepted.answer).toMatch(/^HTTP\/1\.1 101 /);
  const stopped = sockets.stop();
  const refused = await openRawWebSocket(url);
  expect(refused.answer).toMatch(/^HTTP\/1\.1 503 .*\r\nRetry-After: \d+\r\n/is);
  await refused.closed;
  accepted.socket.destroy();
  await stopped;
});
