begin;
select plan(18);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
-- Ids of one millisecond are in no order: these are.
create temp sequence opened;
create function pg_temp.open(name text, user_id uuid) returns void language sql
as $$
  insert into "user".session (id, user_id, label)
  values (('00000000-0000-7000-9000-' || lpad(nextval('opened')::text, 12, '0'))::uuid, open.user_id, open.name)
$$;
create function pg_temp.live() returns text language sql
as $$ select string_agg(s.label, ' ' order by s.id) from "user".session s where s.revoked_at is null $$;

select is(private.setting('SESSIONS_PER_USER'), '100', 'SESSIONS_PER_USER is 100 by default');
select test.set_setting('SESSIONS_PER_USER', '"off"');
select pg_temp.open(name, alice) from actor, unnest(array['1', '2', '3']) name;
select is(pg_temp.live(), '1 2 3', 'SESSIONS_PER_USER off limits nothing');
select test.set_setting('SESSIONS_PER_USER', '3');
select pg_temp.open('bob', bob), pg_temp.open('guest', null) from actor;
select pg_temp.open('4', alice) from actor;
select is(pg_temp.live(), '2 3 bob guest 4', 'the oldest session of the user is revoked when one more opens, and nobody else''s');
select test.set_setting('SESSIONS_PER_USER', '2');
select is(pg_temp.live(), '2 3 bob guest 4', 'a lower number revokes nothing by itself');
select pg_temp.open('5', alice) from actor;
select is(pg_temp.live(), 'bob guest 4 5', 'it counts when the next session opens');
update "user".session set refresh_token_expires_at = clock_timestamp() where label = '5';
select pg_temp.open('6', alice) from actor;
select is(pg_temp.live(), 'bob guest 4 5 6', 'an expired session does not count');
update "user".session set revoked_at = clock_timestamp() where label = '6';
select pg_temp.open('7', alice) from actor;
select is(pg_temp.live(), 'bob guest 4 5 7', 'a revoked session does not count');
select test.set_setting('SESSIONS_PER_USER', '1');
select pg_temp.open('8', alice) from actor;
select is(pg_temp.live(), 'bob guest 5 8', 'with 1 the new session is the only live one');
select pg_temp.open('guest ' || n, null) from generate_series(1, 3) n;
select is(pg_temp.live(), 'bob guest 5 8 guest 1 guest 2 guest 3', 'guests are not counted');
select test.become('latchkey_admin');
insert into "user".session (user_id) select s.user_id from "user".session s where s.user_id is not null limit 1;
reset role;
select is((select max(n) from (select count(*) as n from "user".session s
    where s.user_id is not null and s.revoked_at is null and s.refresh_token_expires_at > clock_timestamp() group by s.user_id) t), 1::bigint,
  'the admin opens no more either');
select is((select count(*) from "user".session s where s.revoked_at is null and s.label is null), 1::bigint, 'and the admin''s session is live');

delete from "user".session;
select test.set_setting('SESSIONS_PER_USER', '2');
select pg_temp.open('9', alice), pg_temp.open('10', alice) from actor;
update "user".session s set created_at = s.created_at + interval '1 minute' where s.label = '9';
select pg_temp.open('11', alice) from actor;
select is(pg_temp.live(), '9 11', 'the oldest is the one by its time, not by its id');

-- Far more than the limit, which was off until now
delete from "user".session;
select test.set_setting('SESSIONS_PER_USER', '"off"');
select pg_temp.open('old ' || n, alice) from actor, generate_series(1, 1002) n;
select test.set_setting('SESSIONS_PER_USER', '2');
create function pg_temp.valid() returns text language sql
as $$ select string_agg(s.label, ' ' order by s.id) from "user".session s where private.session_error(s) is null $$;
select pg_temp.open('new', alice) from actor;
select is(pg_temp.valid(), 'old 1002 new', 'all but the newest end when one more opens');
select is((select count(*)::integer from "user".session s where s.revoked_at is not null), 1000, 'although that writes a thousand rows at most');
select is((select count(a.sessions_ended_at)::integer from "user".account a), 1, 'the clean-up writes the others');
select pg_temp.open('newer', alice) from actor;
select is(pg_temp.valid(), 'new newer', 'the next opening counts those that are left');
select is((select count(*)::integer from "user".session s where s.revoked_at is not null), 1001, 'and revokes one');
select is((select max(s.session_epoch) from "user".session s), 1, 'one at a time, as usual');

select * from finish();
rollback;
