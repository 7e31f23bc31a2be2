import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/application_schema.ts";

/** A function, and a trigger, that refuse with a message about somebody else's row. */
const test = baseTest.extend("serviceOptions", { scope: "file" }, async ({ applicationTables: _, database }) => {
  await database.query(`
    create function public.refuse(state text) returns public.notebook language plpgsql volatile as $$
      begin raise exception 'the secret of Bob' using errcode = refuse.state, detail = 'Bob', hint = 'Bob'; end $$;
    grant execute on function public.refuse to latchkey_user;
    create function public.refuse_title() returns trigger language plpgsql as $$
      begin raise exception 'the secret of Bob' using errcode = new.title; end $$;
    create trigger refuses before insert on public.notebook for each row when (new.title ~ '^[0-9A-Z]{5}$')
      execute function public.refuse_title();`);
  return { worker: false, env: { GRAPHQL_SCHEMAS: "public, shop" } };
});

test.for([
  ["P0001", "unexpected"],
  ["UE001", "unexpected"],
  ["22000", "validation-failed"],
  ["23514", "constraint-violation"],
  ["42501", "permission-error"],
] as const)("an application's error %s has the code %s and keeps its message", async ([state, code], { user }) => {
  for (const document of [
    `mutation ($s: String!) { refuse(args: { state: $s }) { id } }`,
    `mutation ($s: String!) { insert_notebook_one(object: { title: $s }) { id } }`,
  ]) {
    const refused = await user.ask(document, { s: state });
    expect(refused.code, document).toBe(code);
    expect(JSON.stringify(refused.body)).not.toMatch(/Bob/);
  }
});
