import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { chooseRunUser, freePort, runAs } from "../../embedded/index.ts";
import { documentBlocks } from "../documents/document_blocks.ts";
import { eventually } from "../eventually.ts";

const roles = ["latchkey_server", "latchkey_graphql"];

/**
 * Starts a PgBouncer, as docs/installation.md configures it, in front of the test cluster, for `npm run test:pgbouncer`.
 * It must be installed (Debian: apt-get install pgbouncer). REST and GraphQL connect through it; LISTEN and the queue
 * connect directly.
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
  const users = roles.map((role) => `"${role}" "${readFileSync(join(home, "secrets", `${role}.password`), "utf8")}"`);
  writeFileSync(join(folder, "users"), users.join("\n"));
  const [documented = ""] = documentBlocks("docs/installation.md", "PgBouncer", "ini");
  const replacements: [RegExp, string][] = [
    [/^latchkey = .*$/m, `* = host=127.0.0.1 port=${new URL(target).port}`],
    [/^listen_addr = .*$/m, "listen_addr = 127.0.0.1"],
    [/^listen_port = .*$/m, `listen_port = ${port}`],
    [/^auth_file = .*$/m, `auth_file = ${join(folder, "users")}`],
  ];
  const configuration = replacements.reduce((text, [pattern, line]) => {
    if (!pattern.test(text)) throw new Error(`pgbouncer.ini of docs/installation.md has no line ${pattern}`);
    return text.replace(pattern, line);
  }, documented);
  writeFileSync(join(folder, "pgbouncer.ini"), `${configuration}logfile = ${join(folder, "log")}\n`);
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
    probe.pathname = "/postgres";
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
