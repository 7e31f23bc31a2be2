begin;
select plan(39);
select test.clean_slate();

create temp table first on commit drop as select * from test.open_session(test.make_account('+12025550101'));
create temp table bystander on commit drop as select o.* from first, test.open_session(first.user_id) o;
update "user".session set access_token_expires_at = access_token_expires_at - interval '50 minutes',
  refresh_token_expires_at = refresh_token_expires_at - interval '20 days';

create temp table second on commit drop as select a.* from first, test.call_as('latchkey_server',
  format('api.refresh_session(%L, %L, ''192.0.2.1'', ''test'')', first.session_id, first.refresh_token_id), null::api.session_answer) a;
select is((select (error).code from second), null, 'the current refresh token refreshes the session');
select is((select row(session_id, user_id, user_type, role)::text from second),
  (select row(session_id, user_id, user_type, role)::text from first), 'a refresh keeps the session, its user and role');
select isnt((select access_token_id from second), (select access_token_id from first), 'a refresh replaces the access token');
select isnt((select refresh_token_id from second), (select refresh_token_id from first), 'a refresh replaces the refresh token');
select is((select test.seconds_until(access_token_expires_at) from second), 3600,
  'a refresh restarts the lifetime of the access token');
select is((select test.seconds_until(refresh_token_expires_at) from second), 2592000,
  'a refresh restarts the lifetime of the refresh token');
select is((select s.previous_refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from first), 'a refresh stores the id of the replaced refresh token');

-- The replaced token, within the grace
select is((select api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')::text from first), (select second.*::text from second),
  'within the grace the replaced token gets the session''s current ids and expiry times');
select is((select api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')::text from first), (select second.*::text from second),
  'within the grace the replaced token gets the same answer again');
select is((select s.refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from second), 'within the grace the replaced token does not rotate the session');
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '600');
update "user".session set rotated_at = clock_timestamp() - interval '9 minutes' where rotated_at is not null;
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from first), null,
  'a minute before the grace ends the replaced token still refreshes');
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '10');
update "user".session set rotated_at = clock_timestamp() - interval '10 seconds' where rotated_at is not null;

-- The replaced token, after the grace: it was stolen
select lives_ok('create temp table reuse on commit drop as
  select a.* from first, api.refresh_session(first.session_id, first.refresh_token_id, ''192.0.2.1'', ''test'') a',
  'reuse of a token is returned as an error, since a raise would roll the revocation back');
select is((select (error).code from reuse), 'SESSION_REVOKED', 'after the grace the replaced token gets SESSION_REVOKED');
select is((select (error).details from reuse), '{"reason": "token_reused"}', 'which says that it was reused');
select is((select row(session_id, access_token_id, refresh_token_id)::text from reuse), '(,,)',
  'the error after a reuse contains no session id or token id');
select isnt((select s.revoked_at from "user".session s, first where s.id = first.session_id), null,
  'reuse of a token revokes the session');
select is((select s.revoked_at from "user".session s, bystander b where s.id = b.session_id), null,
  'reuse of a token revokes no other session of the user');
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from second), 'SESSION_REVOKED',
  'the current token of a revoked session is refused');
select is((select s.refresh_token_id from "user".session s, first where s.id = first.session_id),
  (select refresh_token_id from second), 'the current token of a revoked session does not rotate it');

-- A token older than the replaced one
create temp table third on commit drop as select a.* from bystander b, api.refresh_session(b.session_id, b.refresh_token_id, '192.0.2.1', 'test') a;
create temp table fourth on commit drop as select a.* from third t, api.refresh_session(t.session_id, t.refresh_token_id, '192.0.2.1', 'test') a;
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from bystander), 'SESSION_REVOKED',
  'a token older than the replaced one is reuse, even within the grace');
select is((select (api.authorize(session_id)).error.code from fourth), 'SESSION_REVOKED',
  'a token older than the replaced one revokes the session');

-- A grace of 0
create temp table guest on commit drop as select * from test.open_session(null);
select test.set_setting('REFRESH_REUSE_GRACE_SECONDS', '0');
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).user_type from guest), 'guest',
  'a guest session is refreshed like a user''s');
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from guest), 'SESSION_REVOKED',
  'with a grace of 0 a token refreshes only once');

-- Unknown session, another session's token, expired session
select is((api.refresh_session(gen_random_uuid(), gen_random_uuid(), '192.0.2.1', 'test')).error.code, 'SESSION_NOT_FOUND',
  'an unknown session id gets SESSION_NOT_FOUND');
