begin;
select plan(17);
select test.clean_slate();
-- Whether a reused token is refused alone (token_replaced) or ends its session; the session is held by 192.0.2.1,
-- "test".
create function pg_temp.reuse(policy text, client text default '192.0.2.1', user_agent text default 'test') returns text language plpgsql
as $$
declare
  v_id uuid := (test.open_session(null)).session_id;
  v_session "user".session;
  v_error api.error;
begin
  perform test.set_setting('REFRESH_REUSE_POLICY', to_jsonb(policy));
  select s.* into v_session from "user".session s where s.id = v_id;
  v_error := private.refuse_reused_token(v_session, client, user_agent);
  select s.* into v_session from "user".session s where s.id = v_id;
  return v_error.code || coalesce(' ' || (v_error.details ->> 'reason'), '') || case when v_session.revoked_at is null then ', live' else ', revoked' end;
end
$$;

select is(pg_temp.reuse('revoke'), 'SESSION_REVOKED token_reused, revoked', 'revoke ends the session');
select is(pg_temp.reuse('refuse'), 'SESSION_NOT_FOUND token_replaced, live', 'refuse refuses the request alone');
select is(pg_temp.reuse('refuse', '192.0.2.2', 'another'), 'SESSION_NOT_FOUND token_replaced, live', 'refuse does so for every client');
select is(pg_temp.reuse('same-client'), 'SESSION_NOT_FOUND token_replaced, live', 'same-client refuses the client that holds the tokens');
select is(pg_temp.reuse('same-client', '192.0.2.2'), 'SESSION_REVOKED token_reused, revoked', 'another address ends the session');
select is(pg_temp.reuse('same-client', '192.0.2.1', 'another'), 'SESSION_REVOKED token_reused, revoked', 'another user agent ends the session');
select is(pg_temp.reuse('same-client', '192.0.2.1', null), 'SESSION_REVOKED token_reused, revoked', 'a missing user agent is another one');
update private.installation set sessions_refresh_after = clock_timestamp();
select is(pg_temp.reuse('same-client'), 'SESSION_REVOKED token_reused, revoked', 'a session that has not refreshed since a restore ends whatever the policy');
update private.installation set sessions_refresh_after = null;
delete from settings.configuration where key = 'REFRESH_REUSE_POLICY';
select is((select (private.refuse_reused_token(s, '192.0.2.1', 'test')).code from "user".session s where s.revoked_at is null limit 1),
  'SESSION_REVOKED', 'by default the session ends');
select test.set_setting('SESSION_CLIENT_DETAILS', '"off"');
select is(pg_temp.reuse('same-client'), 'SESSION_REVOKED token_reused, revoked', 'without client details nobody is the same client');
select is(pg_temp.reuse('same-client', null, null), 'SESSION_REVOKED token_reused, revoked', 'a missing client equals a missing client');
select throws_ok($$select test.set_setting('REFRESH_REUSE_POLICY', '"ignore"')$$, '23514', 'REFRESH_REUSE_POLICY: must be one of revoke, refuse, same-client',
  'no other policy is stored');
select throws_ok($$select test.set_setting('REFRESH_REUSE_POLICY', 'null')$$, '23514', null, 'null is no policy');
select throws_ok($$select test.set_setting('REFRESH_REUSE_POLICY', '["refuse"]')$$, '23514', null, 'a list is no policy');

-- Events: a refused token may be sent again and again
select test.set_setting('REFRESH_REUSE_POLICY', '"refuse"');
create temp table guest on commit drop as select g.session_id as id from test.open_session(null) g;
create function pg_temp.reuse_again() returns void language sql as $$
  select private.refuse_reused_token(s, '192.0.2.1', 'test') from "user".session s join guest using (id)
$$;
select test.forget_events();
select pg_temp.reuse_again() from generate_series(1, 3);
select is(test.events(), array['session.reuse_detected {"is_revoked": false}'], 'refusals are one event in an hour');
update "user".session set reuse_detected_at = reuse_detected_at - interval '1 hour';
select pg_temp.reuse_again();
select is(cardinality(test.events()), 2, 'and another one in the next');
select test.forget_events(), test.set_setting('REFRESH_REUSE_POLICY', '"revoke"');
select test.forget_events(), pg_temp.reuse_again();
select is(test.events('session.reuse%'), array['session.reuse_detected {"is_revoked": true}'], 'a revocation is one too');

select * from finish();
rollback;
