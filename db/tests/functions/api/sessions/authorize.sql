begin;
select plan(11);
select test.clean_slate();

create temp table guest on commit drop as select * from api.create_guest_session('192.0.2.1', 'test');
create temp table member on commit drop as select * from test.open_session(test.make_account('+12025550101'));

select is((select a.*::text from guest g, api.authorize(g.session_id) a), (select g.*::text from guest g),
  'authorize returns for a guest session what create_guest_session returned');
select is((select a.*::text from member m, api.authorize(m.session_id) a), (select m.*::text from member m),
  'authorize returns for a user''s session its user, role, token ids and expiry times');

select is((api.authorize(gen_random_uuid())).error.code, 'SESSION_NOT_FOUND', 'an unknown session id gets SESSION_NOT_FOUND');
select is((api.authorize(gen_random_uuid())).error.details, '{"reason": "session_missing"}',
  'SESSION_NOT_FOUND has the reason session_missing');
select is((api.authorize(null)).error.code, 'SESSION_NOT_FOUND', 'a null session id gets SESSION_NOT_FOUND');

update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 minute' where id = (select session_id from guest);
select is((select (api.authorize(g.session_id)).error.code from guest g), null,
  'a minute before its refresh token expires a session is live');
update "user".session set refresh_token_expires_at = clock_timestamp() where id = (select session_id from guest);
select is((select (api.authorize(g.session_id)).error.code from guest g), 'SESSION_NOT_FOUND',
  'a session whose refresh token has expired gets SESSION_NOT_FOUND');

update "user".session set revoked_at = clock_timestamp() where user_id is not null;
select is((select (api.authorize(m.session_id)).error.code from member m), 'SESSION_REVOKED',
  'a revoked session gets SESSION_REVOKED');
select is((select (api.authorize(m.session_id)).access_token_id from member m), null, 'an error response contains no token id');

-- Where a second factor is required
select test.clean_slate();
select test.set_setting('SECOND_FACTOR', '"required"');
create temp table bare on commit drop as select session_id from test.open_session(test.make_account('+12025550109'));
create temp table visitor on commit drop as select session_id from test.open_session(null);
select is((a.error).details ->> 'reason', 'second_factor_setup_required', 'a user without a second factor is refused where one is required')
from bare, api.authorize(session_id) a;
select is(a.error, null, 'a guest is not') from visitor, api.authorize(session_id) a;

select * from finish();
rollback;
