import { expect, onTestFinished, test } from "vitest";
import { graphqlConfig, workerConfig } from "../config/config.ts";
import type { Environment } from "../config/environment.ts";
import { createLog } from "../runtime/log.ts";
import { eventually } from "../testing/eventually.ts";
import { install, newCluster, recipe, startServerIn } from "../testing/postgres/installation.ts";
import { isMissing } from "../testing/installed_programs.ts";
import { createRestClient } from "../testing/service/rest_client.ts";
import { query } from "../testing/postgres/role_cluster.ts";
import { runRecipe } from "../testing/documents/run_recipe.ts";
import { startWorker } from "../worker/worker.ts";

const addresses = ["SERVER_DATABASE_URL", "GRAPHQL_DATABASE_URL", "WORKER_DATABASE_URL"] as const;

/** The environment after step 1 of the document: the other role of each pair, with a new password. */
function rotated(env: Environment): Environment {
  const changed = addresses.map((name) => {
    const url = new URL(env[name]!);
    url.username = url.username.endsWith("_b") ? url.username.slice(0, -2) : `${url.username}_b`;
    url.password = `new-${url.password}`;
    return [name, url.href];
  });
  return { ...env, ...(Object.fromEntries(changed) as Environment) };
}

type Server = Awaited<ReturnType<typeof startServerIn>>;

/** A load balancer goes on using them. Not part of the load: a database that takes a second to answer is unready. */
async function expectReady(servers: Server[]): Promise<void> {
  for (const { url } of servers)
    await eventually("a server is ready", async () => (await fetch(`${url}/api/v1/health`)).ok);
}

/** Requests to servers in turn, as a load balancer passes them on: REST writes and reads, and GraphQL. */
function startLoad(servers: Server[], adminSecret: string) {
  const answers: string[] = [];
  const lanes: Promise<void>[] = [];
  let isStopped = false;
  const graphql = {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-secret": adminSecret },
    body: JSON.stringify({ query: "{ user_session(limit: 1) { id } }" }),
  };
  const requests: [string, RequestInit][] = [
    ["/api/v1/auth/session/guest", { method: "POST" }],
    ["/v1/graphql", graphql],
  ];
  const lane = async () => {
    for (let index = 0; !isStopped; index++) {
      const [path, init] = requests[index % requests.length]!;
      const { url } = servers[index % servers.length]!;
      const answer = await fetch(url + path, init).then(
        async (response) => response.text().then(() => `${path} ${response.status}`),
        (error: unknown) => String(error),
      );
      answers.push(answer);
    }
  };
  return {
    answers,
    /** More requests at once need more connections. */
    widen: (count: number) => lanes.push(...Array.from({ length: count }, lane)),
    more: (count: number) => {
      const target = answers.length + count;
      return eventually(`${count} more responses`, () => answers.length >= target);
    },
    stop: async () => {
      isStopped = true;
      await Promise.all(lanes);
    },
  };
}

test.skipIf(isMissing("psql"))(
  "passwords of the roles rotate as the document says, under load and without an answer of 5xx",
  async () => {
    const cluster = await newCluster(process.env.LATCHKEY_POSTGRES_BIN);
    await install(cluster);
    const env = rotated(cluster.env);
    const servers = [await startServerIn(cluster), await startServerIn(cluster)];
    onTestFinished(async () => {
      await Promise.all(servers.map((server) => server.stop()));
    });
    const load = startLoad(servers, graphqlConfig(cluster.env).ADMIN_SECRET!);
    onTestFinished(load.stop);
    load.widen(1);
    await load.more(20);

    await runRecipe("npm run db:migrate", env);
    // The pools of the servers that still have the old addresses grow.
    load.widen(12);
    await load.more(100);
    for (const index of [0, 1]) {
      const [old] = servers.splice(index, 1, await startServerIn({ ...cluster, env }));
      await old?.stop();
      await load.more(50);
      await expectReady(servers);
    }
    await runRecipe(recipe("operations", "Passwords of the database roles"), {
      ...cluster.asSuperuser,
      DATABASE_URL: cluster.env.DATABASE_URL,
    });
    load.widen(12);
    await load.more(100);
    await load.stop();
    expect([...new Set(load.answers)].toSorted()).toEqual(["/api/v1/auth/session/guest 200", "/v1/graphql 200"]);
    await expectReady(servers);

    for (const name of addresses) {
      const [session] = await query(
        env[name]!,
        "select current_user, session_user, current_setting('statement_timeout') as timeout",
      );
      const first = new URL(cluster.env[name]!).username;
      expect(session).toEqual({ current_user: first, session_user: `${first}_b`, timeout: "10s" });
      await expect(query(cluster.env[name]!, "select 1")).rejects.toMatchObject({ code: "28P01" });
    }

    await expect(
      query(env.SERVER_DATABASE_URL!, "set role none; select startup.installed_migration()"),
      "the second role has no rights of its own",
    ).rejects.toMatchObject({ code: "42501" });

    await runRecipe("npm run db:migrate", {
      ...env,
      OTP_PROVIDER: '{"providerToUse": "console", "template": "{{code}}"}',
    });
    const worker = await startWorker(workerConfig(env), createLog("test", "silent"));
    onTestFinished(() => worker.stop());
    const sent = await createRestClient(servers[0]!.url).sendOtp("+12125550100");
    expect(sent.status, "the worker runs the queue by its second role").toBe(200);

    await expect(
      runRecipe("npm run db:migrate", { ...cluster.env }),
      "the old addresses would bring the old passwords back",
    ).rejects.toThrow("A rotation of the passwords has retired latchkey_server (SERVER_DATABASE_URL), ");
    const back = rotated(env);
    await runRecipe(recipe("operations", "Passwords of the database roles", 1), {
      ...cluster.asSuperuser,
      DATABASE_URL: cluster.env.DATABASE_URL,
    });
    expect(await runRecipe("npm run --silent db:migrate", back)).toContain("password set: latchkey_server\n");
    expect(await query(back.SERVER_DATABASE_URL!, "select session_user")).toEqual([
      { session_user: "latchkey_server" },
    ]);
    expect(await runRecipe("npm run --silent db:migrate", back)).toBe(
      "Nothing to change: the database has this version.\n",
    );
  },
);
