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
import { createEventSender } from "./event_sender.ts";
import { development, event, nextSecret, secret, send } from "./fixtures/sender_fixtures.ts";

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

test("without its secret an event is not sent", async () => {
  const { url, requests } = await startVendor({ status: 200, body: "" });
  expect(await send({ url, secret_name: "unknown" })).toBe("secret_name is not in EVENT_SECRETS");
  expect(requests).toEqual([]);
});
