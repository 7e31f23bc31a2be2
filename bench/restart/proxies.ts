import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { documentBlocks } from "../../testing/documents/document_blocks.ts";

/** What each proxy needs around the configuration of docs/installation.md. */
const programs = {
  nginx: {
    option: "-c",
    wrap: (configuration: string, folder: string) => `
      daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/log;
      events {}
      http {
        access_log off;
        ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((use) => `${use}_temp_path ${folder}/${use};`).join(" ")}
        ${configuration}
      }`,
  },
  haproxy: { option: "-f", wrap: (configuration: string) => configuration },
};
export type ProxyName = keyof typeof programs;

/** nginx and HAProxy, as far as they are installed. */
export const installedProxies = (Object.keys(programs) as ProxyName[]).filter(
  (name) => spawnSync(name, ["-v"]).error === undefined,
);

/** Starts a proxy on `port`, as docs/installation.md configures it, before two servers. */
export async function startProxy(name: ProxyName, port: number, servers: number[]) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-proxy-"));
  const file = join(folder, "configuration");
  const [block = ""] = documentBlocks("docs/installation.md", "Proxies", name);
  const configuration = block
    .replaceAll("10.0.0.11:3000", `127.0.0.1:${servers[0]}`)
    .replaceAll("10.0.0.12:3000", `127.0.0.1:${servers[1]}`)
    .replace("listen 8080", `listen 127.0.0.1:${port}`)
    .replace("bind :8080", `bind 127.0.0.1:${port}`);
  writeFileSync(file, `${programs[name].wrap(configuration, folder)}\n`);
  const child = spawn(name, [programs[name].option, file], { stdio: "ignore" });
  const ended = once(child, "exit");
  const serves = () =>
    fetch(`http://127.0.0.1:${port}/live`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await serves())) {
    if (child.exitCode !== null) throw new Error(`${name} has ended: see ${file}`);
    await delay(20);
  }
  return {
    async stop() {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
