import { once } from "node:events";
import { connect } from "node:net";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test } from "../../testing/fixtures.ts";

const requests = 100;

test("clients that reset their connections at once are counted by their addresses, and not as unknown", async ({
  service,
  database,
}) => {
  const server = await service.startAnotherServer();
  const { hostname, port } = new URL(server.url);
  for (let index = 0; index < requests; index++) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    await once(socket, "connect");
    const request = `POST /api/v1/auth/session/guest HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: 0\r\n\r\n`;
    socket.write(request, () => socket.resetAndDestroy());
  }
  const sessions = () => database.query<{ count: number }>(`select count(*)::int from "user".session`);
  await eventually("some of them are answered", async () => (await sessions())[0]!.count > 0);
  // It stops when it has handled every request. This machine's own address is exempt from limits.
  await server.stop();
  expect(await database.query("select key from platform.rate_limit where key like '%unknown'")).toEqual([]);
});
