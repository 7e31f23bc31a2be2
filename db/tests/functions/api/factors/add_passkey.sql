begin;
select plan(16);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table own on commit drop as select session_id, user_id from actor, test.open_session(actor.id);
create temp table made on commit drop as select c.* from own, private.new_challenge('enrol', user_id, session_id) c;
create function pg_temp.add(is_signed boolean default true, credential_id bytea default '\x01', rp_id text default 'example.com')
returns api.recovery_codes_answer language sql
as $$
  select api.add_passkey(own.session_id, own.user_id, made.id, 'key', array['usb'], add.rp_id, test.code_key(), '192.0.2.1', '{}', add.credential_id, '\xa5',
    test.authenticator_data(3, 69), add.is_signed)
  from own, made
$$;
select is(((pg_temp.add(rp_id => null)).error).details ->> 'reason', 'not_enabled', 'without a domain there are no passkeys');
select is(((pg_temp.add(null)).error).details, jsonb_build_object('ceremony', 'create', 'challenge', private.base64url(webauthn_challenge), 'public_key', null),
  'the server is asked to read the answer') from made;
select is(((pg_temp.add(false)).error).code, 'INVALID_OTP', 'a wrong answer adds nothing');
select is((select attempts from private.factor_challenge), 1, 'and is counted');
create temp table answer on commit drop as select c.* from pg_temp.add() c;
select is((error).code, null, 'the right one adds the passkey') from answer;
select is(cardinality(recovery_codes), 10, 'the first factor brings recovery codes') from answer;
select results_eq('select kind, label, credential_id, public_key, sign_count, transports, is_backup_eligible, is_synced, confirmed_at is not null from "user".factor',
  $$values ('passkey', 'key', '\x01'::bytea, '\xa5'::bytea, 3::bigint, array['usb'], false, false, true)$$, 'as it says of itself');
select is((select amr from "user".session), array['pwd', 'hwk', 'user', 'mfa'], 'the session has proved it');
select is(((pg_temp.add(credential_id => '\x02')).error).code, 'INVALID_OTP', 'its challenge is used');
update private.factor_challenge set used_at = null;
select is(((pg_temp.add()).error).details ->> 'reason', 'already_registered', 'a passkey is added once');
select is((select count(*)::integer from private.recovery_code), 10, 'and the recovery codes stay');
update private.factor_challenge set used_at = null;
select is((pg_temp.add(credential_id => '\x02')).recovery_codes, null, 'the second one brings none');
update private.factor_challenge set used_at = null;
update "user".session set authenticated_at = now() - interval '1 hour';
select is(((pg_temp.add(credential_id => '\x03')).error).details ->> 'reason', 'step_up_required', 'an old proof does not do');
select test.step_up(session_id) from own;
select test.make_passkey(user_id, decode(to_hex(16 + n), 'hex')) from own, generate_series(1, 8) n;
select is(((pg_temp.add(credential_id => '\x03')).error).details ->> 'reason', 'too_many_factors', 'ten are enough');
update "user".session set revoked_at = now();
select is(((pg_temp.add(credential_id => '\x03')).error).code, 'SESSION_REVOKED', 'a dead session adds nothing');
select is((select count(*)::integer from "user".factor), 10, 'nobody got another one');
select * from finish();
rollback;
