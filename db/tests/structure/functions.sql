begin;
select plan(25);

-- How functions are defined
select is_empty($$select signature from our_function
    where prosecdef and proconfig is distinct from array['search_path=pg_catalog, pg_temp']$$,
  'every security definer function sets its search path, with pg_temp last');
select is_empty($$select signature from our_function
    where not prosecdef and proconfig[1] is distinct from 'search_path=pg_catalog, pg_temp'$$,
  'every function that is not security definer sets its search path, with pg_temp last');
select is_empty($$select signature from our_function where schema in ('api', 'delivery', 'startup', 'latchkey') and not prosecdef and name <> 'notify_changes'$$,
  'every entry point is a security definer function, but one that makes a trigger with its caller''s rights');
select set_eq($$select name || ' of ' || proowner::regrole from our_function where schema = 'private' and prosecdef$$, array['run_hook of latchkey_hook'],
  'the only security definer function of schema private runs hooks, with their rights');
select is_empty($$select signature from our_function where obj_description(oid, 'pg_proc') is null$$,
  'every function has a comment');
select is_empty($$select schema, name from our_function group by schema, name having count(*) > 1$$,
  'no schema has two functions of one name');

-- Who can execute functions
select is_empty($$select p.oid::regprocedure from pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
    where a.grantee = 0 and (p.oid in (select oid from our_function) or p.pronamespace = 'graphile_worker'::regnamespace)$$,
  'PUBLIC can execute no function of ours or of the queue');
select is_empty($$select p.oid::regprocedure, a.grantee::regrole from pg_proc p, aclexplode(p.proacl) a
    where p.pronamespace = 'crypto'::regnamespace and a.grantee <> 0 and a.grantee <> p.proowner$$,
  'no role has a right to a function of pgcrypto by name');
select is_empty($$select f.signature, a.grantee::regrole from our_function f, aclexplode(f.proacl) a
    where a.grantee not in (select oid from our_role)$$,
  'no role other than ours can execute a function of ours');
create function pg_temp.executed_by(role text) returns setof text language sql
as $$ select f.schema || '.' || f.name from our_function f where has_function_privilege(role, f.oid, 'execute') $$;
select set_eq($$select pg_temp.executed_by('latchkey_server')$$, array[
  'api.add_passkey', 'api.add_totp_factor', 'api.begin_factor_passkey', 'api.begin_passkey_enrolment', 'api.begin_passkey_step_up', 'api.begin_passkey_login', 'api.log_in_by_passkey', 'api.authorize', 'api.change_email', 'api.change_password', 'api.change_phone', 'api.check_health', 'api.check_readiness', 'api.measure',
  'api.confirm_totp_factor', 'api.list_factors', 'api.log_in_by_factor', 'api.make_recovery_codes', 'api.remove_factor',
  'api.create_guest_session', 'api.delete_account', 'api.describe_caller', 'api.export_account', 'api.list_sessions', 'api.log_in', 'api.log_in_by_otp',
  'api.list_sign_in_ways', 'api.log_out', 'api.record_receipt', 'api.refresh_session', 'api.register',
  'api.remove_email', 'api.request_email_change', 'api.request_password_reset', 'api.request_phone_change', 'api.reset_password', 'api.revoke_other_sessions', 'api.revoke_session',
  'api.send_otp', 'api.settle_otp_send', 'api.step_up', 'api.stop_phone_change', 'api.verify_registration',
  'startup.check_pepper', 'startup.confirm_signing_keys', 'startup.installed_migration', 'startup.mark_database', 'startup.migrated_for_production', 'startup.missing_rights', 'startup.restored', 'startup.signing_keys', 'startup.store_issuer'
], 'latchkey_server can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_worker')$$, array[
  'delivery.clean_up', 'delivery.erase_due_account', 'delivery.heartbeat', 'delivery.issue_otp_code',
  'delivery.first_due', 'delivery.jobs_locked_for', 'delivery.providers_in_use',
  'delivery.next_events', 'delivery.queue_events', 'delivery.record_event_deliveries', 'delivery.watch_event_backlogs',
  'delivery.record_attempt', 'delivery.unlock_dead_workers', 'delivery.unlock_lost_jobs',
  'startup.check_pepper', 'startup.installed_migration', 'startup.mark_database', 'startup.migrated_for_production', 'startup.missing_rights', 'startup.restored'
], 'latchkey_worker can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_user')$$, array[
  'latchkey.claims', 'latchkey.has_role', 'latchkey.is_live', 'latchkey.role', 'latchkey.session_id', 'latchkey.user_id',
  'user.revoke_other_sessions', 'user.revoke_session', 'user.session_epochs'
],
  'latchkey_user can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_admin')$$, array[
  'latchkey.claims', 'latchkey.has_role', 'latchkey.is_live', 'latchkey.role', 'latchkey.session_id', 'latchkey.user_id',
  'fraud.what_if', 'platform.clear_limits', 'platform.count_live', 'platform.explain_delivery', 'platform.explain_refusal', 'platform.limits_of', 'platform.replay_events',
  'platform.send_test_message',
  'platform.sent_by_hour', 'platform.session_as_of', 'platform.sign_ins_by_hour', 'platform.verify_events', 'platform.what_if', 'settings.known_settings', 'settings.otp_template_costs', 'settings.preview_message',
  'settings.preview_second_factor', 'user.create_account', 'user.disable_account',
  'user.enable_account', 'user.erase_account', 'user.find_account', 'user.invite', 'user.remove_factor', 'user.remove_factors_of', 'user.revoke_sessions_of', 'user.session_epochs', 'user.unlock_factors'
],
  'latchkey_admin can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_graphql')$$, array[
  'api.authorize', 'api.check_readiness', 'api.count_admin_failure', 'latchkey.begin_request', 'startup.installed_migration', 'startup.restored'
], 'latchkey_graphql can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_guest')$$, array[
  'latchkey.claims', 'latchkey.has_role', 'latchkey.is_live', 'latchkey.role', 'latchkey.session_id', 'latchkey.user_id'
], 'latchkey_guest can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_application')$$, array[
  'latchkey.begin_session', 'latchkey.claims', 'latchkey.has_role', 'latchkey.is_live', 'latchkey.role', 'latchkey.session_id', 'latchkey.user_id'
], 'latchkey_application can execute exactly the listed functions');
select set_eq($$select pg_temp.executed_by('latchkey_hook')$$, array['private.run_hook'],
  'latchkey_hook can execute no function of ours but the one that it owns, which it cannot name: it has no right to the schema');
