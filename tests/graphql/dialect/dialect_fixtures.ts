import { test as baseTest } from "../../../testing/graphql/application_schema.ts";

/** The user has two notebooks with three notes, of which bread is a copy of apple. */
export const test = baseTest.extend("rows", { scope: "file", auto: true }, async ({ user, database }) => {
  await database.query(
    `with notebook as (
       insert into public.notebook (user_id, title) values ($1::uuid, 'kitchen'), ($1::uuid, 'garden') returning id, title
     ), apple as (
       insert into public.note (notebook_id, body, stars, price, weight, pinned, tags, data, raw, nick, place, day, at, takes, image, pages, written)
       select id, 'apple', 1, 1.5, 0.25, true, '{red,round}', '{"x": 1, "list": [1, 2]}', '[1]', 'Granny', 'top.fruit.apple', '2026-01-10', '11:00', '10 minutes', '\\x00ff', '[1,5)', '2026-01-31T12:30:00'
       from notebook where title = 'kitchen' returning id, notebook_id
     ), bread as (
       insert into public.note (notebook_id, copied_from, body, stars, price, weight, tags, data, day, at, takes)
       select notebook_id, id, 'bread', 2, 3, 0.5, '{red,soft}', '{"x": 2, "y": 2}', '2026-01-31', '12:30', '2 hours' from apple
     )
     insert into public.note (notebook_id, body, mood, stars, price, data)
     select id, 'cake', 'sad', 3, 12, '{"y": 2}' from notebook where title = 'garden'`,
    [user.userId],
  );
});
