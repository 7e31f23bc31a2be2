begin;
select plan(17);
select test.clean_slate();

create temp table guest on commit drop as
  select * from test.call_as('latchkey_server', $$api.create_guest_session('192.0.2.1', 'test')$$, null::api.session_answer);

select is((select (error).code from guest), null, 'anyone gets a guest session');
select is((select row(user_id, user_type, role)::text from guest), '(,guest,guest)',
  'a guest session has no user, and user_type and role guest');
select is((select s.id from "user".session s), (select session_id from guest), 'exactly one session is stored');
select is((select s.access_token_id::text || s.refresh_token_id::text from "user".session s),
  (select access_token_id::text || refresh_token_id::text from guest), 'the stored session has both token ids of the answer');
select is((select test.seconds_until(access_token_expires_at) from guest), 3600,
  'the access token expires after an hour');
select is((select test.seconds_until(refresh_token_expires_at) from guest), 2592000,
  'the refresh token expires after 30 days');
select isnt((select access_token_id from guest), (select refresh_token_id from guest),
  'access token and refresh token have different ids');
select is(test.hits('GUEST_PER_IP:192.0.2.1'), 1, 'a guest session counts against GUEST_PER_IP of the client');
select api.create_guest_session('127.0.0.1', 'test'), api.create_guest_session('::1', 'test');
select is((select count(*)::integer from platform.rate_limit), 1, 'guest sessions from loopback addresses are not counted');
select api.create_guest_session('192.0.2.9', 'test') from generate_series(1, 600);
select is((api.create_guest_session('192.0.2.9', 'test')).error.code, 'RATE_LIMIT_EXCEEDED',
  'by default a client gets 600 guest sessions per minute');
delete from "user".session s where s.id <> (select session_id from guest);
select test.set_setting('GUEST_PER_IP', '"off"'), api.create_guest_session('192.0.2.9', 'test');
select is(test.hits('GUEST_PER_IP:192.0.2.9'), 600, 'while GUEST_PER_IP is off no guest session is counted');
delete from "user".session s where s.id <> (select session_id from guest);
delete from platform.rate_limit;

select test.set_setting('ACCESS_TOKEN_TTL_SECONDS', '60');
select test.set_setting('REFRESH_TOKEN_TTL_SECONDS', '120');
select test.set_setting('GUEST_PER_IP', '"2/60"');
create temp table brief on commit drop as select * from api.create_guest_session('192.0.2.1', 'test');
select is((select test.seconds_until(access_token_expires_at) || ' ' ||
  test.seconds_until(refresh_token_expires_at) from brief), '60 120',
  'changes of token lifetimes apply to the next session');
select is((api.create_guest_session('192.0.2.1', 'test')).error.code, null, 'GUEST_PER_IP allows as many requests as configured');
create temp table refused on commit drop as select * from api.create_guest_session('192.0.2.1', 'test');
select is((select (error).code from refused), 'RATE_LIMIT_EXCEEDED', 'a request over GUEST_PER_IP is refused');
select is((select (error).details - 'retryAfterSeconds' from refused), '{"policy": "GUEST_PER_IP", "requests": 2, "seconds": 60}',
  'the error details name the rate limit');
select is((select count(*)::integer from "user".session), 3, 'a refused request stores no session');
select is((api.create_guest_session('192.0.2.2', 'test')).error.code, null,
  'a limit that one client has spent does not refuse another client');

select * from finish();
rollback;