select is((api.refresh_session(gen_random_uuid(), gen_random_uuid(), '192.0.2.1', 'test')).error.details, '{"reason": "session_missing"}',
  'SESSION_NOT_FOUND has the reason session_missing');
create temp table one on commit drop as select * from test.open_session(null);
create temp table two on commit drop as select * from test.open_session(null);
select is((select (api.refresh_session(one.session_id, two.refresh_token_id, '192.0.2.1', 'test')).error.code from one, two), 'SESSION_REVOKED',
  'another session''s refresh token gets SESSION_REVOKED');
select is((select (api.refresh_session(session_id, access_token_id, '192.0.2.1', 'test')).error.code from two), 'SESSION_REVOKED',
  'the session''s own access token id gets SESSION_REVOKED');
create temp table three on commit drop as select * from test.open_session(null);
update "user".session set refresh_token_expires_at = clock_timestamp() + interval '1 minute' where id = (select session_id from three);
create temp table three_later on commit drop as select a.* from three t, api.refresh_session(t.session_id, t.refresh_token_id, '192.0.2.1', 'test') a;
select is((select (error).code from three_later), null, 'a minute before it expires a session can be refreshed');
update "user".session set refresh_token_expires_at = clock_timestamp() where id = (select session_id from three);
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from three_later), 'SESSION_NOT_FOUND',
  'an expired session gets SESSION_NOT_FOUND');
select is((select s.revoked_at from "user".session s, three t where s.id = t.session_id), null,
  'refreshing an expired session does not revoke it');

-- Limits of the whole session, as they are now
create function pg_temp.refresh_after(age interval) returns text language plpgsql
as $$
declare
  v_session api.session_answer := test.open_session(null);
begin
  update "user".session s set created_at = s.created_at - age where s.id = v_session.session_id;
  v_session := api.refresh_session(v_session.session_id, v_session.refresh_token_id, '192.0.2.1', 'test');
  return coalesce((v_session.error).code || ((v_session.error).details ->> 'reason'),
    test.seconds_until(v_session.access_token_expires_at) || ' ' ||
    test.seconds_until(v_session.refresh_token_expires_at));
end
$$;
select test.set_setting('SESSION_MAX_SECONDS', '7200');
select is(pg_temp.refresh_after('90 minutes'), '1800 1800', 'a refresh sets no end beyond SESSION_MAX_SECONDS');
select is(pg_temp.refresh_after('119 minutes'), '60 60', 'a minute before SESSION_MAX_SECONDS a session can be refreshed');
select is(pg_temp.refresh_after('2 hours'), 'SESSION_NOT_FOUNDsession_missing',
  'a session older than SESSION_MAX_SECONDS is gone at its next refresh, whatever end it was given');
select test.set_setting('SESSION_MAX_SECONDS', '"off"'), test.set_setting('SESSION_IDLE_SECONDS', '7200');
select is(pg_temp.refresh_after('119 minutes'), '3600 7200', 'a refresh starts SESSION_IDLE_SECONDS again');
select is(pg_temp.refresh_after('2 hours'), 'SESSION_NOT_FOUNDsession_missing',
  'a session not refreshed for SESSION_IDLE_SECONDS is gone at its next refresh, whatever end it was given');
create temp table idle on commit drop as select * from test.open_session(null);
update "user".session s set created_at = s.created_at - interval '5 hours', rotated_at = now() - interval '1 hour'
from idle where s.id = idle.session_id;
select is((select (api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error.code from idle), null,
  'the last refresh counts, not the opening');
select test.set_setting('SESSION_IDLE_SECONDS', '"off"');

-- How the user signed in
create temp table signed_in on commit drop as select o.* from "user".account a, test.open_session(a.id) o;
select is((select row(r.amr, r.authenticated_at)::text from signed_in s, api.refresh_session(s.session_id, s.refresh_token_id, '192.0.2.1', 'test') r),
  (select row(amr, authenticated_at)::text from signed_in), 'a refresh keeps how and when the user signed in');

-- REFRESH_REUSE_POLICY
select test.set_setting('REFRESH_REUSE_POLICY', '"refuse"');
select is((select (e.error).code || ((e.error).details ->> 'reason') from signed_in s,
    api.refresh_session(s.session_id, s.access_token_id, '192.0.2.1', 'test') e), 'SESSION_NOT_FOUNDtoken_replaced',
  'REFRESH_REUSE_POLICY refuse refuses a reused token');
select is((select s.revoked_at from "user".session s join signed_in i on i.session_id = s.id), null, 'the session of the refused token stays live');

select * from finish();
rollback;
