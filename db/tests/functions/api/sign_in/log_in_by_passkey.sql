begin;
select plan(27);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select test.make_passkey(id, '\x01', 7) from actor;
create temp table made on commit drop as select c.* from private.new_challenge('login_passkey', null, null) c;
create function pg_temp.log_in(
  is_signed boolean default true, sign_count bigint default 8, flags integer default 5, credential_id bytea default '\x01', user_handle bytea default null,
  client text default '192.0.2.1', guest uuid default null
)
returns api.session_answer language sql
as $$
  select api.log_in_by_passkey(
    made.id, log_in.credential_id, test.authenticator_data(sign_count, flags), coalesce(log_in.user_handle, uuid_send(actor.id)), 'example.com',
    log_in.client, 'test', 'kitchen', log_in.guest, log_in.is_signed, '{de}'
  ) from made, actor
$$;
select is(((api.log_in_by_passkey(id, '\x01', '', null, null, '192.0.2.1', null, null, null)).error).details ->> 'reason', 'not_enabled',
  'without a domain there are no passkeys') from made;
select is(((pg_temp.log_in(null)).error).details, jsonb_build_object(
  'ceremony', 'get', 'challenge', private.base64url(webauthn_challenge), 'public_key', 'a5'
), 'the server is asked to verify the signature') from made;
select is(((pg_temp.log_in(null, credential_id => '\x02')).error).details -> 'public_key', 'null', 'also of a passkey that nobody has');
select is((select count(*)::integer from platform.rate_limit), 0, 'and nothing is counted yet');
create function pg_temp.reason(answer api.session_answer) returns text language sql as $$ select (answer.error).details ->> 'reason' $$;
select is(pg_temp.reason(pg_temp.log_in(false)), 'login_refused', 'a wrong signature is refused');
select is((select attempts from private.factor_challenge), 1, 'and an attempt at the challenge');
select is(test.hits('LOGIN_FAILURES_PER_IP:192.0.2.1'), 1, 'and a failed login of the client');
select is(pg_temp.reason(pg_temp.log_in(credential_id => '\x02')), 'login_refused', 'so is an unknown passkey');
select is((select attempts from private.factor_challenge), 2, 'counted alike');
select is(test.hits('LOGIN_FAILURES_PER_IP:192.0.2.1'), 2, 'of the client, too');
select is((select count(*)::integer from platform.rate_limit l where l.key ~ '^LOGINS_PER_PHONE'), 0, 'nor as a login');
select is((select factor_failures from "user".account), 0, 'and never against the account');
update "user".account set disabled_at = now(), disabled_reason = 'test';
select is(pg_temp.reason(pg_temp.log_in()), 'login_refused', 'a disabled account opens nothing');
update "user".account set disabled_at = null, disabled_reason = null;
select is(((pg_temp.log_in(guest => gen_random_uuid())).error).code, 'SESSION_NOT_FOUND', 'a dead guest session is refused before anything is counted');
create temp table answer on commit drop as select c.* from pg_temp.log_in() c;
select is((error).code, null, 'the right answer signs in') from answer;
select is(row(user_id, amr, acr)::text, row(id, array['hwk', 'user', 'mfa'], 'aal2')::text, 'as two factors') from answer, actor;
select is((select label || client from "user".session), 'kitchen192.0.2.1', 'the session is described by the request');
select is(pg_temp.reason(pg_temp.log_in(sign_count => 8)), 'login_refused', 'a challenge is answered once');
create function pg_temp.again() returns void language sql as $$ update private.factor_challenge set used_at = null, attempts = 0 $$;
select pg_temp.again();
select is(pg_temp.reason(pg_temp.log_in(sign_count => 8)), 'login_refused', 'a counter that stands still is refused');
select ok((select counter_went_back_at is not null from "user".factor), 'and remembered');
select is(array(select purpose || languages::text from platform.otp_transaction), array['FACTORS_CHANGED{de}'],
  'and told to the phone, which an answer that came twice was not');
select pg_temp.again();
select is(pg_temp.reason(pg_temp.log_in(sign_count => 9, flags => 1)), 'login_refused', 'a passkey that did not verify its user is no two factors');
select pg_temp.again();
select is(pg_temp.reason(pg_temp.log_in(sign_count => 10, user_handle => '')), 'login_refused', 'one that names no user signs nobody in');
select pg_temp.again();
select test.set_setting('LOGIN_FAILURES_PER_IP', '"1/900"');
select is(((pg_temp.log_in(sign_count => 10)).error).code, 'RATE_LIMIT_EXCEEDED', 'a client whose failures are spent is refused whatever it answers');
select is(((pg_temp.log_in(sign_count => 10, client => '192.0.2.2')).error).code, null, 'and no other one');
select is(test.hits('LOGINS_PER_PHONE:' || id), 2, 'each that signed in counts as a login of the account') from actor;
select pg_temp.again();
select test.set_setting('LOGINS_PER_PHONE', '"2/300"');
select is((((pg_temp.log_in(sign_count => 11, client => '192.0.2.2')).error).details ->> 'policy'), 'LOGINS_PER_PHONE', 'and no more sign in than the limit admits');
select * from finish();
rollback;
