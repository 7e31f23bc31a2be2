begin;
select plan(9);
select test.clean_slate();
create temp table account on commit drop as select test.make_account('+12025550101') as id;
create temp table guest on commit drop as select * from private.open_session(null);
create temp table member on commit drop as select o.* from account, private.open_session(account.id) o;

select is((select row(user_id, user_type, role)::text from guest), '(,guest,guest)', 'without an account the session is a guest''s');
select is((select row(user_id, user_type, role)::text from member), (select row(id, 'user', 'user')::text from account), 'with one it is a user''s');
select is((select private.session_answer(s)::text from "user".session s join guest g on g.session_id = s.id), (select guest.*::text from guest),
  'it is stored as it is answered');
select is((select count(distinct id)::integer from (select access_token_id from guest union all select refresh_token_id from guest
  union all select access_token_id from member union all select refresh_token_id from member) t (id)), 4, 'every token id is another');
select is((select substr(session_id::text, 15, 1) || substr(access_token_id::text, 15, 1) || substr(refresh_token_id::text, 15, 1) from guest), '744',
  'session ids are time-ordered, token ids wholly random');
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) || ' ' ||
  round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from guest), '3600 2592000', 'both lifetimes are the settings''');
select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60'), test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '120');
create temp table brief on commit drop as select * from private.open_session(null);
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) || ' ' ||
  round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from brief), '60 120', 'as they are now');
select is((select row(previous_refresh_token_id, rotated_at, revoked_at)::text from "user".session s join brief b on b.session_id = s.id), '(,,)',
  'it was never rotated, nor revoked');
select throws_ok('select private.open_session(gen_random_uuid())', '23503', null, 'no session is opened for an account that is gone');

select * from finish();
rollback;
