begin;
select plan(15);
-- What the constraint of the column says of the same text.
create function pg_temp.is_stored(email text) returns boolean language plpgsql as $$
declare v_answer boolean;
begin
  execute format('select %s from (select $1 as email) a', (
    select pg_get_expr(c.conbin, c.conrelid) from pg_constraint c where c.conname = 'account_email_is_normalized'
  )) into v_answer using email;
  return v_answer;
end $$;

select is(
  row(private.is_email(email), pg_temp.is_stored(email)), row(expected, expected), format('%s: %s', left(coalesce(email, 'null'), 20), coalesce(expected::text, 'null'))
)
from (values
  ('ada@example.org', true),
  ('ada+tag@mail.example.org', true),
  ('a@b', true),
  (repeat('a', 250) || '@b.c', true),
  (repeat('a', 251) || '@b.c', false),
  (repeat('a', 100000) || '@b.c', false),
  ('Ada@example.org', false),
  ('ada', false),
  ('ada@', false),
  ('@example.org', false),
  ('ada@bob@example.org', false),
  (E'ada@example.org\n', false),
  ('ada lovelace@example.org', false),
  ('', false),
  (null, null)
) c (email, expected);

select * from finish();
rollback;
