begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table caller on commit drop as select o.session_id, o.user_id from actor, test.open_session(actor.id) o;
select is((select a.export -> 'account' ->> 'user_id' from caller, test.call_as('latchkey_server',
  format('api.export_account(%L, %L)', session_id, user_id), null::api.export_answer) a), (select id::text from actor),
  'a user gets what is stored about it');
select is((select (e.error).code from caller, api.export_account(session_id, gen_random_uuid()) e), 'SESSION_NOT_FOUND',
  'the session must be the user''s');
select is((select count(*)::integer from platform.rate_limit where key like 'EXPORTS_PER_USER:%'), 1, 'a refused export is not counted');
select test.set_setting('EXPORTS_PER_USER', '"2/3600"');
select is((select (e.error).code from caller, api.export_account(session_id, user_id) e), null, 'the limit allows a second export');
select is((select concat((e.error).details ->> 'policy', e.export) from caller, api.export_account(session_id, user_id) e), 'EXPORTS_PER_USER',
  'EXPORTS_PER_USER limits exports, and nothing is exported beyond it');
-- An admin erases the account while the limit is counted
create or replace function private.take_rate_limits(rules private.rate_limit_rule[]) returns private.rate_limit_verdict language plpgsql
as $$ begin delete from "user".account; return null; end $$;
select is((select concat((e.error).code, e.export) from caller, api.export_account(session_id, user_id) e), 'SESSION_NOT_FOUND',
  'of an account that is erased meanwhile nothing is exported');
select * from finish();
rollback;
