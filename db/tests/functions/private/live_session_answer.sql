begin;
select plan(9);
do $$ begin perform test.clean_slate(); end $$;
create temp table opened on commit drop as select o.* from private.open_session(test.make_account('+12025550101')) o;
create function pg_temp.answer() returns api.session_answer language sql as $$ select private.live_session_answer(s) from "user".session s $$;

select is(pg_temp.answer()::text, (select opened.*::text from opened), 'a live session is answered as it was opened');
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 second', access_token_expires_at = clock_timestamp() - interval '1 hour';
select is((pg_temp.answer()).error_code, null, 'a session lives a second before its refresh token''s end, whatever became of its access token');
update "user".session set refresh_token_expires_at = clock_timestamp();
select is((pg_temp.answer()).error_code, 'SESSION_NOT_FOUND', 'and is gone at that end');
select is((pg_temp.answer()).error_details, '{"reason": "session_missing"}', 'with the reason');
select is((pg_temp.answer()).session_id, null, 'and nothing else');
update "user".session set revoked_at = clock_timestamp();
select is((pg_temp.answer()).error_code, 'SESSION_REVOKED', 'a revoked session is revoked, also after its end');
select is((pg_temp.answer()).error_details, null, 'without details');
select is((pg_temp.answer()).session_id, null, 'and nothing else');
select is((private.live_session_answer(null)).error_code, 'SESSION_NOT_FOUND', 'no session is not found');

select * from finish();
rollback;
