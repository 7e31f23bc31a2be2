begin;
select plan(31);
select test.clean_slate();

create temp table first on commit drop as select * from private.open_session(test.make_account('+12025550101'));
create temp table bystander on commit drop as select o.* from first, private.open_session(first.user_id) o;
update "user".session set access_token_expires_at = access_token_expires_at - interval '50 minutes',
  refresh_token_expires_at = refresh_token_expires_at - interval '20 days';

create temp table second on commit drop as select a.* from first, test.call_as('latchkey_server',
  format('api.refresh_session(%L, %L)', first.session_id, first.refresh_token_id), null::api.session_answer) a;
select is((select (error).code from second), null, 'the current refresh token refreshes');
select is((select row(session_id, user_id, user_type, role)::text from second),
  (select row(session_id, user_id, user_type, role)::text from first), 'the session, its user and role stay');
select isnt((select access_token_id from second), (select access_token_id from first), 'the access token is replaced');
select isnt((select refresh_token_id from second), (select refresh_token_id from first), 'so is the refresh token');
select is((select round(extract(epoch from access_token_expires_at - clock_timestamp())) from second), 3600::numeric,
  'the access token''s lifetime starts anew');
select is((select round(extract(epoch from refresh_token_expires_at - clock_timestamp())) from second), 2592000::numeric,
  'so does the refresh token''s');
select is((select s.previous_refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from first), 'the token just replaced is remembered');

-- Within the grace
select is((select api.refresh_session(session_id, refresh_token_id)::text from first), (select second.*::text from second),
  'within the grace the token just replaced is answered with the session''s current ids and stored ends');
select is((select api.refresh_session(session_id, refresh_token_id)::text from first), (select second.*::text from second),
  'as often as it is asked, without another rotation');
select is((select s.refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from second), 'the stored token stays the current one');
update "user".session set rotated_at = clock_timestamp() - interval '9 seconds' where rotated_at is not null;
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from first), null,
  'one second before the grace ends it still refreshes');
update "user".session set rotated_at = clock_timestamp() - interval '8 seconds' where rotated_at is not null;
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '9');
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from first), null, 'a grace changed by SQL bites at once');
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '10');
update "user".session set rotated_at = clock_timestamp() - interval '10 seconds' where rotated_at is not null;

-- Theft
select lives_ok('create temp table theft on commit drop as
  select a.* from first, api.refresh_session(first.session_id, first.refresh_token_id) a',
  'theft is returned, not raised: a raise would roll the revocation back');
select is((select (error).code from theft), 'SESSION_REVOKED', 'after the grace the token just replaced is theft');
select is((select (error).details from theft), null, 'the refusal carries no details');
select is((select row(session_id, access_token_id, refresh_token_id)::text from theft), '(,,)', 'and no token id');
select isnt((select s.revoked_at from "user".session s, first where s.id = first.session_id), null, 'the session is revoked');
select is((select s.revoked_at from "user".session s, bystander b where s.id = b.session_id), null, 'and no other session of the user');
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from second), 'SESSION_REVOKED',
  'a revoked session''s current token is refused');
select is((select s.refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from second), 'and rotates nothing');

-- A token older than the one just replaced
create temp table third on commit drop as select a.* from bystander b, api.refresh_session(b.session_id, b.refresh_token_id) a;
create temp table fourth on commit drop as select a.* from third t, api.refresh_session(t.session_id, t.refresh_token_id) a;
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from bystander), 'SESSION_REVOKED',
  'a token older than the one just replaced is theft at any time');
select is((select (api.authorize(session_id)).error.code from fourth), 'SESSION_REVOKED', 'and ends the session');

-- A grace of nothing
create temp table guest on commit drop as select * from private.open_session(null);
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '0');
select is((select (api.refresh_session(session_id, refresh_token_id)).user_type from guest), 'guest', 'a guest refreshes likewise');
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from guest), 'SESSION_REVOKED',
  'with a grace of 0 a token never refreshes twice');

-- No such session, another session's token, an ended session
select is((api.refresh_session(gen_random_uuid(), gen_random_uuid())).error.code, 'SESSION_NOT_FOUND', 'a session that is not there is not found');
select is((api.refresh_session(gen_random_uuid(), gen_random_uuid())).error.details, '{"reason": "session_missing"}', 'and the details say so');
create temp table one on commit drop as select * from private.open_session(null);
create temp table two on commit drop as select * from private.open_session(null);
select is((select (api.refresh_session(one.session_id, two.refresh_token_id)).error.code from one, two), 'SESSION_REVOKED',
  'another session''s refresh token is no token of this one');
select is((select (api.refresh_session(session_id, access_token_id)).error.code from two), 'SESSION_REVOKED',
  'nor is its own access token');
create temp table three on commit drop as select * from private.open_session(null);
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 second' where id = (select session_id from three);
create temp table three_later on commit drop as select a.* from three t, api.refresh_session(t.session_id, t.refresh_token_id) a;
select is((select (error).code from three_later), null, 'one second before its end a session is refreshed');
update "user".session set refresh_token_expires_at = clock_timestamp() where id = (select session_id from three);
select is((select (api.refresh_session(session_id, refresh_token_id)).error.code from three_later), 'SESSION_NOT_FOUND',
  'a session that has ended is not');
select is((select s.revoked_at from "user".session s, three t where s.id = t.session_id), null, 'and is not taken for stolen');

select * from finish();
rollback;
