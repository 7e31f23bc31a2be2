import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import WebSocket from "ws";
import { freePort } from "../embedded/index.ts";
import { tokensOf } from "../testing/client.ts";
import { documentBlocks } from "../testing/document_blocks.ts";
import { eventually } from "../testing/eventually.ts";
import { startService, type Service } from "../testing/service.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

interface Proxy {
  name: string;
  /** The document's configuration in what else the program needs. */
  file: (configuration: string, folder: string) => string;
  options: string[];
}

const proxies: Proxy[] = [
  {
    name: "nginx",
    options: ["-c"],
    file: (configuration, folder) => `
      daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((use) => `${use}_temp_path ${folder}/${use};`).join(" ")}
        ${configuration}
      }`,
  },
  { name: "haproxy", options: ["-f"], file: (configuration) => configuration },
];
const installed = proxies.filter(({ name }) => spawnSync(name, ["-v"]).error === undefined);

let service: Service;
let servers: { url: string; stop: () => Promise<void> }[];
beforeAll(async () => {
  service = await startService();
  const env = { TRUST_PROXY: "127.0.0.1" };
  servers = [await service.startAnotherServer(env), await service.startAnotherServer(env)];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await service.stop();
});

/** Starts a proxy as docs/operations.md configures it, before our two servers; its port. */
async function startProxy({ name, options, file }: Proxy): Promise<number> {
  const port = await freePort();
  const [block = ""] = documentBlocks("docs/operations.md", "Proxies", name);
  const addresses = servers.map(({ url }) => `127.0.0.1:${new URL(url).port}`);
  const configuration = block
    .replaceAll("10.0.0.11:3000", addresses[0]!)
    .replaceAll("10.0.0.12:3000", addresses[1]!)
    .replace(/(listen |bind :)8080/, (_all, before: string) =>
      before.startsWith("bind") ? `bind 127.0.0.1:${port}` : `listen 127.0.0.1:${port}`,
    );
  expect(configuration, "the test has found what it replaces").not.toMatch(/8080|10\.0\.0/);
  const folder = temporaryFolder();
  const path = join(folder, "configuration");
  writeFileSync(path, `${file(configuration, folder)}\n`);
  const child = spawn(name, [...options, path]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  await eventually(`${name} serves: ${output}`, () => {
    if (child.exitCode !== null) throw new Error(`${name} has ended: ${output}`);
    return fetch(`http://127.0.0.1:${port}/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  });
  return port;
}

/** A login that fails, from a client at that address, with a header that claims another one. */
async function failLogin(port: number, localAddress: string): Promise<number | undefined> {
  const body = JSON.stringify({ phone: "+12125550100", password: "wrong" });
  const headers = { "content-type": "application/json", "x-forwarded-for": "203.0.113.9" };
  const sent = request({
    port,
    host: "127.0.0.1",
    localAddress,
    method: "POST",
    path: "/api/v1/auth/login",
    headers,
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [{ statusCode?: number; resume: () => void }];
  response.resume();
  return response.statusCode;
}

test.each(installed)(
  "behind $name as the document configures it, limits count the client and not what it claims to be",
  async (proxy) => {
    const port = await startProxy(proxy);
    await service.database.query("delete from platform.rate_limit");
    expect(await failLogin(port, "127.0.0.77")).toBe(401);
    const rows = await service.database.query<{ key: string }>(
      "select key from platform.rate_limit where key like 'LOGIN_FAILURES_PER_IP:%'",
    );
    expect(rows).toEqual([{ key: "LOGIN_FAILURES_PER_IP:127.0.0.77" }]);
  },
);

test.each(installed)("behind $name as the document configures it, subscriptions work", async (proxy) => {
  const port = await startProxy(proxy);
  const { access_token } = tokensOf(await service.client.post("/auth/session/guest"));
  const socket = new WebSocket(`ws://127.0.0.1:${port}/v1/graphql`, "graphql-transport-ws");
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  socket.send(
    JSON.stringify({ type: "connection_init", payload: { Authorization: `Bearer ${access_token}` } }),
  );
  const [message] = (await once(socket, "message")) as [Buffer];
  expect(JSON.parse(message.toString())).toMatchObject({ type: "connection_ack" });
});

test.each(installed)(
  "behind $name as the document configures it, one stopped server of two loses no request",
  async (proxy) => {
    const stopping = await service.startAnotherServer({ TRUST_PROXY: "127.0.0.1" });
    const both = servers;
    servers = [both[0]!, stopping];
    const port = await startProxy(proxy).finally(() => {
      servers = both;
    });
    await stopping.stop();
    for (let index = 0; index < 10; index++) {
      const guest = await fetch(`http://127.0.0.1:${port}/api/v1/auth/session/guest`, { method: "POST" });
      expect(guest.status).toBe(200);
      await guest.text();
    }
  },
);
