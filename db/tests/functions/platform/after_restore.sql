begin;
select plan(29);
select test.clean_slate();
insert into private.installation (is_one) values (true) on conflict do nothing;
create temp table moment on commit drop as select clock_timestamp() - interval '2 hours' as at;
update private.installation set sessions_refresh_after = null;
create temp table own on commit drop as
  select s.*, test.send_code('+12025550101', 'LOGIN') as code from test.open_session(test.make_account('+12025550101')) s;
insert into private.phone_recovery (account_id, phone, session_id, asked_at, due_at)
select user_id, '+12025550109', session_id, now(), now() + interval '1 day' from own;
insert into "user".factor (id, user_id, kind, confirmed_at, sealed_secret, pepper_id, last_step) select gen_random_uuid(), user_id, 'totp', now(), '\x01', 'x', 5 from own;
insert into "user".factor (id, user_id, kind, confirmed_at, credential_id, public_key, sign_count) select gen_random_uuid(), user_id, 'passkey', now(), '\x01', '\x01', 7 from own;
insert into private.recovery_code (user_id, code_hash) select user_id, '\x01' from own;
insert into "user".account (id, phone, phone_verified_at, deletion_due_at)
values (gen_random_uuid(), '+12025550103', now(), now() + interval '1 hour');
insert into private.worker_heartbeat (worker, at, can_send) values ('of the old database', now(), true);

update private.installation set origin.system_identifier = 1, marked_at = (select at from moment);
select matches((select platform.after_restore()), '^restored: the data are of .* UTC\. Codes, .*platform\.apply_revocations', 'it says what it did');
select is(private.restore_kind(), null, 'the restore is settled');
select results_eq($$select r.at, r.is_failover from private.restore r$$, $$select at, false from moment$$, 'as of the latest mark in the data');
select is((private.check_otp(test.attempt('PHONE', '+12025550101', 'LOGIN', code))).error, private.error('OTP_EXPIRED'), 'codes are void') from own;
select is((api.describe_caller(session_id)).error, private.error('SESSION_NOT_FOUND', '{"reason": "token_expired"}'), 'an access token from before is refused')
from own;
select is(((api.authorize(session_id)).error).code, 'SESSION_NOT_FOUND', 'for GraphQL too') from own;
create temp table guest on commit drop as select g.session_id from test.open_session(null) g;
select is(private.guest_error(session_id), private.error('SESSION_NOT_FOUND', '{"reason": "token_expired"}'),
  'so is a guest''s that is to become a user''s')
from guest;
select is_empty($$select from private.phone_recovery$$, 'changes of phone without the password have ended');
select ok(last_step > extract(epoch from clock_timestamp()) / 30 and last_step <= extract(epoch from clock_timestamp()) / 30 + 1,
  'no code of an app up to now counts again, and the next one does')
from "user".factor where kind = 'totp';
select is((select sign_count from "user".factor where kind = 'passkey'), 7::bigint, 'the counters of passkeys stay');
select is((select count(*)::integer from private.recovery_code where used_at is null), 1, 'recovery codes stay');
select is((select round(extract(epoch from deletion_due_at - now()) / 60)::integer from "user".account where phone = '+12025550103'), 180,
  'an account that is to be deleted gets as much time again as is missing');
select is_empty($$select from private.worker_heartbeat$$, 'heartbeats of the old workers are gone');

select is((api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error, null, 'the session refreshes') from own;
-- A refresh comes in a transaction of its own, in which now() is later.
update "user".session set rotated_at = clock_timestamp() + interval '1 second';
select is((api.describe_caller(session_id)).error, null, 'and goes on') from own;
insert into "user".session (user_id, created_at) select user_id, now() - interval '1 hour' from own;
select is((api.refresh_session(id, gen_random_uuid(), '192.0.2.1', 'test')).error, private.error('SESSION_REVOKED', '{"reason": "token_reused"}'),
  'one whose client holds a later token is over')
from "user".session where user_id is not null and rotated_at is null;

update "user".account set deletion_due_at = now() + interval '1 hour' where phone = '+12025550103';
select is_empty($$select platform.after_restore(at) from moment$$, 'a second call for the same moment does nothing');
select is((select count(*)::integer from private.restore), 1, 'and records nothing');
select isnt_empty($$select platform.after_restore(at + interval '1 minute') from moment$$, 'a call for another moment settles that one');
select private.add_signing_key('a', 'ES256', '\x01', 'k'), private.promote_signing_key(true), private.add_signing_key('b', 'ES256', '\x02', 'k');
select matches((select string_agg(r, ' ') from moment, platform.after_restore(at + interval '2 minutes') r),
  'keys that verify tokens came back with the data: a \(current\), b \(next\)\. Retire again', 'keys, one of which may have leaked since, are named');
select throws_ok(format('select platform.after_restore(%L)', moment), '22023', 'at is the moment to which the database was restored: it cannot be in the future',
  'a moment in the future is refused: ' || moment)
from (values ('infinity'), ((now() + interval '1 day')::text)) m (moment);

-- A machine whose clock is a day behind the one that marked the data
delete from private.restore;
update private.installation set origin.system_identifier = 1, marked_at = now() + interval '1 day', sessions_refresh_after = null;
truncate own;
insert into own select s.*, null from test.open_session(test.make_account('+12025550104')) s;
update "user".session set rotated_at = now() + interval '23 hours' where id = (select session_id from own);
insert into "user".session (user_id, created_at) select user_id, now() + interval '22 hours' from own;
create temp table earlier on commit drop as select o.session_id as id from test.open_session(null) o;
alter table earlier add rotated_at timestamptz;
update earlier set rotated_at = s.rotated_at from "user".session s where s.id = earlier.id;
select results_eq($$select regexp_replace(r, '\d{4}-.*? UTC', 'T', 'g') from platform.after_restore() r where r not like 'keys%'$$, array[
  'restored: the data are of T. Codes, waiting messages and changes of phone without the password have ended, and every session has to refresh its tokens. '
    || 'Sessions that were revoked since are live again: apply what your subscribers know by platform.apply_revocations(…), or end all of them (docs/backup.md)',
  'the clock of this machine, T, is behind the latest mark in the data: set the clock. Until it has passed that mark, what happens has times before it'
], 'a mark in the future of this clock is settled, and the clock is named');
select results_eq('select r.at from private.restore r', $$select now() + interval '1 day'$$, 'as of the mark');
select is(private.restore_kind(now() + interval '1 day'), null, 'who has seen the mark notices no other restore');
select is((select count(*)::integer from "user".session s join own using (user_id) where s.revoked_at is null and not private.needs_refresh(s)), 0,
  'sessions of a later time than this clock''s have to refresh, too');
select is(s.rotated_at, e.rotated_at, 'and no other one is touched') from earlier e join "user".session s using (id);
select is((api.refresh_session(session_id, refresh_token_id, '192.0.2.1', 'test')).error, null, 'which they can') from own;
select is_empty('select platform.after_restore()', 'a second call does nothing');

select * from finish();
rollback;
