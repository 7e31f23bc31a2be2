begin;
select plan(7);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select private.remember_phone(id, '+12025550103', now() - interval '2 days', null), private.remember_phone(other, '+12025550103', null, now()) from actor;
select private.remember_phone(id, '+12025550103', null, now() - interval '1 day' * n) from actor, generate_series(1, 3) n;
create function pg_temp.kept() returns table (held_until timestamptz, asked_at timestamptz) language sql as $$
  select e.held_until, e.asked_at from private.earlier_phone e join actor on e.account_id = actor.id order by e.held_until
$$;
select results_eq('select * from pg_temp.kept()',
  $$values (now() - interval '2 days', null), (null, now() - interval '1 day')$$, 'of a phone that it asks for again the latest moment is kept');
select private.remember_phone(id, '+12025550103', now(), null) from actor;
select results_eq('select * from pg_temp.kept()',
  $$values (now() - interval '2 days', null), (now(), now() - interval '1 day')$$, 'and every time that it had it');
select private.remember_phone(id, '+1202555' || lpad(n::text, 4, '0'), null, now() - interval '1 day' * n) from actor, generate_series(1001, 1100) n;
select is((select count(*)::integer from private.earlier_phone e join actor on e.account_id = actor.id), 100, 'a hundred of an account are kept');
select is((select max(e.phone) from private.earlier_phone e), '+12025551098', 'not the ones that it asked for longest ago');
select ok(exists (select from private.earlier_phone e join actor on e.account_id = actor.id where e.held_until is not null), 'one that it had is kept');
select is((select count(*)::integer from private.earlier_phone e join actor on e.account_id = actor.other), 1, 'and so are those of another account');
select private.remember_phone(id, '+1202555' || lpad(n::text, 4, '0'), now() - interval '1 hour' * n, null) from actor, generate_series(2001, 2101) n;
select is((select max(e.phone) || ' ' || count(*) from private.earlier_phone e join actor on e.account_id = actor.id where e.held_until is not null),
  '+12025552098 100', 'of a hundred and more that it had the latest are kept');
select * from finish();
rollback;
