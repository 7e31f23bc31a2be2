import { expect } from "vitest";
import { test } from "../../../testing/graphql/application_schema.ts";

const insertNotebook = `mutation ($title: String!) { insert_notebook_one(object: { title: $title }) { id title user { phone } } }`;

test("a user writes and reads rows of its own, through relations of both tables and of ours", async ({
  user,
  otherUser,
  admin,
}) => {
  const inserted = await user.ask(insertNotebook, { title: "mine" });
  expect(inserted.data).toEqual({
    insert_notebook_one: { id: expect.any(String) as string, title: "mine", user: { phone: "+12125550171" } },
  });
  const { id } = inserted.data?.insert_notebook_one as { id: string };
  const note = await user.ask(
    `mutation ($id: uuid!) { insert_note(objects: [{ notebook_id: $id, body: "one", rating: 3, mood: "sad", price: 1.5, tags: ["a", "b,c"], data: { x: 1 }, raw: [1],
      day: "2026-01-31", at: "12:30:00", takes: "1 day 02:00:00", image: "\\\\x00ff", pages: "[1,5)", written: "2026-01-31T12:30:00" }]) {
      affected_rows returning { rating mood price tags data raw day at takes image pages written size notebook { title } original { id } copies(limit: 1) { id } } } }`,
    { id },
  );
  expect(note.data ?? note.body).toEqual({
    insert_note: {
      affected_rows: 1,
      returning: [
        {
          rating: 3,
          mood: "sad",
          price: "1.50",
          tags: ["a", "b,c"],
          data: { x: 1 },
          raw: [1],
          day: "2026-01-31",
          at: "12:30:00",
          takes: "1 day 02:00:00",
          image: "\\x00ff",
          pages: "[1,5)",
          written: "2026-01-31T12:30:00",
          size: 3,
          notebook: { title: "mine" },
          original: null,
          copies: [],
        },
      ],
    },
  });
  const list = `{ notebook(limit: 10) { title notes(where: { notebook: { title: { _eq: "mine" } } }) { body } } user_account { notebooks { title } } }`;
  expect((await user.ask(list)).data).toEqual({
    notebook: [{ title: "mine", notes: [{ body: "one" }] }],
    user_account: [{ notebooks: [{ title: "mine" }] }],
  });
  expect((await otherUser.ask(list)).data).toEqual({ notebook: [], user_account: [{ notebooks: [] }] });
  expect((await admin(`{ user_account(where: { notebooks: { title: { _eq: "mine" } } }) { phone } }`)).data).toEqual({
    user_account: [{ phone: "+12125550171" }],
  });
  expect((await otherUser.ask(`mutation { delete_notebook(where: {}) { affected_rows } }`)).data).toEqual({
    delete_notebook: { affected_rows: 0 },
  });
  expect(
    (
      await otherUser.ask(`mutation ($u: uuid!) { insert_notebook_one(object: { title: "x", user_id: $u }) { id } }`, {
        u: user.userId,
      })
    ).code,
  ).toBe("permission-error");
  expect((await user.ask(insertNotebook, { title: "x".repeat(100) })).code).toBe("constraint-violation");
});

test("a guest has its own grants: another column or a write is a permission-error", async ({ guest, user }) => {
  const { data } = await user.ask(`mutation { insert_notebook_one(object: { title: "for guests" }) { id } }`);
  await user.ask(`mutation ($id: uuid!) { insert_note_one(object: { notebook_id: $id, body: "hello" }) { id } }`, {
    id: (data?.insert_notebook_one as { id: string }).id,
  });
  expect((await guest(`{ note(where: { body: { _eq: "hello" } }) { body mood } }`)).data).toEqual({
    note: [{ body: "hello", mood: "glad" }],
  });
  expect((await guest(`{ note { rating } }`)).code).toBe("permission-error");
  expect((await guest(`{ note(where: { rating: { _eq: 1 } }) { id } }`)).code).toBe("permission-error");
  expect((await guest(`mutation { delete_note(where: {}) { affected_rows } }`)).code).toBe("permission-error");
});

test("views and functions are fields; a function needs a grant of its own", async ({ guest, user, admin }) => {
  expect(
    (await guest(`{ shop_cheap(order_by: { sku: desc }) { sku } shop_cheap_aggregate { aggregate { count } } }`)).data,
  ).toEqual({
    shop_cheap: [{ sku: "b" }, { sku: "a" }],
    shop_cheap_aggregate: { aggregate: { count: 2 } },
  });
  expect((await guest(`{ shop_search(args: { term: "a", most: 2 }) { sku price notes } }`)).data).toEqual({
    shop_search: [
      { sku: "a", price: "1.5", notes: [] },
      { sku: "b", price: "3", notes: [] },
    ],
  });
  for (const [field, ask] of [
    ["shop_not_granted", user.ask],
    ['shop_search(args: { term: "a" })', admin],
  ] as const)
    expect((await ask(`{ ${field} { sku } }`)).code).toBe("validation-failed");
});

test("a volatile function is a mutation", async ({ user }) => {
  const { data } = await user.ask(`mutation { insert_notebook_one(object: { title: "copies" }) { id } }`);
  const note = await user.ask(
    `mutation ($id: uuid!) { insert_note_one(object: { notebook_id: $id, body: "first" }) { id } }`,
    { id: (data?.insert_notebook_one as { id: string }).id },
  );
  const copied = await user.ask(
    `mutation ($id: Int!) { copy_note(args: { note_id: $id }) { body original { body } notebook { title } } }`,
    { id: (note.data?.insert_note_one as { id: number }).id },
  );
  expect(copied.data).toEqual({
    copy_note: { body: "first", original: { body: "first" }, notebook: { title: "copies" } },
  });
});

test("the limits hold for them, too", async ({ user }) => {
  expect((await user.ask(`{ note(limit: 1001) { id } }`)).code).toBe("limit-exceeded");
  expect((await user.ask(`{ notebook { notes { id body rating } } }`)).code).toBe("limit-exceeded");
  const deep = (levels: number): string => (levels === 0 ? "{}" : `{ notebook: { notes: ${deep(levels - 1)} } }`);
  expect((await user.ask(`{ note(where: ${deep(3)}) { id } }`)).code).toBe("limit-exceeded");
});
