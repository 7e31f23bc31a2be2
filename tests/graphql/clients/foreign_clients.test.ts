import { expect } from "vitest";
import { graphqlConfig } from "../../../config/config.ts";
import { isForeignMissing, runForeign } from "../../../testing/foreign/run_foreign.ts";
import { test as applicationTest } from "../../../testing/graphql/application_schema.ts";

/** Clients of others, unmodified, and how many calls each program makes (testing/foreign/). */
const clients = [
  { program: "refine.js", calls: 35, as: "admin" },
  { program: "react_admin.js", calls: 20, as: "admin" },
  { program: "apollo.js", calls: 10, as: "user" },
  { program: "urql.js", calls: 5, as: "user" },
  { program: "graphql_request.js", calls: 5, as: "user" },
] as const;

const test = applicationTest.extend("environmentOf", ({ service, database, user }) => async (as: "admin" | "user") => {
  const admin = { "x-hasura-admin-secret": graphqlConfig(database.env).ADMIN_SECRET! };
  const headers = as === "admin" ? admin : user.headers;
  await database.query("delete from public.notebook");
  const [notebook] = await database.query<{ id: string }>(
    "insert into public.notebook (user_id, title) values ($1, 'of clients') returning id",
    [user.userId],
  );
  return { LATCHKEY_TEST: JSON.stringify({ url: `${service.url}/v1/graphql`, headers, notebook: notebook?.id }) };
});

test.skipIf(isForeignMissing())(
  "graphql-codegen generates the client preset by introspection",
  async ({ environmentOf }) => {
    await runForeign(process.execPath, ["codegen.js"], { env: await environmentOf("admin") });
  },
);

test.skipIf(isForeignMissing()).for(clients)(
  "$program: each of its calls works, as $as",
  async ({ program, calls, as }, { environmentOf }) => {
    const lines = await runForeign(process.execPath, [program], { env: await environmentOf(as) });
    const steps = lines.map((line) => JSON.parse(line) as { step: string; error?: string });
    expect(steps.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(steps).toHaveLength(calls);
  },
);
