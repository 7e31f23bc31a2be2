begin;
select plan(17);
select test.clean_slate();

create temp table guest on commit drop as
  select * from test.call_as('latchkey_server', $$api.create_guest_session('192.0.2.1')$$, null::api.session_answer);

select is((select (error).code from guest), null, 'anyone gets a guest session');
select is((select row(user_id, user_type, role)::text from guest), '(,guest,guest)', 'it is a guest''s: of no user');
select is((select s.id from "user".session s), (select session_id from guest), 'exactly one session is stored');
select is((select s.access_token_id::text || s.refresh_token_id::text from "user".session s),
  (select access_token_id::text || refresh_token_id::text from guest), 'it holds the ids of both tokens');
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) from guest), 3600::numeric,
  'the access token lives for an hour');
select is((select round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from guest), 2592000::numeric,
  'the refresh token lives for 30 days');
select isnt((select access_token_id from guest), (select refresh_token_id from guest), 'the tokens have different ids');
select is(test.hits('GUEST_PER_IP:192.0.2.1'), 1, 'it counts for the client');
select api.create_guest_session('127.0.0.1'), api.create_guest_session('::1');
select is((select count(*)::integer from platform.rate_limit), 1, 'this machine itself is not counted');
select api.create_guest_session('192.0.2.9') from generate_series(1, 600);
select is((api.create_guest_session('192.0.2.9')).error.code, 'RATE_LIMIT_EXCEEDED', 'by default a client gets 600 in a minute');
delete from "user".session s where s.id <> (select session_id from guest);
select test.set_setting('GUEST_PER_IP', '"off"'), api.create_guest_session('192.0.2.9');
select is(test.hits('GUEST_PER_IP:192.0.2.9'), 600, 'while GUEST_PER_IP is off nothing is counted');
delete from "user".session s where s.id <> (select session_id from guest);
delete from platform.rate_limit;

select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60');
select test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '120');
select test.set_setting('GUEST_PER_IP', '"2/60"');
create temp table brief on commit drop as select * from api.create_guest_session('192.0.2.1');
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) || ' ' ||
  round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from brief), '60 120',
  'lifetimes changed by SQL bite at the next session');
select is((api.create_guest_session('192.0.2.1')).error.code, null, 'GUEST_PER_IP allows as many as it says');
create temp table refused on commit drop as select * from api.create_guest_session('192.0.2.1');
select is((select (error).code from refused), 'RATE_LIMIT_EXCEEDED', 'and refuses the next');
select is((select (error).details - 'retryAfterSeconds' from refused), '{"policy": "GUEST_PER_IP", "requests": 2, "seconds": 60}',
  'the refusal says by which limit');
select is((select count(*)::integer from "user".session), 3, 'a refused request stores no session');
select is((api.create_guest_session('192.0.2.2')).error.code, null, 'another client is not bound by it');

select * from finish();
rollback;
