import "./graphile_env.ts";
import { describe, expect } from "vitest";
import { test as baseTest } from "../../testing/graphql/graphql_pool.ts";
import { execute } from "postgraphile/grafast";
import { parse } from "postgraphile/graphql";
import { audiences, type Audience } from "../authorization/caller.ts";
import { createAudienceSchema, type AudienceSchema } from "./preset.ts";

interface Statement {
  text: string;
  values: unknown[];
}

const test = baseTest
  .extend("schemas", { scope: "file" }, async ({ pool }) => {
    const schemas = {} as Record<Audience, AudienceSchema>;
    for (const audience of Object.keys(audiences) as Audience[])
      schemas[audience] = await createAudienceSchema(pool, audience);
    return schemas;
  })
  /** Returns the SQL statement of a query for sessions. */
  .extend("statementOf", ({ schemas }) => async (audience: Audience, where: object): Promise<Statement> => {
    const statements: Statement[] = [];
    const client = {
      query: (statement: Statement) => {
        statements.push(statement);
        return Promise.resolve({ rows: [] });
      },
    };
    await execute({
      ...schemas[audience],
      document: parse("query ($w: user_session_bool_exp) { user_session(where: $w) { id } }"),
      variableValues: { w: where },
      contextValue: {
        pgSettings: {},
        withPgClient: (_: unknown, callback: (pgClient: typeof client) => unknown) => callback(client),
      },
    });
    return statements[0]!;
  })
  /** Returns PostgreSQL's plan of the statement, for a role. */
  .extend("planOf", ({ pool }) => async (role: string, { text, values }: Statement): Promise<string> => {
    const client = await pool.connect();
    try {
      await client.query(`begin; set local role ${role}`);
      const { rows } = await client.query<{ "QUERY PLAN": string }>(`explain (costs off) ${text}`, values);
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    } finally {
      await client.query("rollback");
      client.release();
    }
  });

const many = { _and: Array.from({ length: 10 }, () => ({ user: { sessions: {} } })) };

describe("a condition through a relation", () => {
  test.for(["latchkey_guest", "latchkey_user"])(
    "is never a join in a plan of %s",
    async (role, { planOf, statementOf }) => {
      const plan = await planOf(role, await statementOf("user", many));
      expect(plan).toMatch(/hashed SubPlan/);
      expect(plan).not.toMatch(/Join|Nested Loop/);
    },
  );

  test("is a subplan that runs once for the statement, however deep it is nested", async ({ planOf, statementOf }) => {
    const deep = { user: { sessions: { user: { sessions: { id: { _is_null: true } } } } } };
    const plan = await planOf("latchkey_user", await statementOf("user", deep));
    expect(plan.match(/hashed SubPlan/g)).toHaveLength(4);
    expect(plan.replaceAll(/hashed SubPlan \d/g, "")).not.toMatch(/\(SubPlan/);
  });

  test("is a join in a plan of the admin, so that an index finds the account in a large table", async ({
    database,
    planOf,
    statementOf,
  }) => {
    await database.query(
      `insert into "user".account (id, phone, phone_verified_at) select gen_random_uuid(), '+1212' || 5000000 + i, now() from generate_series(1, 2000) i`,
    );
    await database.query(`insert into "user".session (user_id) select id from "user".account`);
    await database.query("analyze");
    const where = { user: { phone: { _eq: "+12125000001" } } };
    const plan = await planOf("latchkey_admin", await statementOf("admin", where));
    expect(plan).toMatch(/Nested Loop/);
    expect(plan).toMatch(/Index.* on account/);
    expect(plan).not.toMatch(/Seq Scan|SubPlan/);
  });
});

describe("_in and _nin", () => {
  const ids = (count: number) =>
    Array.from({ length: count }, (_, index) => `00000000-0000-7000-8000-${String(index).padStart(12, "0")}`);

  test.for(["_in", "_nin"])(
    "%s binds one parameter: the statement's text does not depend on the list",
    async (name, { statementOf }) => {
      const [short, long] = [
        await statementOf("user", { id: { [name]: ids(2) } }),
        await statementOf("user", { id: { [name]: ids(1000) } }),
      ];
      expect(long.text).toBe(short.text);
      expect(long.values).toHaveLength(short.values.length);
      expect(long.text.length).toBeLessThan(300);
    },
  );
});
