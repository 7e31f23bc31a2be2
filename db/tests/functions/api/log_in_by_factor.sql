begin;
select plan(26);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
create temp table factor on commit drop as select test.make_factor(id) as id from actor;

insert into private.recovery_code (user_id, code_hash) select id, private.hash_code(id, '0123456789', test.code_key()) from actor;
create function pg_temp.answer(challenge uuid, code text, recovery_code text default null) returns api.session_answer language sql
as $$
  select api.log_in_by_factor(answer.challenge, answer.code, answer.recovery_code, test.code_key(), '192.0.2.1', 'test', array[factor.id], array[test.totp_secret()])
  from factor
$$;
create temp table own on commit drop as select test.challenge(id) as id from actor;
select is((select (a.error).code from own, api.log_in_by_factor(own.id, '123456', null, test.code_key(), '192.0.2.1', null) a),
  'FACTOR_SECRETS_REQUIRED', 'the server is asked for the secrets first');
select is(((pg_temp.answer(gen_random_uuid(), test.totp())).error).code, 'INVALID_OTP', 'an unknown challenge is answered as a wrong code');
select is(test.hits('FACTOR_FAILURES_PER_USER:' || id), 0, 'and counted for nobody') from actor;
select is(((pg_temp.answer(id, test.wrong_totp())).error).code, 'INVALID_OTP', 'a wrong code is refused') from own;
select is(test.hits('FACTOR_FAILURES_PER_USER:' || id), 1, 'and counted') from actor;
select is((select count(*)::integer from "user".session), 0, 'and opens nothing');
create temp table opened on commit drop as select a.* from own, pg_temp.answer(own.id, test.totp()) a;
select is(o.error, null, 'the right code opens') from opened o;
select is(o.acr, 'aal2', 'an aal2 session') from opened o;
select is(factor_failures, 0, 'and ends the row of wrong ones') from "user".account;
select is(((pg_temp.answer(id, test.totp(1))).error).code, 'INVALID_OTP', 'a used challenge is answered as a wrong code') from own;
update own set id = test.challenge(actor.id) from actor;
select is(((pg_temp.answer(id, test.totp())).error).code, 'INVALID_OTP', 'a step that was used is refused at another challenge') from own;
select is((pg_temp.answer(id, null, '0123456789')).error, null, 'a recovery code opens') from own;
update own set id = test.challenge(actor.id) from actor;
select is(((pg_temp.answer(id, null, '0123456789')).error).code, 'INVALID_OTP', 'once') from own;

-- Bounds
select is(array(select ((pg_temp.answer(own.id, test.wrong_totp())).error).code from own, generate_series(1, 5)),
  array['INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'INVALID_OTP', 'MAX_ATTEMPTS_REACHED'], 'five wrong answers end a challenge');
select is(((pg_temp.answer(id, test.totp(1))).error).code, 'MAX_ATTEMPTS_REACHED', 'the right code is refused, too') from own;
update own set id = test.challenge(actor.id) from actor;
select pg_temp.answer(id, test.wrong_totp()) from own, generate_series(1, 3);
select is(((pg_temp.answer(id, test.totp(1))).error).code, 'RATE_LIMIT_EXCEEDED', 'ten wrong answers of an account refuse the right one for a while') from own;
delete from platform.rate_limit;
update "user".account set factor_failures = 100;
select is(((pg_temp.answer(id, test.totp(1))).error).code, 'MAX_ATTEMPTS_REACHED', 'a hundred in a row lock the factors') from own;
select "user".unlock_factors(id) from actor;
select is((pg_temp.answer(id, test.totp(1))).error, null, 'until an admin unlocks them') from own;

-- What the first step brought
update "user".factor set last_step = null;
create temp table guest on commit drop as select session_id from test.open_session(null);
update own set id = test.challenge(actor.id, array['sms'], guest.session_id) from actor, guest;
select private.schedule_deletion(id) from actor;
select is(((pg_temp.answer(id, test.totp())).error).code, 'INVALID_OTP', 'a first step before the deletion of the account opens nothing') from own;
update own set id = test.challenge(actor.id, array['sms'], guest.session_id) from actor, guest;
create temp table restored on commit drop as select a.* from own, pg_temp.answer(own.id, test.totp()) a;
select is(row(r.promoted_session_id, r.restored, r.amr)::text, row(g.session_id, true, array['sms', 'otp', 'mfa'])::text,
  'one after it restores the account, and promotes the guest') from restored r, guest g;
update own set id = test.challenge(actor.id) from actor;
select private.delete_factors(a, array[factor.id], '{}', '') from "user".account a, factor;
update "user".factor set last_step = null;
select is(((pg_temp.answer(id, test.totp(1))).error).code, 'INVALID_OTP', 'the code of an app that was removed meanwhile opens nothing') from own;
update own set id = (select c.id from private.factor_challenge c order by c.created_at limit 1);
select is((select count(*)::integer from "user".session where revoked_at is null and user_id is not null), 1, 'nothing else was opened');


-- A copy of a passkey
select test.clean_slate();
update actor set id = test.make_account('+12025550102');
select test.make_passkey(id, '\x01', 7) from actor;
update own set id = test.challenge(actor.id) from actor;
create function pg_temp.sign(sign_count bigint) returns text language sql
as $$
  select (a.error).code from own, api.log_in_by_factor(
    own.id, null, null, test.code_key(), '192.0.2.1', null, null, null, '\x01', test.authenticator_data(sign.sign_count), null, true, '{de}'
  ) a
$$;
select is(array(select pg_temp.sign(7) from generate_series(1, 2)), array['INVALID_OTP', 'INVALID_OTP'], 'a counter that stands still is refused');
select ok((select counter_went_back_at is not null from "user".factor), 'and remembered');
select is(array(select purpose || languages::text from platform.otp_transaction), array['FACTORS_CHANGED{de}'], 'and told to the phone, once');
select is(pg_temp.sign(8), null, 'the passkey itself opens');

select * from finish();
rollback;
