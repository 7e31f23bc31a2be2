import { expect } from "vitest";
import { eventually } from "../../../testing/eventually.ts";
import { test as baseTest } from "../fixtures/subscribe.ts";

/** A view whose rows differ each time they are read: each result that a subscriber gets is a reading. */
const test = baseTest.extend("serviceOptions", { scope: "file" }, async ({ applicationTables: _, database }) => {
  await database.query(`
    create view public.reading with (security_invoker = on) as
      select title, clock_timestamp()::text as at from public.notebook where title like 'seen%';
    grant select on public.reading to latchkey_user;`);
  return { worker: false, env: { GRAPHQL_SCHEMAS: "public, shop" } };
});

test("whoever floods a live table makes no subscriber read more than once a second, and others are served", async ({
  user,
  otherUser,
  database,
  subscribe,
}) => {
  await user.ask(`mutation { insert_notebook_one(object: { title: "seen" }) { id } }`);
  const readings = subscribe(user, "subscription { reading { title at } }");
  const notes = subscribe(user, `subscription { note(where: { body: { _like: "during%" } }) { body } }`);
  await eventually("the first results", () => readings.length === 1 && notes.length === 1);

  const startedAt = performance.now();
  // The rows of other people: 100,000 in one transaction, then one in each of 300, and by GraphQL itself.
  await database.query(
    "insert into public.notebook (user_id, title) select $1, 'flood' from generate_series(1, 100000)",
    [otherUser.userId],
  );
  for (let count = 0; count < 300; count++)
    await database.query("insert into public.notebook (user_id, title) values ($1, 'flood')", [otherUser.userId]);
  const own = user.ask(
    `mutation { insert_notebook_one(object: { title: "busy", notes: { data: [{ body: "during the flood" }] } }) { id } }`,
  );
  for (let count = 0; count < 10; count++)
    await otherUser.ask(`mutation { insert_notebook_one(object: { title: "flood" }) { id } }`);
  expect((await own).code).toBeUndefined();
  await eventually("both changes", () => notes.length === 2 && readings.length > 1);
  const seconds = (performance.now() - startedAt) / 1_000;
  expect(notes[1]).toEqual({ note: [{ body: "during the flood" }] });
  // The first change is read at once, and later ones after a pause.
  expect(readings.length).toBeLessThanOrEqual(1 + 1 + Math.ceil(seconds));
});
