begin;
select plan(8);
select test.clean_slate();

create temp table mine on commit drop as select * from test.open_session(test.make_account('+12025550101'));
create temp table other on commit drop as select o.* from mine, test.open_session(mine.user_id) o;
create temp table stranger on commit drop as select * from test.open_session(test.make_account('+12025550102'));

grant select on mine to latchkey_server;
set local role latchkey_server;
select is((select to_jsonb(api.log_out(session_id)) from mine), '{"error": null}', 'log_out returns no error');
reset role;
select isnt((select s.revoked_at from "user".session s, mine where s.id = mine.session_id), null, 'log_out revokes the session');
select is((select count(*)::integer from "user".session s where s.revoked_at is not null), 1, 'log_out revokes no other session');

create temp table before on commit drop as select s.revoked_at from "user".session s, mine where s.id = mine.session_id;
select is((select (api.log_out(session_id)).error.code from mine), 'SESSION_REVOKED', 'a second log_out gets SESSION_REVOKED');
select is((select s.revoked_at from "user".session s, mine where s.id = mine.session_id), (select revoked_at from before),
  'a second log_out does not change when the session was revoked');

select is(to_jsonb(api.log_out(gen_random_uuid())), '{"error": {"code": "SESSION_NOT_FOUND", "details": {"reason": "session_missing"}}}',
  'an unknown session id gets SESSION_NOT_FOUND');
update "user".session set refresh_token_expires_at = clock_timestamp() where id = (select session_id from other);
select is((select (api.log_out(session_id)).error.code from other), 'SESSION_NOT_FOUND',
  'an expired session gets SESSION_NOT_FOUND');
select is((select s.revoked_at from "user".session s, other where s.id = other.session_id), null,
  'log_out does not revoke an expired session');

select * from finish();
rollback;
