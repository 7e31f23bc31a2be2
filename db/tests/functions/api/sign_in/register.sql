begin;
select plan(49);
select test.clean_slate();
insert into private.verification_state values ('PHONE', '+12025550101'), ('PHONE', '+12025550102'), ('EMAIL', '+12025550101');

create temp table answer on commit drop as select * from test.call_as('latchkey_server',
  $$api.register('+12025550101', 'someone@example.org', test.prehash('correct horse'), 13, false, '192.0.2.1')$$, null::api.account_answer);
create temp table registration on commit drop as select * from private.pending_registration;
select is((select (error).code from answer), null, 'anyone can register a phone');
select is((select count(*)::integer from registration), 1, 'registering stores one pending registration');
select is((select count(*)::integer from "user".account), 0, 'registering creates no account');
select is((select user_id from answer), (select user_id from registration),
  'the answer contains the id of the pending registration');
select is((select substr(user_id::text, 15, 1) from answer), '7', 'the id is a time-ordered UUID');
select is((select row(phone, email, is_contested)::text from registration), '(+12025550101,someone@example.org,f)',
  'the pending registration has the phone and the email and is not contested');
select is((select array_agg(s.identifier_type || ' ' || s.identifier) from private.verification_state s where s.xmax::text <> '0'), array['PHONE +12025550101'],
  'the phone''s row of private.verification_state is locked, which verifications of the phone lock too');
select ok((select password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from registration),
  'the password is stored as a bcrypt hash');
select is((select count(*)::integer from "user".session), 0, 'registering opens no session');
select is((select count(*)::integer from platform.otp_transaction), 0, 'registering sends no code');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'a registration counts against REGISTER_PER_IP of the client');

-- A phone and an email that are none
select is((api.register(phone, email, test.prehash('x'), 7, false, '192.0.2.1'))::text,
  row(private.error('INVALID_IDENTIFIER', jsonb_build_object('field', field)), null)::text, 'a malformed ' || field || ' is refused, before the password')
from (values ('phone', '12025550109', null), ('phone', null, null), ('email', '+12025550109', 'ada'), ('email', '+12025550109', 'Ada@example.org'))
  malformed (field, phone, email);

-- The password rules
select is((api.register('+12025550109', null, test.prehash('x'), length, common, '192.0.2.1'))::text,
  row(private.error('INVALID_REQUEST', details::jsonb), null)::text, description)
from (values
  (7, false, '{"field": "password", "reason": "too_short", "minimum": 8}', 'a password shorter than PASSWORD_MIN_LENGTH is refused'),
  (257, false, '{"field": "password", "reason": "too_long", "maximum": 256}', 'a password longer than 256 characters is refused, not truncated'),
  (8, true, '{"field": "password", "reason": "too_common"}', 'a common password is refused')
) rule (length, common, details, description);
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'what is refused does not count against REGISTER_PER_IP');
select is((select count(*)::integer from private.pending_registration), 1, 'and stores no registration');
select is((api.register('+12025550109', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null,
  'a password of eight characters is accepted');
select is((api.register('+12025550109', null, test.prehash('x'), 256, false, '192.0.2.1')).error.code, null,
  'a password of 256 characters is accepted');

-- A registered phone
select test.clean_slate();
select test.make_account('+12025550101'), test.watch_bcrypt();
create temp table stored on commit drop as select * from "user".account;
create temp table repeated on commit drop as
  select * from api.register('+12025550101', 'new@example.org', test.prehash('another'), 8, false, '192.0.2.1');
create temp table repeated_rounds on commit drop as select test.bcrypt_rounds() as rounds;
create temp table fresh on commit drop as
  select * from api.register('+12025550102', 'new@example.org', test.prehash('another'), 8, false, '192.0.2.1');
create temp table fresh_rounds on commit drop as select test.bcrypt_rounds() as rounds;
select is((select to_jsonb(a) - 'user_id' from repeated a), (select to_jsonb(f) - 'user_id' from fresh f),
  'a registered phone gets the same response as an unknown one');
select ok((select a.user_id is not null and a.user_id <> s.id from repeated a, stored s),
  'a registered phone gets a new id, not that of its account');
select results_eq('select * from "user".account', 'select * from stored',
  'registering a registered phone does not change its account');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550101'), 0,
  'registering a registered phone stores no pending registration');
select is((select rounds from repeated_rounds), (select rounds from fresh_rounds),
  'registering a registered phone costs the same bcrypt work as an unknown one');
select api.register('+12025550102', null, test.prehash('another'), 8, false, '192.0.2.1');
select is(test.bcrypt_rounds(), (select rounds from fresh_rounds),
  'registering a phone that has a pending registration costs the same bcrypt work');

-- Registering again while unverified
create temp table another on commit drop as
  select * from api.register('+12025550102', 'other@example.org', test.prehash('a third'), 8, false, '192.0.2.1');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550102'), 3,
  'every registration of an unverified phone is stored separately');
