begin;
select plan(3);
select test.clean_slate();
create temp table own on commit drop as select session_id, user_id from test.open_session(test.make_account('+12025550101'));
select is(private.user_session_error(session_id, user_id), null, 'a live session of the user may go on') from own;
select is((private.user_session_error(session_id, gen_random_uuid())).code, 'SESSION_NOT_FOUND', 'another user''s may not') from own;
select private.revoke_session(session_id) from own;
select is((private.user_session_error(session_id, user_id)).code, 'SESSION_REVOKED', 'nor a revoked one') from own;

select * from finish();
rollback;
