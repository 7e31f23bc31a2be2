import jwt from "jsonwebtoken";
import { expect, onTestFinished, vi } from "vitest";
import { optimizations, type Optimization } from "../../config/optimizations.ts";
import { eventually } from "../../testing/eventually.ts";
import { test as baseTest } from "../../testing/fixtures.ts";
import { askGraphql } from "../../testing/graphql/graphql_client.ts";
import { bearer, tokensOf } from "../../testing/service/rest_client.ts";

const test = baseTest.extend("serviceOptions", { scope: "file" }, () => ({ worker: false }));

/** The connection that only this optimization uses. */
const connectionOf: Partial<Record<Optimization, string>> = {
  batch: "latchkey server batch",
  authorize_pipeline: "latchkey server pipeline",
  read_pipeline: "latchkey graphql shared",
};
const statusChecks = 3;

// A pooler keeps the connections of a server that has stopped, and hides which one is used.
test
  .skipIf(Boolean(process.env.LATCHKEY_TEST_PGBOUNCER))
  .for<Optimization[][]>([[[]], ...optimizations.map((name) => [[name]]), [[...optimizations]]])(
  "with %j off, requests are answered, and only the other optimizations are in use",
  async ([off = []], { service, database }) => {
    const connections = async () =>
      (
        await database.query<{ name: string }>(
          `select distinct application_name as name from pg_stat_activity
           where datname = current_database() and application_name = any ($1) order by 1`,
          [Object.values(connectionOf)],
        )
      ).map(({ name }) => name);
    await eventually("those of the server before have ended", async () => (await connections()).length === 0);
    const server = await service.startAnotherServer({ OPTIMIZATIONS_OFF: off.join(",") });
    onTestFinished(() => server.stop());

    const { access_token } = tokensOf(await server.client.post("/auth/session/guest"));
    // Looked at after each step: they end when they have been idle.
    const seen = new Set(await connections());
    const verify = vi.spyOn(jwt, "verify");
    onTestFinished(() => verify.mockRestore());
    for (let index = 0; index < statusChecks; index++)
      expect((await server.client.get("/auth/session", bearer(access_token))).status).toBe(200);
    for (const name of await connections()) seen.add(name);
    expect(verify).toHaveBeenCalledTimes(off.includes("token_cache") ? statusChecks : 1);
    const ask = askGraphql(server.url, bearer(access_token));
    // The first one is planned; the shared connection runs those after it.
    for (let index = 0; index < 2; index++)
      expect((await ask("{ user_session { role } }")).data).toEqual({ user_session: [{ role: "guest" }] });

    for (const name of await connections()) seen.add(name);
    const inUse = optimizations.filter((name) => !off.includes(name));
    expect([...seen].sort()).toEqual(inUse.flatMap((name) => connectionOf[name] ?? []).sort());
  },
);
