import { onTestFinished } from "vitest";
import type { Environment } from "../../config/environment.ts";
import { startThrowaway } from "../../embedded/index.ts";
import { startNewCluster } from "./new_cluster.ts";
import { createLog } from "../../runtime/log.ts";
import { checkAnswersOf } from "../service/answer_checks.ts";
import { createRestClient, type Client } from "../service/rest_client.ts";
import { documentBlocks } from "../documents/document_blocks.ts";
import { secrets } from "../service/environments.ts";
import { runRecipe } from "../documents/run_recipe.ts";
import { startServerWithGraphql } from "../service/server_with_graphql.ts";
import { temporaryFolder } from "../temporary_folder.ts";

/** A PostgreSQL of one test, in which Latchkey is installed as docs/installation.md says. */
export interface Cluster {
  superuserUrl: string;
  /** The variables with which psql and similar programs log in as superuser. */
  asSuperuser: Environment;
  /** The environment of every process of the installation. */
  env: Environment;
}

/** A recipe of a guide in docs/: the shell block of that index below a heading. */
export function recipe(guide: "backup" | "installation" | "operations" | "repair", heading: string, index = 0): string {
  const block = documentBlocks(`docs/${guide}.md`, heading, "sh")[index];
  if (block === undefined) throw new Error(`${heading} of docs/${guide}.md has no block ${index}`);
  return block;
}

/** A new cluster that ends with the test, with these settings, and the programs in that folder first in PATH. */
export async function newCluster(binDirectory?: string, settings: Record<string, string> = {}): Promise<Cluster> {
  const postgres = await (binDirectory === undefined
    ? startNewCluster(settings)
    : startThrowaway({ binDirectory, settings }));
  onTestFinished(() => postgres.stop());
  const { superuserUrl, port } = postgres;
  const { username, password } = new URL(superuserUrl);
  const url = (role: string) => `postgres://${role}:of-${role}@127.0.0.1:${port}/latchkey`;
  return {
    superuserUrl,
    asSuperuser: {
      PGHOST: "127.0.0.1",
      PGPORT: String(port),
      PGUSER: username,
      PGPASSWORD: decodeURIComponent(password),
      PATH: [binDirectory, process.env.PATH].filter(Boolean).join(":"),
    },
    env: {
      NODE_ENV: "test",
      LATCHKEY_HOME: temporaryFolder(),
      LOG_LEVEL: "silent",
      ...secrets,
      DATABASE_URL: url("latchkey_migrator"),
      SERVER_DATABASE_URL: url("latchkey_server"),
      GRAPHQL_DATABASE_URL: url("latchkey_graphql"),
      WORKER_DATABASE_URL: url("latchkey_worker"),
    },
  };
}

/** Runs the superuser's part, which prompts twice for the migrator's password. */
export const prepareDatabase = ({ asSuperuser }: Cluster) =>
  runRecipe(
    recipe("installation", "On your own PostgreSQL"),
    asSuperuser,
    "of-latchkey_migrator\nof-latchkey_migrator\n",
  );

export async function install(cluster: Cluster): Promise<void> {
  await prepareDatabase(cluster);
  await runRecipe("npm run db:migrate", cluster.env);
}

export const startServerIn = ({ env }: Cluster, changed: Environment = {}) =>
  startServerWithGraphql({ ...env, PORT: "0", HOST: "127.0.0.1", ...changed }, createLog("test", "silent"));

export async function withServer<T>(cluster: Cluster, work: (client: Client) => Promise<T>): Promise<T> {
  const server = await startServerIn(cluster);
  const failIfAnswersDiffered = checkAnswersOf(server.url);
  const result = await work(createRestClient(server.url)).finally(() => server.stop());
  failIfAnswersDiffered();
  return result;
}
