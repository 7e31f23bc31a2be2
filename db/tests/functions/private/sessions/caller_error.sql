begin;
select plan(8);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice, test.make_account('+12025550102') as bob;
create temp table session on commit drop as select o.* from actor, test.open_session(alice) o;
create temp table guest on commit drop as select * from test.open_session(null);

select is(private.caller_error(session_id, user_id), null, 'a user with a live session is not refused') from session;
select is((private.caller_error(session_id, bob)).code, 'SESSION_NOT_FOUND', 'another user''s id does not fit the session') from session, actor;
select is((private.caller_error(session_id, alice)).code, 'SESSION_NOT_FOUND', 'a guest''s session is no user''s') from guest, actor;
select is((private.caller_error(session_id, null)).code, 'SESSION_NOT_FOUND', 'a session needs its user''s id') from session;
update "user".session s set revoked_at = clock_timestamp() from session where s.id = session.session_id;
select is((private.caller_error(session_id, user_id)).code, 'SESSION_REVOKED', 'a revoked session gets SESSION_REVOKED') from session;
select volatility_is('private', 'caller_error', array['uuid', 'uuid'], 'stable', 'caller_error is stable, so that functions which share a connection may call it');

-- Where a second factor is required
select test.clean_slate();
create temp table bare on commit drop as select session_id, user_id from test.open_session(test.make_account('+12025550109'));
select test.set_setting('SECOND_FACTOR', '"required"');
select is((private.caller_error(session_id, user_id)).details ->> 'reason', 'second_factor_setup_required', 'a user has to add a second factor first') from bare;
select test.make_factor(user_id) from bare;
select is(private.caller_error(session_id, user_id), null, 'and may go on with one') from bare;

select * from finish();
rollback;
