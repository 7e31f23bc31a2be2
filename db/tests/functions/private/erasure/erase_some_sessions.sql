begin;
select plan(7);
select test.clean_slate();
select test.set_setting('SESSIONS_PER_USER', '"off"');
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
select test.open_session(bob) from actor;
select test.insert_sessions(alice, case n when 0 then 1667 else 1666 end, '192.0.2.' || n) from actor, generate_series(0, 2) n;
select is(private.erase_some_sessions(alice), false, 'so many are erased with the account') from actor;
create temp table guest on commit drop as select (test.open_session(null)).session_id as id;
insert into platform.guest_promotion select id, alice, now() from actor, guest;
update "user".session s set client = '192.0.2.9' from guest g where s.id = g.id;
select is(private.erase_some_sessions(alice), true, 'one more, and some are erased before it') from actor;
select is((select count(*)::integer from "user".session s join actor a on s.user_id = a.alice), 0, 'five thousand at most, of the account''s sessions');
select is((select count(*)::integer from guest g join "user".session s on s.id = g.id) + (select count(*)::integer from platform.guest_promotion), 0,
  'and of those that guests had before');
select is((select string_agg(k.client, ' ' order by k.client) from private.known_client k join actor a on a.alice = k.account_id),
  '192.0.2.0 192.0.2.1 192.0.2.2 192.0.2.9', 'their addresses are kept for the erasure of the sends');
select is((select count(*)::integer from "user".session s join actor a on s.user_id = a.bob), 1, 'another account''s session stays');
select is(private.erase_some_sessions(alice), false, 'then nothing keeps the account from being erased') from actor;
select * from finish();
rollback;
