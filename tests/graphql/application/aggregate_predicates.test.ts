import { expect } from "vitest";
import { test as baseTest } from "../../../testing/graphql/application_schema.ts";

/** The user's note has a copy, and a heavy one that belongs to another user. */
const test = baseTest.extend("rows", { scope: "file", auto: true }, async ({ database, user, otherUser }) => {
  await database.query(
    `with notebook as (
       insert into public.notebook (user_id, title) values ($1::uuid, 'own'), ($2::uuid, 'other') returning id, title
     ), original as (
       insert into public.note (notebook_id, body) select id, 'original' from notebook where title = 'own' returning id
     )
     insert into public.note (notebook_id, copied_from, body, stars, weight, pinned)
       select n.id, o.id, 'copy', n.stars, n.stars, n.title = 'own' from original o,
         (select id, title, case title when 'own' then 1 else 99 end as stars from notebook) n`,
    [user.userId, otherUser.userId],
  );
});

const originals = (predicate: string): string =>
  `{ note(where: { body: { _eq: "original" }, copies_aggregate: { ${predicate} } }) { body } }`;

test.for([
  [`count: { predicate: { _gt: 1 } }`],
  [`bool_and: { arguments: pinned, predicate: { _eq: false } }`],
  [`avg: { arguments: rating, predicate: { _gt: 1 } }`],
  [`max: { arguments: weight, predicate: { _gt: 1 } }`],
  [`sum: { arguments: rating, predicate: { _eq: 100 } }`],
  [`corr: { arguments: { X: rating, Y: weight }, predicate: { _is_null: false } }`],
] as const)("a predicate of an aggregate counts the caller's rows alone: %s", async ([predicate], { user, admin }) => {
  expect(await user.ask(originals(predicate))).toMatchObject({ data: { note: [] } });
  // The same condition over all rows: the other user's make it true.
  expect(await admin(originals(predicate))).toMatchObject({ data: { note: [{ body: "original" }] } });
});

test("a column that the role is not granted is refused in a predicate, too", async ({ guest }) => {
  const { code } = await guest(originals(`max: { arguments: rating, predicate: { _gt: 1 } }`));
  expect(code).toBe("permission-error");
});

test("predicates are counted as conditions through relations", async ({ user }) => {
  const predicate = `{ copies_aggregate: { avg: { arguments: rating, predicate: { _gt: 0 } } } }`;
  const { code } = await user.ask(`{ note(where: { _and: [${Array(11).fill(predicate).join(", ")}] }) { id } }`);
  expect(code).toBe("limit-exceeded");
});

test("lists inside _in, and the text of JSON, count as values and characters", async ({ user }) => {
  const values = Array.from({ length: 21 }, () => Array.from({ length: 50 }, () => "t"));
  const ofTags = await user.ask(`query ($v: [[String!]!]!) { note(where: { tags: { _in: $v } }) { id } }`, {
    v: values,
  });
  expect(ofTags.code).toBe("limit-exceeded");
  const uses = Array(5).fill(`{ data: { _neq: $v } }`).join(", ");
  const ofData = await user.ask(`query ($v: jsonb!) { note(where: { _and: [${uses}] }) { id } }`, {
    v: { text: "x".repeat(40_000) },
  });
  expect(ofData.code).toBe("limit-exceeded");
});
