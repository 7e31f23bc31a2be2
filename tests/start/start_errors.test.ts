import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Environment } from "../../config/environment.ts";
import { tokensOf } from "../../testing/service/rest_client.ts";
import { secrets, urls } from "../../testing/service/environments.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import {
  installedHome,
  newHome,
  postmasters,
  start,
  startAndListen,
  startError,
  withoutGraphql,
} from "../../testing/service/npm_start.ts";

const everySecret = { ...secrets, ...urls, DATABASE_URL: "" };

test("a port in use is an error of one sentence", async () => {
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  onTestFinished(() => void otherServer.close());
  const { port } = otherServer.address() as AddressInfo;
  expect(await startError(await installedHome(), { PORT: String(port) })).toBe(
    `Port ${port} is in use: set PORT to another one.\n`,
  );
});

test.each(["ADMIN_SECRET", "latchkey_migrator.password", "latchkey_server.password"])(
  "an unreadable secret %s is an error of one sentence",
  async (name) => {
    const home = await installedHome();
    rmSync(join(home, "secrets", name), { force: true });
    mkdirSync(join(home, "secrets", name));
    expect(await startError(home)).toMatch(new RegExp(`^Cannot store a secret in ${home}: EISDIR.*\\n$`));
  },
);

test.each(["a file", "below a file", "/proc/latchkey"])(
  "a LATCHKEY_HOME that is %s is an error of one sentence that names it",
  async (what) => {
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    const home = { "a file": file, "below a file": join(file, "home") }[what] ?? what;
    const errorOf = async (env: Environment) => {
      const { output, ended } = start(home, env);
      expect(await ended).toEqual([1, null]);
      return output.err;
    };
    expect(await errorOf({})).toMatch(
      new RegExp(`^Cannot store a secret in ${home}: .*\\. Set LATCHKEY_HOME to a folder .*\\n$`),
    );
    // Nothing is stored where every secret is given; PostgreSQL's data are.
    expect(await errorOf(everySecret)).toMatch(
      new RegExp(`^The folder ${home} cannot be created or written to \\(\\w+\\)\\.\\n$`),
    );
  },
);

test("an invalid setting is an error of one sentence, and the next start without it works", async () => {
  const home = await installedHome();
  expect(await startError(home, { OTP_LENGTH: "0" })).toMatch(/^OTP_LENGTH: .*\n$/);
  const started = await startAndListen(home, withoutGraphql);
  expect(await started.end("SIGINT")).toEqual([0, null]);
});

test("a second start in the same home is an error of one sentence, and the first continues", async () => {
  const home = await installedHome();
  const first = await startAndListen(home, withoutGraphql);
  const second = start(home, withoutGraphql);
  expect(await second.ended).toEqual([1, null]);
  expect(second.output.err).toBe(`Latchkey is already running from ${home}\n`);
  expect((await first.client.get("/health")).status).toBe(200);
  await first.end("SIGINT");
});

test("when its PostgreSQL is killed it ends with one sentence, and the next start has what was committed", async () => {
  const home = await installedHome();
  const first = await startAndListen(home, withoutGraphql);
  const guest = tokensOf(await first.client.post("/auth/session/guest"));
  const [postmaster] = postmasters(home);
  process.kill(postmaster!, "SIGKILL");
  expect(await first.ended).toEqual([1, null]);
  expect(first.output.err).toMatch(
    /^PostgreSQL has ended unexpectedly, .*server\.log, then run npm start again\..*\n$/,
  );

  const next = await startAndListen(home, withoutGraphql);
  expect((await next.client.refresh(guest.refresh_token)).status).toBe(200);
  expect(await next.end("SIGTERM")).toEqual([0, null]);
});

test("production without DATABASE_URL is an error of one sentence, and nothing is created", async () => {
  const home = newHome();
  expect(await startError(home, { NODE_ENV: "production" })).toBe(
    "DATABASE_URL is not set: with NODE_ENV=production npm start runs no embedded PostgreSQL.\n",
  );
  expect(existsSync(home)).toBe(false);
});
