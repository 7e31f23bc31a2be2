begin;
select plan(11);
select test.clean_slate();
select test.open_session(test.make_account('+12025550101'));
create function pg_temp.refusal() returns api.error language sql as $$ select private.session_error(s) from "user".session s $$;

select is(pg_temp.refusal(), null, 'a live session has no error');
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 minute',
  access_token_expires_at = clock_timestamp() - interval '1 hour';
select is(pg_temp.refusal(), null, 'a session is live until its refresh token expires, although its access token has expired');
update "user".session set refresh_token_expires_at = clock_timestamp();
select is((pg_temp.refusal()).code, 'SESSION_NOT_FOUND', 'a session whose refresh token has expired gets SESSION_NOT_FOUND');
select is((pg_temp.refusal()).details, '{"reason": "session_missing"}', 'SESSION_NOT_FOUND has the reason session_missing');
update "user".session set revoked_at = clock_timestamp();
select is((pg_temp.refusal()).code, 'SESSION_REVOKED', 'a revoked session that has expired gets SESSION_REVOKED');
select is((pg_temp.refusal()).details, null, 'SESSION_REVOKED has no details');
delete from "user".session;
select test.open_session(a.id) from "user".account a;
update "user".account set session_epoch = session_epoch + 1;
select is((pg_temp.refusal()).code, 'SESSION_REVOKED', 'a session that ended with all of its user''s gets SESSION_REVOKED');
delete from "user".session;
select test.open_session(a.id) from "user".account a;
select is(pg_temp.refusal(), null, 'one that was opened afterwards is live');
delete from "user".session;
select test.open_session(null);
select is(pg_temp.refusal(), null, 'a guest''s has no account that could end it');
select is((private.session_error(null)).code, 'SESSION_NOT_FOUND', 'a session that does not exist gets SESSION_NOT_FOUND');

select volatility_is('private', 'session_error', array['"user".session'], 'stable',
  'session_error is stable, because calls of api.authorize share a connection and must not lock');

select * from finish();
rollback;
