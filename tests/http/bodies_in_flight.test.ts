import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { expect } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

interface Begun {
  answer: string;
  isClosed: boolean;
}

const test = baseTest
  .extend("serviceOptions", { scope: "file" }, () => ({ worker: false }))
  /** Sends the head of a request and the first byte of the longest body that the webhook takes. */
  .extend("begin", ({ service }, { onCleanup }) => {
    const sockets: Socket[] = [];
    onCleanup(() => sockets.forEach((socket) => socket.destroy()));
    return async (client: string, length = "Content-Length: 262144") => {
      const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
      sockets.push(socket);
      const begun: Begun = { answer: "", isClosed: false };
      socket.on("data", (chunk) => (begun.answer += chunk.toString()));
      socket.on("close", () => (begun.isClosed = true));
      socket.on("error", () => undefined);
      await once(socket, "connect");
      const head = `POST /api/v1/auth/webhook/authorize HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${client}`;
      await new Promise((sent) => socket.write(`${head}\r\n${length}\r\n\r\n1\r\n{`, sent));
      return begun;
    };
  });
const refusedOf = (begun: Begun[]) => begun.filter(({ answer }) => answer.startsWith("HTTP/1.1 503 "));

test("bodies that do not arrive take places from their own address, the slowest first", async ({ begin, client }) => {
  const slow: Begun[] = [];
  for (let index = 0; index < 66; index++) slow.push(await begin("198.51.100.1"));
  await eventually("two refusals", () => refusedOf(slow).length === 2);
  expect(refusedOf(slow)).toEqual(slow.slice(0, 2));
  expect(slow[0]?.answer).toMatch(/\r\nRetry-After: \d+\r\n/i);
  await eventually("a closed connection", () => slow[0]?.isClosed === true);
  for (const address of ["198.51.100.1", "198.51.100.2"]) {
    const answer = await client.post("/auth/login", {}, { "x-forwarded-for": address });
    expect(answer.code).toBe("MISSING_FIELDS");
  }
});

test("bodies of several addresses take no more than the process has, from the one that has most", async ({ begin }) => {
  const others = [await begin("198.51.100.3")];
  const slow: Begun[] = [];
  for (let index = 0; index < 256; index++)
    slow.push(await begin(`198.51.101.${index % 5}`, "Transfer-Encoding: chunked"));
  await eventually("a refusal", () => refusedOf(slow).length === 1);
  expect(refusedOf(others)).toEqual([]);
});
