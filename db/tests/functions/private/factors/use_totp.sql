begin;
select plan(9);
select test.clean_slate();
create temp table own on commit drop as
  select n, test.make_factor(a) as id from test.make_account('+12025550101') a, generate_series(1, 2) n;
create function pg_temp.use(code text, ids uuid[]) returns uuid language sql
as $$ select private.use_totp(array(select f from "user".factor f order by f.id), test.factor_attempt(code, factor_ids => ids)) $$;
select is(pg_temp.use(test.wrong_totp(), array(select id from own)), null, 'a wrong code is none of theirs');
select is(pg_temp.use(test.totp(), '{}'), null, 'without a secret no code is right');
select is(pg_temp.use(test.totp(), array[id]), id, 'the right one is the app''s whose secret made it') from own where n = 2;
select isnt(last_used_at, null, 'which says when it was used') from "user".factor f join own on own.id = f.id where n = 2;
select is(last_used_at, null, 'the other one was not used') from "user".factor f join own on own.id = f.id where n = 1;
select is(pg_temp.use(test.totp(), array[id]), null, 'a code is used once') from own where n = 2;

-- While the pepper is rotated.
create temp table sealed on commit drop as select f.* from "user".factor f join own on own.id = f.id where n = 1;
create function pg_temp.use_resealed(code text) returns uuid language sql as $$
  select private.use_totp(array(select f from "user".factor f where f.id = a.factor_ids[1]),
    row(code, null, a.code_key, a.factor_ids, array[a.factor_secrets[1] || decode('aabbccddeeff0011', 'hex') || '\x0102'::bytea])::private.factor_attempt)
  from own, test.factor_attempt(code, factor_ids => array[own.id]) a where own.n = 1
$$;
select pg_temp.use_resealed(test.wrong_totp());
select is(row(f.pepper_id, f.sealed_secret), row(s.pepper_id, s.sealed_secret), 'a wrong code encrypts nothing anew') from "user".factor f join sealed s on s.id = f.id;
select isnt(pg_temp.use_resealed(test.totp()), null, 'a secret that the server has encrypted under the current pepper makes the same codes');
select is(row(f.pepper_id, f.sealed_secret), row('aabbccddeeff0011'::text, '\x0102'::bytea), 'and is kept that way from then on')
from "user".factor f join sealed s on s.id = f.id;

select * from finish();
rollback;
