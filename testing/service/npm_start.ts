import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { childEnvironment } from "../child_environment.ts";
import type { Environment } from "../../config/environment.ts";
import { copyHome, isAlive, readPostmasterFile, subfolders } from "../../embedded/index.ts";
import { shared } from "../run/shared.ts";
import { checkAgainstDocument } from "./openapi.ts";
import { createRestClient, type Client } from "./rest_client.ts";
import { eventually } from "../eventually.ts";

export const postmasters = (home: string): number[] =>
  subfolders(home, "postgres-").flatMap((folder) => readPostmasterFile(join(folder, "data"))?.pid ?? []);

/** Returns a home that PostgreSQL's user can reach. When the test ends, servers that run in it are stopped. */
export function newHome(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "latchkey-start-"));
  chmodSync(folder, 0o711);
  const home = join(folder, "home");
  onTestFinished(async () => {
    for (const pid of postmasters(home).filter(isAlive)) {
      process.kill(pid, "SIGQUIT");
      await eventually("the test's PostgreSQL ends", () => !isAlive(pid));
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return home;
}

/** The same, in which npm start has run before. */
export async function installedHome(): Promise<string> {
  const home = newHome();
  mkdirSync(home);
  chmodSync(home, 0o711);
  await copyHome(await shared("installedHome"), home);
  return home;
}

/** For starts that have nothing to do with GraphQL: a child process that creates two schemas. */
export const withoutGraphql = { GRAPHQL_UPSTREAM: "off" };

export interface StartedProcess {
  child: ChildProcess;
  output: { out: string; err: string };
  /** Sends a signal and resolves with the exit code and the signal that the process ended with. */
  end: (signal: NodeJS.Signals) => Promise<unknown[]>;
  ended: Promise<unknown[]>;
}

/** Runs npm start, or another program, as a child process. */
export function start(home: string, extraEnv: Environment = {}, program = "start.ts"): StartedProcess {
  const env = { ...childEnvironment(), LATCHKEY_HOME: home, PORT: "0", HOST: "127.0.0.1", ...extraEnv };
  const longShutdown = join(import.meta.dirname, "long_shutdown.ts");
  const child = spawn(process.execPath, ["--import", longShutdown, join(import.meta.dirname, "..", "..", program)], {
    env,
    cwd: "/",
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const output = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => (output.out += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output.err += chunk.toString()));
  const ended = once(child, "close").then(() => [child.exitCode, child.signalCode]);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { child, output, ended, end };
}

/** Runs npm start and waits until it listens. */
export async function startAndListen(
  home: string,
  extraEnv: Environment = {},
): Promise<StartedProcess & { client: Client }> {
  const started = start(home, extraEnv);
  const { child, output } = started;
  await eventually("npm start listens or exits", () => child.exitCode !== null || output.out.includes("Ctrl-C"));
  const url = /^Latchkey is listening on (\S+)$/m.exec(output.out)?.[1];
  if (url === undefined) throw new Error(`npm start exited: ${output.err}`);
  return {
    ...started,
    client: createRestClient(url.replace("localhost", "127.0.0.1"), checkAgainstDocument),
  };
}

/** Runs npm start, which must fail, and returns its error message. No PostgreSQL may be left running. */
export async function startError(home: string, extraEnv: Environment = {}): Promise<string> {
  const { output, ended } = start(home, extraEnv);
  expect(await ended).toEqual([1, null]);
  expect(postmasters(home).filter(isAlive)).toEqual([]);
  expect(output.out).toBe("");
  return output.err;
}
