import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { chooseRunUser, freePort, runAs } from "../embedded/index.ts";
import { eventually } from "./eventually.ts";

const roles = ["latchkey_server", "latchkey_graphql"];

/**
 * Starts a PgBouncer in transaction mode in front of the test cluster, for `npm run test:pgbouncer`. It must be installed
 * (Debian: apt-get install pgbouncer). REST and GraphQL connect through it; LISTEN and the queue connect directly.
 * @param target URL of the cluster
 * @param home LATCHKEY_HOME, which holds the passwords of the login roles
 */
export async function startPgbouncer(
  target: string,
  home: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-pgbouncer-"));
  const user = chooseRunUser([]);
  const port = await freePort();
  const users = roles.map(
    (role) => `"${role}" "${readFileSync(join(home, "secrets", `${role}.password`), "utf8")}"`,
  );
  writeFileSync(join(folder, "users"), users.join("\n"));
  writeFileSync(
    join(folder, "pgbouncer.ini"),
    `[databases]
* = host=127.0.0.1 port=${new URL(target).port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, "users")}
pool_mode = transaction
max_client_conn = 500
default_pool_size = 20
logfile = ${join(folder, "log")}
`,
  );
  if (user)
    for (const path of [folder, join(folder, "users"), join(folder, "pgbouncer.ini")])
      chownSync(path, user.uid, user.gid);
  chmodSync(folder, 0o700);

  const child = spawn("pgbouncer", ["-q", join(folder, "pgbouncer.ini")], {
    stdio: "ignore",
    ...runAs(user),
  });
  const exited = once(child, "exit");
  const url = new URL(target);
  url.port = String(port);
  await eventually("PgBouncer accepts connections", async () => {
    const probe = new URL(url);
    probe.username = "latchkey_server";
    probe.password = readFileSync(join(home, "secrets", "latchkey_server.password"), "utf8");
    // Not the template: PgBouncer would keep the connection open, and PostgreSQL copies no database that is in use.
    probe.pathname = "/pgtap";
    const client = new pg.Client({ connectionString: probe.href });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  });
  return {
    url: url.href,
    async stop() {
      child.kill("SIGTERM");
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
