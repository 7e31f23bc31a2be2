begin;
select plan(7);
select test.clean_slate();
create temp table member on commit drop as select * from test.open_session(test.make_account('+12025550101'));
create temp table guest on commit drop as select * from test.open_session(null);

select is((select to_jsonb(a) from member m, test.call_as('latchkey_server', format('api.describe_caller(%L)', m.session_id), null::api.caller_answer) a),
  (select jsonb_build_object(
     'error', null, 'session_id', m.session_id, 'user_type', 'user', 'role', 'user', 'user_id', m.user_id, 'phone', '+12025550101',
     'email', 'someone@example.org', 'created_at', s.created_at, 'access_token_expires_at', m.access_token_expires_at,
     'refresh_token_expires_at', m.refresh_token_expires_at, 'deletion_due_at', null, 'phone_change_due_at', null
   ) from member m join "user".session s on s.id = m.session_id),
  'a user sees its session, phone and email');
select is((select row(a.session_id, a.user_type, a.role, a.user_id, a.phone, a.email)::text from guest g, api.describe_caller(g.session_id) a),
  (select row(session_id, 'guest', 'guest', null, null, null)::text from guest), 'a guest has neither user, phone nor email');
insert into private.phone_recovery (account_id, phone, session_id, asked_at, due_at) select user_id, '+12025550102', session_id, now(), '2100-01-01' from member;
select is((select (api.describe_caller(session_id)).phone_change_due_at from member), '2100-01-01'::timestamptz, 'a user sees a change of phone that waits');
update "user".session set revoked_at = clock_timestamp() where user_id is not null;
select is((select (api.describe_caller(session_id)).error.code from member), 'SESSION_REVOKED', 'a revoked session is refused');
select is((select (api.describe_caller(session_id)).phone from member), null, 'and sees nothing');
select is((api.describe_caller(gen_random_uuid())).error.code, 'SESSION_NOT_FOUND', 'an unknown session is refused');
select volatility_is('api', 'describe_caller', array['uuid'], 'stable', 'its calls share a connection, so it is stable');

select * from finish();
rollback;
