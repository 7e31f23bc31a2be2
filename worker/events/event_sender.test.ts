import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { startVendor } from "../../testing/network/vendor_stand_in.ts";
import { createEventSender, type EventMessage } from "./event_sender.ts";

const secret = `whsec_${Buffer.from("a key of some thirty-two bytes..").toString("base64")}`;
const nextSecret = `whsec_${Buffer.from("another key of thirty-two bytes.").toString("base64")}`;
const development = {
  production: false,
  EVENT_HTTP_HOSTS: ["127.0.0.1"],
  EVENT_SECRETS: [
    { name: "replaced", secret: nextSecret },
    { name: "crm", secret },
    { name: "replaced", secret },
  ],
};
const production = { ...development, production: true, EVENT_HTTP_HOSTS: ["hooks.example", "127.0.0.1"] };
const event = {
  event_id: "0193a1b2-0000-7000-8000-000000000001",
  type: "session.opened",
  url: "",
  secret_name: "crm",
  payload: '{"type":"session.opened","timestamp":"2026-11-28T10:00:00Z","data":{"id":"1"}}',
} satisfies EventMessage;

const send = (
  message: Partial<EventMessage>,
  config = development,
  options: Parameters<typeof createEventSender>[1] = {},
) => createEventSender(config, options).send({ ...event, ...message }, new AbortController().signal);

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Starts a target with a self-signed certificate for an address. */
async function startTlsTarget(address: string) {
  const folder = temporaryFolder();
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const subject = ["-subj", "/CN=target", "-addext", `subjectAltName=IP:${address}`, "-days", "2"];
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", key];
  execFileSync("openssl", ["req", "-x509", ...newKey, "-out", certificate, ...subject], { stdio: "pipe" });
  let received = 0;
  const files = { key: readFileSync(key), cert: readFileSync(certificate, "utf8") };
  const server = createTlsServer(files, (_request, response) => {
    received += 1;
    response.end();
  });
  const url = await listen(server);
  return { url: url.replace("http:", "https:"), certificate: files.cert, received: () => received };
}

/** As the standard's text has it, and not as the library that signs. */
const signatureOf = (whsec: string, id: string, timestamp: string, body: string): string =>
  `v1,${createHmac("sha256", Buffer.from(whsec.slice("whsec_".length), "base64"))
    .update(`${id}.${timestamp}.${body}`)
    .digest("base64")}`;

test.each([
  ["crm", [secret]],
  ["replaced", [nextSecret, secret]],
])("an event is signed by each secret of its name: %s", async (secret_name, secrets) => {
  const { url, requests } = await startVendor({ status: 204, body: "" });
  const before = Math.floor(Date.now() / 1_000);
  expect(await send({ url: `${url}/hook?tenant=1`, secret_name })).toBeUndefined();
  expect(requests).toMatchObject([{ method: "POST", path: "/hook?tenant=1", body: event.payload }]);
  const headers = requests[0]?.headers ?? {};
  const timestamp = String(headers["webhook-timestamp"]);
  expect(headers["content-type"]).toBe("application/json");
  expect(headers["webhook-id"]).toBe(event.event_id);
  expect(Number(timestamp)).toBeGreaterThanOrEqual(before);
  expect(Number(timestamp)).toBeLessThanOrEqual(Date.now() / 1_000);
  expect(String(headers["webhook-signature"]).split(" ")).toEqual(
    secrets.map((one) => signatureOf(one, event.event_id, timestamp, event.payload)),
  );
});

test.each([199 + 1, 201, 204, 299])("the status %i takes an event", async (status) => {
  const { url } = await startVendor({ status, body: "" });
  expect(await send({ url })).toBeUndefined();
});

test.each([304, 400, 401, 404, 410, 429, 500, 503])(
  "the status %i does not, and nothing of the answer is told",
  async (status) => {
    const { url } = await startVendor({ status, body: "a secret of theirs" });
    expect(await send({ url })).toBe(`HTTP ${status}`);
  },
);

test.each([301, 302, 303, 307, 308])("a redirect by %i is not followed", async (status) => {
  const inside = await startVendor({ status: 200, body: "" });
  const { url, requests } = await startVendor({ status, headers: { location: inside.url }, body: "" });
  expect(await send({ url })).toBe(`HTTP ${status}`);
  expect(requests).toHaveLength(1);
  expect(inside.requests).toEqual([]);
});

test("a target that never answers fails after the time of an attempt", async () => {
  const { url } = await startVendor(undefined);
  expect(await send({ url }, development, { timeoutMs: 100 })).toBe("TimeoutError");
});

