begin;
select plan(9);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as id;
create temp table guest on commit drop as select * from private.open_session(null);
create temp table member on commit drop as select o.* from account, private.open_session(account.id) o;

select is((select row(user_id, user_type, role)::text from guest), '(,guest,guest)',
  'a session without an account is a guest''s');
select is((select row(user_id, user_type, role)::text from member), (select row(id, 'user', 'user')::text from account),
  'a session with an account is a user''s');
select is((select private.session_answer(s)::text from "user".session s join guest g on g.session_id = s.id),
  (select guest.*::text from guest),
  'the answer has the values of the stored session');
select is((select count(distinct id)::integer from (select access_token_id from guest union all select refresh_token_id from guest
  union all select access_token_id from member union all select refresh_token_id from member) t (id)), 4,
  'every token id is different');
select is((select substr(session_id::text, 15, 1) || substr(access_token_id::text, 15, 1) || substr(refresh_token_id::text, 15, 1)
    from guest),
  '744', 'session ids are time-ordered UUIDs and token ids are random UUIDs');
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) || ' ' ||
  round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from guest), '3600 2592000',
  'both lifetimes come from the settings');
select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60'), test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '120');
create temp table brief on commit drop as select * from private.open_session(null);
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) || ' ' ||
  round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from brief), '60 120',
  'changes of the lifetimes apply to the next session');
select is((select row(previous_refresh_token_id, rotated_at, revoked_at)::text from "user".session s join brief b on b.session_id = s.id),
  '(,,)', 'a new session was neither rotated nor revoked');
select throws_ok('select private.open_session(gen_random_uuid())', '23503', null,
  'opening a session for an account that does not exist raises an error');

select * from finish();
rollback;
