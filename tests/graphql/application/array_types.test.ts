import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/application_schema.ts";

const values = {
  dates: ["2026-01-31", "2026-02-01"],
  times: ["12:30:00"],
  stamps: ["2026-01-31T12:30:00"],
  spans: ["1 day 02:00:00"],
  files: ["\\x00ff"],
  documents: [{ a: [1, "x,y"] }],
  addresses: ["192.0.2.1", "2001:db8::1"],
  ranges: ["[1,5)"],
};

const test = baseTest.extend("applicationTables", { scope: "file" }, async ({ database }) => {
  await database.query(`create schema shop; grant usage on schema shop to latchkey_user;
    create table public.listed (id integer primary key, day date, file bytea, dates date[], times time[], stamps timestamp[], spans interval[],
      files bytea[], documents json[], addresses inet[], ranges int4range[]);
    alter table public.listed enable row level security;
    create policy "all" on public.listed to latchkey_user using (true) with check (true);
    grant select, insert on public.listed to latchkey_user`);
});

test("arrays of every type are read as they were written", async ({ user }) => {
  const fields = Object.keys(values).join(" ");
  const { data, body } = await user.ask(
    `mutation ($row: listed_insert_input!) { insert_listed_one(object: $row) { day ${fields} } }`,
    { row: { id: 1, day: "2026-01-31", ...values } },
  );
  expect(data ?? body).toEqual({ insert_listed_one: { day: "2026-01-31", ...values } });
  const found = await user.ask(`{ listed(where: { dates: { _contains: ["2026-02-01"] } }) { ${fields} } }`);
  expect(found.data ?? found.body).toEqual({ listed: [values] });
});