test("a target that never ends its answer's headers fails after the time of an attempt", async () => {
  const url = await listen(
    createServer((request) => {
      request.socket.write("HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
    }),
  );
  expect(await send({ url }, development, { timeoutMs: 100 })).toBe("TimeoutError");
});

test("an answer of 10 MB is not read: its connection ends, and the status counts", async () => {
  let written = 0;
  const closed = Promise.withResolvers<undefined>();
  const url = await listen(
    createServer((_request, response) => {
      response.on("close", () => closed.resolve(undefined));
      response.writeHead(200);
      const chunk = Buffer.alloc(10_000, "x");
      const writeMore = () => {
        while (written < 10_000_000) {
          written += chunk.length;
          if (!response.write(chunk)) return void response.once("drain", writeMore);
        }
      };
      writeMore();
    }),
  );
  expect(await send({ url })).toBeUndefined();
  await closed.promise;
  expect(written).toBeLessThan(10_000_000);
});

test("an answer that never ends is dropped, and the status counts", async () => {
  const closed = Promise.withResolvers<undefined>();
  const url = await listen(
    createServer((_request, response) => {
      response.on("close", () => closed.resolve(undefined));
      response.writeHead(200).write("x");
    }),
  );
  expect(await send({ url })).toBeUndefined();
  await closed.promise;
});

test("a certificate that nobody vouches for, one of another name and no TLS at all end the attempt", async () => {
  const unknown = await startTlsTarget("127.0.0.1");
  expect(await send({ url: unknown.url })).toBe("DEPTH_ZERO_SELF_SIGNED_CERT");
  const other = await startTlsTarget("192.0.2.1");
  const before = getCACertificates("default");
  onTestFinished(() => setDefaultCACertificates(before));
  setDefaultCACertificates([unknown.certificate, other.certificate]);
  expect(await send({ url: other.url })).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
  expect(await send({ url: unknown.url }), "with a certificate that somebody vouches for").toBeUndefined();
  const plain = await startVendor({ status: 200, body: "" });
  expect(await send({ url: plain.url.replace("http:", "https:") })).toMatch(/^ERR_SSL_/);
  expect([unknown.received(), other.received(), plain.requests.length]).toEqual([1, 0, 0]);
});

test("an attempt ends when the worker stops", async () => {
  const { url } = await startVendor(undefined);
  const stopping = new AbortController();
  const sending = createEventSender(development).send({ ...event, url }, stopping.signal);
  setImmediate(() => stopping.abort());
  expect(await sending).toBe("AbortError");
});

test.each([
  ["http://hooks.example/", "url is not https, which production requires"],
  ["https://evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example.evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example@evil.example/", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["https://hooks.example./", "the host of url is not in EVENT_HTTP_HOSTS"],
  ["hooks.example", "url is not a URL"],
])("in production %s is not reached", async (url, reason) => {
  expect(await send({ url }, production)).toBe(reason);
});

test("without its secret an event is not sent", async () => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  expect(await send({ url, secret_name: "unknown" })).toBe("secret_name is not in EVENT_SECRETS");
  expect(requests).toEqual([]);
});

test.each([
  "127.0.0.1",
  "0x7f.1",
  "2130706433",
  "localhost",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "169.254.169.254",
  "10.0.0.1",
])("%s is not reached, unless it is listed outside production", async (host) => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  const { port } = new URL(url);
  const unlisted = { ...development, EVENT_HTTP_HOSTS: [] };
  expect(await send({ url: `http://${host}:${port}/` }, unlisted)).toBe("PRIVATE_ADDRESS");
  const listed = { ...production, EVENT_HTTP_HOSTS: [new URL(`https://${host}`).hostname] };
  expect(await send({ url: `https://${host}:${port}/` }, listed)).toBe("PRIVATE_ADDRESS");
  expect(requests).toEqual([]);
});

test("a name is resolved once, and a private address among its addresses refuses it", async () => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  const { port } = new URL(url);
  let looked = 0;
  const resolve = () => {
    looked += 1;
    return Promise.resolve([
      { address: "93.184.215.14", family: 4 },
      { address: "127.0.0.1", family: 4 },
    ]);
  };
  expect(await send({ url: `https://hooks.example:${port}/` }, production, { resolve })).toBe("PRIVATE_ADDRESS");
  expect(looked).toBe(1);
  expect(requests).toEqual([]);
});

test("a name that does not resolve, and a port where nobody listens, are told by their codes", async () => {
  const resolve = () => Promise.reject(Object.assign(new Error("no such name"), { code: "ENOTFOUND" }));
  expect(await send({ url: "https://hooks.example/" }, production, { resolve })).toBe("ENOTFOUND");
  expect(await send({ url: "http://127.0.0.1:9/" })).toBe("ECONNREFUSED");
});

test("a name that hangs is looked up once, however many events wait for it", async () => {
  let looked = 0;
  const resolve = () => {
    looked += 1;
    return new Promise<never>(() => undefined);
  };
  const sender = createEventSender(production, { resolve, timeoutMs: 100 });
  const sends = Array.from({ length: 8 }, () =>
    sender.send({ ...event, url: "https://hooks.example/" }, new AbortController().signal),
  );
  expect(new Set(await Promise.all(sends))).toEqual(new Set(["TimeoutError"]));
  expect(looked).toBe(1);
});
