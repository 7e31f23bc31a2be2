import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { freePort } from "../../embedded/index.ts";
import { documentBlocks } from "../documents/document_blocks.ts";
import { eventually } from "../eventually.ts";
import { temporaryFolder } from "../temporary_folder.ts";

interface Proxy {
  name: string;
  /** Adds to the document's configuration what the program also needs. */
  file: (configuration: string, folder: string) => string;
  options: string[];
}

export const proxies: Proxy[] = [
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

/**
 * Starts a proxy as docs/installation.md configures it, before two servers; it stops when the test ends.
 * @param edit changes the document's configuration
 * @returns its port
 */
export async function startReverseProxy(
  proxy: Proxy,
  servers: { url: string; graphqlUrl?: () => Promise<string> }[],
  edit = (configuration: string) => configuration,
): Promise<number> {
  const { name } = proxy;
  const [block = ""] = documentBlocks("docs/installation.md", "Proxies", name);
  const addressOf = (url: string) => `127.0.0.1:${new URL(url).port}`;
  const addresses = servers.map(({ url }) => addressOf(url));
  // A server without GraphQL of its own forwards to it.
  const graphqlUrls = await Promise.all(servers.map(async ({ url, graphqlUrl }) => (await graphqlUrl?.()) ?? url));
  const graphqlAddresses = graphqlUrls.map(addressOf);
  for (;;) {
    const port = await freePort();
    const configuration = edit(block)
      .replaceAll("10.0.0.11:3000", addresses[0]!)
      .replaceAll("10.0.0.12:3000", addresses[1]!)
      .replaceAll("10.0.0.11:3001", graphqlAddresses[0]!)
      .replaceAll("10.0.0.12:3001", graphqlAddresses[1]!)
      .replace(/(listen |bind :)8080/, (_all, before: string) =>
        before.startsWith("bind") ? `bind 127.0.0.1:${port}` : `listen 127.0.0.1:${port}`,
      );
    expect(configuration, "every placeholder is replaced").not.toMatch(/8080|10\.0\.0/);
    if (await serves(proxy, configuration, port)) return port;
  }
}

/** Starts the proxy and waits until it serves. Returns false if another process has taken its port. */
async function serves({ name, options, file }: Proxy, configuration: string, port: number): Promise<boolean> {
  const folder = temporaryFolder();
  const path = join(folder, "configuration");
  writeFileSync(path, `${file(configuration, folder)}\n`);
  const child = spawn(name, [...options, path]);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += String(chunk)));
  const ended = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await eventually(`${name} serves or ends`, async () => hasEnded() || (await reachesServer(port)));
  if (!hasEnded()) return true;
  await ended;
  if (/address already in use/i.test(output)) return false;
  throw new Error(`${name} has ended: ${output}`);
}

/**
 * Whether a request to the port arrives at a server of this process. Another process that has the port also answers.
 */
async function reachesServer(port: number): Promise<boolean> {
  const id = randomUUID();
  let isReached = false;
  const notice = (message: unknown) => {
    const { request } = message as { request: IncomingMessage };
    isReached ||= request.headers["x-request-id"] === id;
  };
  subscribe("http.server.request.start", notice);
  try {
    const { ok } = await fetch(`http://127.0.0.1:${port}/live`, { headers: { "x-request-id": id } });
    return ok && isReached;
  } catch {
    return false;
  } finally {
    unsubscribe("http.server.request.start", notice);
  }
}
