import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { openRawWebSocket } from "../../testing/graphql/raw_websocket.ts";
import { forwardGraphql } from "./graphql_forward.ts";

async function listen(http: Server): Promise<string> {
  onTestFinished(() => {
    http.closeAllConnections();
    http.close();
  });
  await once(http.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

test("sockets beyond half of the open files are refused, until another is closed", async () => {
  const program = createServer();
  program.on("upgrade", (_request, socket) => {
    socket.write("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    socket.resume();
  });
  const programUrl = await listen(program);
  const forward = forwardGraphql({ url: () => programUrl }, false, 2);
  onTestFinished(() => forward.stop());
  const http = createServer();
  http.on("upgrade", forward.upgrade);
  const url = `${await listen(http)}/v1/graphql`;
  const open = async () => (await openRawWebSocket(url)).answer.slice(0, 12);
  const first = await openRawWebSocket(url);
  expect(await open()).toBe("HTTP/1.1 101");
  expect(await open()).toBe("HTTP/1.1 503");
  first.socket.destroy();
  await eventually("there is a place again", async () => (await open()) === "HTTP/1.1 101");
});