select is_empty($$select signature from our_function where schema = 'fraud' and (prosecdef <> (name = 'what_if'))$$,
  'what_if is the only security definer function of schema fraud');
select is_empty($$select p.oid::regprocedure from pg_proc p where p.pronamespace = 'graphile_worker'::regnamespace
    and not has_function_privilege('latchkey_worker', p.oid, 'execute')$$,
  'latchkey_worker can execute every function of the queue');
select is_empty($$select p.oid::regprocedure, r.rolname from pg_proc p, our_role r where p.pronamespace = 'graphile_worker'::regnamespace
    and r.rolname not in ('latchkey_owner', 'latchkey_worker') and has_function_privilege(r.oid, p.oid, 'execute')$$,
  'no other role of ours can execute a function of the queue');
select is_empty($$select d.oid from pg_default_acl d, aclexplode(d.defaclacl) a
    where a.grantee = 0 and d.defaclobjtype = 'f' and d.defaclrole = 'latchkey_owner'::regrole$$,
  'no default privilege grants new functions of the owner to PUBLIC');
select isnt_empty($$select from pg_default_acl d
    where d.defaclobjtype = 'f' and d.defaclnamespace = 0 and d.defaclrole = 'latchkey_owner'::regrole$$,
  'the owner has default privileges for functions, which replace PostgreSQL''s grant to PUBLIC');

-- Answer types
select is_empty($$select t.typname from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
    where t.typnamespace = 'api'::regnamespace and t.typname <> 'error' and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attnum = 1 and a.attname = 'error' and a.atttypid = 'api.error'::regtype
    )$$, 'the first column of every answer type is its error');
select is_empty($$select signature from our_function
    where name <> 'error' and (prosrc ~* 'error\.(code|details)\s*:?=[^=]' or prosrc ~* '::\s*api\.error\y')$$,
  'only private.error makes an error: one whose fields are all null would count as a refusal');
select is_empty($$select schema || '.' || name from our_function f where schema = 'api' and (proretset or not exists (
    select from pg_type t join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
    where t.oid = f.prorettype and t.typnamespace = 'api'::regnamespace))$$,
  'every function of api returns one row of an answer type');

select * from finish();
rollback;