select is((select row(r.email, r.is_contested)::text from private.pending_registration r join another a using (user_id)),
  '(other@example.org,t)',
  'a registration with another password is contested, even from the same client');

-- REGISTER_PER_IP
select test.clean_slate();
select test.set_setting('REGISTER_PER_IP', '"2/60"');
select is((api.register('+1202555020' || n, null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null,
  'registration ' || n || ' of a client is within REGISTER_PER_IP')
from generate_series(1, 2) n;
select test.bcrypt_rounds();
create temp table refused on commit drop as
  select * from api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from refused),
  'RATE_LIMIT_EXCEEDED{"policy": "REGISTER_PER_IP", "seconds": 60, "requests": 2}',
  'a registration over REGISTER_PER_IP is refused');
select is((select user_id from refused), null, 'a refused registration returns no id');
select is((select count(*)::integer from private.pending_registration), 2, 'a refused registration is not stored');
select is(test.bcrypt_rounds(), 0::bigint, 'a refused registration costs no bcrypt');
select test.age_rate_limits('59 seconds');
select is((api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, 'RATE_LIMIT_EXCEEDED',
  'one second before the window ends a registration is still refused');
select test.age_rate_limits('1 second');
select is((api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null,
  'when the window has ended a registration is accepted');
select test.set_setting('REGISTER_PER_IP', '"off"');
select is((select count((api.register('+1202555021' || n, null, test.prehash('x'), 8, false, '192.0.2.1')).error.code)::integer
  from generate_series(1, 5) n), 0, 'while REGISTER_PER_IP is off no registration is refused');

-- The application's hook refuses, whether or not the phone has an account.
select test.set_setting('REGISTER_PER_IP', '"5/60"');
create function hook.before_register(phone text, client text) returns text language sql as $$ select 'closed' $$;
select test.make_account('+12025550231');
select is((api.register(phone, null, test.prehash('x'), 8, false, '192.0.2.9')).error,
  private.error('INVALID_REQUEST', '{"reason": "refused_by_hook", "hookReason": "closed"}'), 'the hook refuses ' || phone)
from unnest(array['+12025550231', '+12025550232']) phone;
select is_empty($$select from private.pending_registration where phone = '+12025550232'$$, 'what it refuses is not stored');
select is(test.hits('REGISTER_PER_IP:192.0.2.9'), 2, 'and counted');

-- REGISTRATION
drop function if exists hook.before_register;
select test.clean_slate();
select test.set_setting('REGISTRATION', '"invited"');
create temp table uninvited on commit drop as
  select a.* from api.register('+12025550181', null, test.prehash('correct horse'), 13, false, '192.0.2.1') a;
select is((select row((error).code, user_id is not null)::text from uninvited), '(,t)', 'a phone that is not invited gets the answer of one that is');
select is((select count(*)::integer from private.pending_registration), 0, 'and nothing is stored');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'it counts as a registration');
select "user".invite('+12025550181');
select api.register('+12025550181', null, test.prehash('correct horse'), 13, false, '192.0.2.1');
select is((select count(*)::integer from private.pending_registration), 1, 'that of an invited phone is stored');
select test.set_setting('REGISTRATION', '"closed"');
select is((api.register('+12025550181', null, test.prehash('correct horse'), 13, false, '192.0.2.1')).error::text,
  '(INVALID_REQUEST,"{""reason"": ""not_enabled""}")', 'closed: nobody registers, invited or not');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 2, 'which counts against nothing');

select * from finish();
rollback;
