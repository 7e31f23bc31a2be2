begin;
select plan(9);
select test.clean_slate();
select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60');
select test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '600');
create temp table made on commit drop as select test.make_account('+12025550101') as account;
insert into "user".session (user_id) select account from made union all select null;
select is((select count(*)::integer from "user".session where user_type = 'user' and role = 'user' and user_id = (select account from made)), 1,
  'a session with a user is a user''s');
select is((select count(*)::integer from "user".session where user_type = 'guest' and role = 'guest' and user_id is null), 1,
  'a session without one is a guest''s');
select is((select count(distinct t)::integer from "user".session, unnest(array[id, access_token_id, refresh_token_id]) t), 6, 'every id is its own');
select ok(access_token_expires_at between clock_timestamp() + interval '50 seconds' and clock_timestamp() + interval '60 seconds',
  'the access token lives as long as the setting says') from "user".session where user_id is null;
select ok(refresh_token_expires_at between clock_timestamp() + interval '590 seconds' and clock_timestamp() + interval '600 seconds',
  'so does the refresh token') from "user".session where user_id is null;
select ok(revoked_at is null and rotated_at is null, 'it is neither revoked nor rotated') from "user".session where user_id is null;
select throws_ok($$insert into "user".session (user_id, user_type) select account, 'guest' from made$$, '23514', null,
  'what its maker did say is kept, and checked by the table');
select throws_ok($$insert into "user".session (user_id, role) select account, 'guest' from made$$, '23514', null, 'the role too');
insert into "user".session (id, user_id, user_type, role, access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at)
  select '00000000-0000-7000-8000-000000000001', account, 'user', 'user', '00000000-0000-4000-8000-000000000002',
    '00000000-0000-4000-8000-000000000003', '2026-01-01', '2026-01-02' from made;
select is((select row(access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at) from "user".session
    where id = '00000000-0000-7000-8000-000000000001'),
  row('00000000-0000-4000-8000-000000000002'::uuid, '00000000-0000-4000-8000-000000000003'::uuid, timestamptz '2026-01-01', timestamptz '2026-01-02'),
  'and so are ids and lifetimes');
select * from finish();
rollback;
