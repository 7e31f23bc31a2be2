begin;
select plan(6);
select test.clean_slate();
create temp table guest on commit drop as select * from test.open_session(null);
create temp table member on commit drop as select * from test.open_session(test.make_account('+12025550101'));

select is(private.guest_error(null), null, 'no guest is no error');
select is(private.guest_error(session_id), null, 'a live guest session has no error') from guest;
select is((private.guest_error(session_id)).code, 'SESSION_MISMATCH', 'a user''s session gets SESSION_MISMATCH') from member;
select is((private.guest_error(gen_random_uuid())).code, 'SESSION_NOT_FOUND', 'an unknown session gets SESSION_NOT_FOUND');
update "user".session set refresh_token_expires_at = clock_timestamp() where user_id is null;
select is((private.guest_error(session_id)).code, 'SESSION_NOT_FOUND', 'an expired guest session gets SESSION_NOT_FOUND') from guest;
update "user".session set revoked_at = clock_timestamp();
select is((private.guest_error(session_id)).code, 'SESSION_REVOKED', 'a revoked guest session gets SESSION_REVOKED') from guest;

select * from finish();
rollback;
