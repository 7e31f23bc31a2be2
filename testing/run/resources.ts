import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBrowser } from "./browser_resource.ts";
import { createEmptyHome, createInstalledHome } from "./cluster_homes.ts";
import { createPgtapDatabases } from "./pgtap_databases.ts";
import { startTestCluster, type TestCluster } from "./test_cluster.ts";

/** What all files of a run share. */
export interface SharedResources {
  /** The folder of a cluster that does not run, which tests copy instead of creating one. */
  emptyHome: string;
  /** The same with the database "latchkey" and its secrets, instead of migrating one. */
  installedHome: string;
  /** The cluster in which most files have a database of their own. */
  cluster: TestCluster;
  /** URLs of databases with pgTAP in that cluster; none where pgTAP is not available. */
  pgtapDatabases: string[];
  /** Address at which files connect to one Chromium. */
  browser: string;
}

/** Starts each resource when it is first asked for. */
export function createSharedResources() {
  const stops: (() => Promise<void> | void)[] = [];
  const started = new Map<string, Promise<unknown>>();
  const start: { [Name in keyof SharedResources]: () => Promise<SharedResources[Name]> } = {
    emptyHome: () => newHome(createEmptyHome),
    installedHome: () => newHome(async (home) => createInstalledHome(home, await get("emptyHome"))),
    async cluster() {
      const { cluster, stop } = await startTestCluster();
      stops.push(stop);
      return cluster;
    },
    pgtapDatabases: async () => createPgtapDatabases(await get("cluster")),
    async browser() {
      const server = await startBrowser();
      stops.push(() => server.close());
      return server.wsEndpoint();
    },
  };
  function get<Name extends keyof SharedResources>(name: Name): Promise<SharedResources[Name]> {
    const resource = (started.get(name) as Promise<SharedResources[Name]> | undefined) ?? start[name]();
    started.set(name, resource);
    return resource;
  }
  async function newHome(fill: (home: string) => Promise<void>): Promise<string> {
    const folder = mkdtempSync(join(tmpdir(), "latchkey-home-"));
    stops.push(() => rmSync(folder, { recursive: true, force: true }));
    // PostgreSQL's user must be able to enter it.
    chmodSync(folder, 0o711);
    const home = join(folder, "home");
    mkdirSync(home);
    chmodSync(home, 0o711);
    await fill(home);
    return home;
  }
  return {
    async get(name: string): Promise<unknown> {
      if (!(name in start)) throw new Error(`nothing is shared as ${name}`);
      return get(name as keyof SharedResources);
    },
    async stop(): Promise<void> {
      // What is starting would be left running otherwise.
      await Promise.allSettled(started.values());
      for (const stop of stops.reverse()) await stop();
    },
  };
}
