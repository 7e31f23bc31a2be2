begin;
select plan(8);
select test.clean_slate();
select private.open_session(test.make_account('+12025550101'));
create function pg_temp.refusal() returns api.error language sql as $$ select private.session_error(s) from "user".session s $$;

select is(pg_temp.refusal(), null, 'a live session is not refused');
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 second', access_token_expires_at = clock_timestamp() - interval '1 hour';
select is(pg_temp.refusal(), null, 'a session lives a second before its refresh token''s end, whatever became of its access token');
update "user".session set refresh_token_expires_at = clock_timestamp();
select is((pg_temp.refusal()).code, 'SESSION_NOT_FOUND', 'and is gone at that end');
select is((pg_temp.refusal()).details, '{"reason": "session_missing"}', 'with the reason');
update "user".session set revoked_at = clock_timestamp();
select is((pg_temp.refusal()).code, 'SESSION_REVOKED', 'a revoked session is revoked, also after its end');
select is((pg_temp.refusal()).details, null, 'without details');
select is((private.session_error(null)).code, 'SESSION_NOT_FOUND', 'no session is not found');

select volatility_is('private', 'session_error', array['"user".session'], 'stable',
  'it writes and locks nothing: api.authorize, whose calls share a connection, relies on it');

select * from finish();
rollback;
