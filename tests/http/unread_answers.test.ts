import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished } from "vitest";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";

const secret = "secret-of-the-admin-0123456789-abcdef";
const query = "{ platform_rate_limit(limit: 60) { hits } }";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({
  worker: false,
  stallMs: 500,
  env: { ADMIN_SECRET: secret },
}));
test.beforeAll(async ({ database }) => {
  // Rows of 25 KB.
  await database.query(
    `insert into platform.rate_limit (key, hits, totals)
     select 'large' || i, array_fill(now(), array[1000]), array(select generate_series(0, 1000))
     from generate_series(1, 60) i`,
  );
});

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const graphql = (body: string) =>
  `POST /v1/graphql HTTP/1.1\r\nHost: x\r\nX-Admin-Secret: ${secret}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${body.length}\r\n\r\n${body}`;

test.for([
  ["a file of GraphiQL", get("/console/static/ruru.js")],
  ["a file of a page", get("/static/packages/redoc/bundles/redoc.standalone.js")],
  ["a long answer of GraphQL", graphql(JSON.stringify({ query }))],
])("a client that asks for %s again and again, and reads nothing, is ended", async ([, request = ""], { service }) => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  socket.pause();
  await once(socket, "connect");
  // Together more than the kernel keeps for a client that does not read.
  socket.write(request.repeat(16));
  // It learns of the end when it writes.
  const writing = setInterval(() => socket.write("\r\n"), 50);
  await eventually("the end of the connection", () => socket.destroyed).finally(() => clearInterval(writing));
  expect(socket.bytesRead).toBeLessThan(5_000_000);
});

test("a client that reads gets all answers to requests that it sent at once", async ({ service }) => {
  const socket = connect(Number(new URL(service.url).port), "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  let [received, answers] = [0, 0];
  socket.on("data", (chunk: Buffer) => {
    received += chunk.length;
    answers += chunk.toString("latin1").split("HTTP/1.1 200 OK").length - 1;
  });
  const text = await (await fetch(`${service.url}/console/static/ruru.js`)).arrayBuffer();
  socket.write(get("/console/static/ruru.js").repeat(12));
  await eventually("all answers", () => received > 12 * text.byteLength);
  expect(answers).toBe(12);
});

test("GraphiQL's files are compressed for those who accept gzip, and validated by their tag", async ({ service }) => {
  const url = `${service.url}/console/static/ruru.js`;
  const [plain, compressed] = [
    await fetch(url, { headers: { "accept-encoding": "identity" } }),
    await fetch(url, { headers: { "accept-encoding": "gzip" } }),
  ];
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(compressed.headers.get("content-encoding")).toBe("gzip");
  expect(plain.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(await compressed.text()).toBe(await plain.text());
  // As browsers request it. By default fetch would add "no-cache", which requests the whole file.
  const again = await fetch(url, {
    headers: { "if-none-match": plain.headers.get("etag") ?? "", "cache-control": "max-age=0" },
  });
  expect(again.status).toBe(304);
  for (const name of ["nothing.js", "__proto__", "ruru.js.map"])
    expect((await fetch(`${service.url}/console/static/${name}`)).status).toBe(404);
});
