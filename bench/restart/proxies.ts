import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

export interface Proxy {
  name: "nginx" | "haproxy";
  /** Starts the proxy on `port` in front of the servers' ports, with its files in the folder. */
  start: (
    folder: string,
    port: number,
    servers: number[],
    probe: string,
  ) => Promise<{ stop: () => Promise<void> }>;
}

const isInstalled = (name: string) => spawnSync(name, ["-v"]).error === undefined;

const nginxConfiguration = (folder: string, port: number, servers: number[]) => `
daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((use) => `${use}_temp_path ${folder}/${use};`).join(" ")}
  upstream latchkey {
    ${servers.map((server) => `server 127.0.0.1:${server} max_fails=0;`).join(" ")}
    keepalive 32; keepalive_timeout 20s;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://latchkey; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_next_upstream error non_idempotent;
    }
  }
}
`;

const haproxyConfiguration = (port: number, servers: number[], probe: string) => `
global
  maxconn 1024
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 75s
  option redispatch
  http-reuse safe
listen latchkey
  bind 127.0.0.1:${port}
  option httpchk GET ${probe}
  ${servers.map((server) => `server s${server} 127.0.0.1:${server} check inter 200ms fall 2 rise 1`).join("\n  ")}
`;

/** Returns nginx and HAProxy, as far as they are installed. */
export function installedProxies(): Proxy[] {
  const start =
    (name: string, option: string, configuration: typeof nginxText): Proxy["start"] =>
    async (folder, port, servers, probe) => {
      const own = join(folder, name);
      mkdirSync(own, { recursive: true });
      const file = join(own, "configuration");
      writeFileSync(file, configuration(own, port, servers, probe));
      const child = spawn(name, [option, file], { stdio: "ignore" });
      const ended = once(child, "exit");
      while (!(await accepts(port))) await delay(20);
      return {
        async stop() {
          child.kill("SIGTERM");
          await ended;
        },
      };
    };
  const proxies: Proxy[] = [
    { name: "nginx", start: start("nginx", "-c", nginxText) },
    {
      name: "haproxy",
      start: start("haproxy", "-f", (_folder, ...rest) => haproxyConfiguration(...rest)),
    },
  ];
  return proxies.filter(({ name }) => isInstalled(name));
}

const nginxText = (folder: string, port: number, servers: number[], _probe: string) =>
  nginxConfiguration(folder, port, servers);

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve(true));
    socket.on("error", () => resolve(false)).on("connect", () => socket.destroy());
  });
}
