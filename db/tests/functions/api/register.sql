begin;
select plan(34);
select test.clean_slate();

create temp table answer on commit drop as select * from test.call_as('latchkey_server',
  $$api.register('+12025550101', 'someone@example.org', test.prehash('correct horse'), 13, false, '192.0.2.1')$$, null::api.account_answer);
create temp table registration on commit drop as select * from private.pending_registration;
select is((select (error).code from answer), null, 'anyone may register a phone');
select is((select count(*)::integer from registration), 1, 'one registration waits');
select is((select count(*)::integer from "user".account), 0, 'and is no account yet');
select is((select user_id from answer), (select user_id from registration), 'under the id that the answer carries');
select is((select substr(user_id::text, 15, 1) from answer), '7', 'the id is time-ordered');
select is((select row(phone, email, is_contested)::text from registration), '(+12025550101,someone@example.org,f)', 'with phone and email');
select ok((select password_hash = crypto.crypt(test.prehash('correct horse'), password_hash) from registration), 'the password is stored hashed');
select is((select count(*)::integer from "user".session), 0, 'no session is opened');
select is((select count(*)::integer from platform.otp_transaction), 0, 'no code is sent: that is asked for apart');
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'it counts for the client');

-- The password rules
select is((api.register('+12025550109', null, test.prehash('x'), length, common, '192.0.2.1'))::text,
  row(private.error('INVALID_REQUEST', details::jsonb), null)::text, description)
from (values
  (7, false, '{"field": "password", "reason": "too_short", "minimum": 8}', 'a password shorter than PASSWORD_MIN_LENGTH is refused'),
  (257, false, '{"field": "password", "reason": "too_long", "maximum": 256}', 'one longer than 256 characters is refused, not truncated'),
  (8, true, '{"field": "password", "reason": "too_common"}', 'a common one is refused')
) rule (length, common, details, description);
select is(test.hits('REGISTER_PER_IP:192.0.2.1'), 1, 'such a refusal counts for nothing');
select is((select count(*)::integer from private.pending_registration), 1, 'and stores nothing');
select is((api.register('+12025550109', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null, 'eight characters will do');
select is((api.register('+12025550109', null, test.prehash('x'), 256, false, '192.0.2.1')).error.code, null, '256 will do too');

-- A phone that is registered already
select test.clean_slate();
select test.make_account('+12025550101'), test.watch_bcrypt();
create temp table stored on commit drop as select * from "user".account;
create temp table again on commit drop as
  select * from api.register('+12025550101', 'new@example.org', test.prehash('another'), 8, false, '192.0.2.1');
create temp table again_rounds on commit drop as select test.bcrypt_rounds() as rounds;
create temp table fresh on commit drop as
  select * from api.register('+12025550102', 'new@example.org', test.prehash('another'), 8, false, '192.0.2.1');
create temp table fresh_rounds on commit drop as select test.bcrypt_rounds() as rounds;
select is((select to_jsonb(a) - 'user_id' from again a), (select to_jsonb(f) - 'user_id' from fresh f),
  'a registered phone is answered like any other');
select ok((select a.user_id is not null and a.user_id <> s.id from again a, stored s), 'with a fresh id');
select results_eq('select * from "user".account', 'select * from stored', 'but the account stays as it is');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550101'), 0, 'and nothing waits');
select is((select rounds from again_rounds), (select rounds from fresh_rounds), 'and the hash is paid for all the same');
select api.register('+12025550102', null, test.prehash('another'), 8, false, '192.0.2.1');
select is(test.bcrypt_rounds(), (select rounds from fresh_rounds), 'registering an unverified phone again takes the same work');

-- Registering again while unverified
create temp table another on commit drop as
  select * from api.register('+12025550102', 'other@example.org', test.prehash('a third'), 8, false, '192.0.2.1');
select is((select count(*)::integer from private.pending_registration where phone = '+12025550102'), 3, 'while unverified every registration waits by itself');
select is((select row(r.email, r.is_contested)::text from private.pending_registration r join another a using (user_id)), '(other@example.org,t)',
  'with another password it is contested, also from the same client');

-- REGISTER_PER_IP
select test.clean_slate();
select test.set_setting('REGISTER_PER_IP', '"2/60"');
select is((api.register('+1202555020' || n, null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null,
  'registration ' || n || ' of a client is allowed')
from generate_series(1, 2) n;
select test.bcrypt_rounds();
create temp table refused on commit drop as
  select * from api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1');
select is((select (error).code || ((error).details - 'retryAfterSeconds') from refused),
  'RATE_LIMIT_EXCEEDED{"policy": "REGISTER_PER_IP", "seconds": 60, "requests": 2}', 'the one over the limit is refused');
select is((select user_id from refused), null, 'without an id');
select is((select count(*)::integer from private.pending_registration), 2, 'it stores nothing');
select is(test.bcrypt_rounds(), 0::bigint, 'and costs no hash');
select test.age_rate_limits('59 seconds');
select is((api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, 'RATE_LIMIT_EXCEEDED',
  'a second before the window ends it is refused');
select test.age_rate_limits('1 second');
select is((api.register('+12025550203', null, test.prehash('x'), 8, false, '192.0.2.1')).error.code, null, 'and then allowed');
select test.set_setting('REGISTER_PER_IP', '"off"');
select is((select count((api.register('+1202555021' || n, null, test.prehash('x'), 8, false, '192.0.2.1')).error.code)::integer
  from generate_series(1, 5) n), 0, 'a limit turned off bites no more');

select * from finish();
rollback;
