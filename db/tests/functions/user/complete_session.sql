begin;
select plan(12);
select test.clean_slate();
select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60');
select test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '600');
create temp table actor on commit drop as select test.make_account('+12025550101') as account;
insert into "user".session (user_id) select account from actor union all select null;
select is((select count(*)::integer from "user".session
    where user_type = 'user' and role = 'user' and user_id = (select account from actor)),
  1, 'a session with a user gets user_type and role user');
select is((select count(*)::integer from "user".session where user_type = 'guest' and role = 'guest' and user_id is null), 1,
  'a session without a user gets user_type and role guest');
select is((select count(distinct t)::integer from "user".session, unnest(array[id, access_token_id, refresh_token_id]) t), 6,
  'session ids and token ids are all different');
select is(test.seconds_until(access_token_expires_at), 60,
  'the access token expires after ACCESS_TOKEN_TTL_SECONDS') from "user".session where user_id is null;
select is(test.seconds_until(refresh_token_expires_at), 600,
  'the refresh token expires after REFRESH_TOKEN_TTL_SECONDS') from "user".session where user_id is null;
select ok(revoked_at is null and rotated_at is null,
  'a new session is neither revoked nor rotated') from "user".session where user_id is null;
select throws_ok($$insert into "user".session (user_id, user_type) select account, 'guest' from actor$$, '23514', null,
  'an inserted user_type is kept, so a wrong one violates a constraint');
select throws_ok($$insert into "user".session (user_id, role) select account, 'guest' from actor$$, '23514', null,
  'an inserted role is kept, so a wrong one violates a constraint');
insert into "user".session (id, user_id, user_type, role, access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at)
  select '00000000-0000-7000-8000-000000000001', account, 'user', 'user', '00000000-0000-4000-8000-000000000002',
    '00000000-0000-4000-8000-000000000003', '2026-01-01', '2026-01-02' from actor;
select is((select row(access_token_id, refresh_token_id, access_token_expires_at, refresh_token_expires_at) from "user".session
    where id = '00000000-0000-7000-8000-000000000001'),
  row('00000000-0000-4000-8000-000000000002'::uuid, '00000000-0000-4000-8000-000000000003'::uuid,
    timestamptz '2026-01-01', timestamptz '2026-01-02'),
  'inserted ids and expiry times are kept');
update "user".account set disabled_at = now(), disabled_reason = 'spam';
select throws_ok($$insert into "user".session (user_id) select account from actor$$, '23514', null, 'a disabled account gets no session');
update "user".account set disabled_at = null, disabled_reason = null, deletion_due_at = now() + interval '1 day';
select throws_ok($$insert into "user".session (user_id) select account from actor$$, '23514', null,
  'an account that is to be deleted gets no session before it is restored');
select test.set_setting('SESSION_MAX_SECONDS', '120');
delete from "user".session;
insert into "user".session (user_id) values (null);
select is((select test.seconds_until(access_token_expires_at) || ' ' ||
  test.seconds_until(refresh_token_expires_at) from "user".session), '60 120',
  'SESSION_MAX_SECONDS shortens a new session');
select * from finish();
rollback;
