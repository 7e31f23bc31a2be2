begin;
select plan(9);
do $$ begin perform test.clean_slate(); perform private.open_session(test.make_account('+12025550101')); end $$;
create function pg_temp.refusal() returns api.session_answer language sql as $$ select private.session_refusal(s) from "user".session s $$;

select ok(pg_temp.refusal() is null, 'a live session is not refused');
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 second', access_token_expires_at = clock_timestamp() - interval '1 hour';
select ok(pg_temp.refusal() is null, 'a session lives a second before its refresh token''s end, whatever became of its access token');
update "user".session set refresh_token_expires_at = clock_timestamp();
select is((pg_temp.refusal()).error_code, 'SESSION_NOT_FOUND', 'and is gone at that end');
select is((pg_temp.refusal()).error_details, '{"reason": "session_missing"}', 'with the reason');
select is((pg_temp.refusal()).session_id, null, 'and nothing else');
update "user".session set revoked_at = clock_timestamp();
select is((pg_temp.refusal()).error_code, 'SESSION_REVOKED', 'a revoked session is revoked, also after its end');
select is((pg_temp.refusal()).error_details, null, 'without details');
select is((private.session_refusal(null)).error_code, 'SESSION_NOT_FOUND', 'no session is not found');

select volatility_is('private', 'session_refusal', array['"user".session'], 'stable',
  'it writes and locks nothing: api.authorize, whose calls share a connection, relies on it');

select * from finish();
rollback;
