begin;
select plan(36);
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

-- By a passkey
select test.clean_slate();
create temp table owner on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select test.make_passkey(id, '\x01', 7), test.make_passkey(other, '\x02') from owner;
create temp table begun on commit drop as select test.challenge(id) as id from owner;
create function pg_temp.use(is_signed boolean, signed_count bigint default 8, credential_id bytea default '\x01', user_handle bytea default null)
returns api.session_answer language sql
as $$
  select api.log_in_by_factor(
    begun.id, null, null, test.code_key(), '192.0.2.1', 'test', null, null, use.credential_id, test.authenticator_data(use.signed_count), use.user_handle,
    use.is_signed
  ) from begun
$$;
create function pg_temp.code_of(answer api.session_answer) returns text language sql as $$ select (answer.error).code $$;
select is(((pg_temp.use(null)).error).details ->> 'public_key', 'a5', 'the server is asked to verify the signature');
select is(((pg_temp.use(null, 8, '\x02')).error).details -> 'public_key', 'null', 'by no key of another''s passkey');
select is((select attempts::integer from private.factor_challenge c join begun on c.id = begun.id), 0, 'and nothing is counted yet');
select is(pg_temp.code_of(pg_temp.use(false)), 'INVALID_OTP', 'a wrong signature is answered as a wrong code');
select is(pg_temp.code_of(pg_temp.use(true, 8, '\x02')), 'INVALID_OTP', 'so is another''s passkey');
select is(pg_temp.code_of(pg_temp.use(true, 8, '\x01', uuid_send(other))), 'INVALID_OTP', 'and one that names another user') from owner;
select is((select attempts::integer from private.factor_challenge c join begun on c.id = begun.id), 3, 'each is an attempt at the challenge');
select is(a.factor_failures + test.hits('FACTOR_FAILURES_PER_USER:' || a.id), 0, 'and locks no factor')
from "user".account a join owner on a.id = owner.id;
update "user".account set factor_failures = 100;
create temp table entered on commit drop as select u.* from pg_temp.use(true) u;
select is(row((e.error).code, e.amr, e.acr)::text, row(null::text, array['pwd', 'hwk', 'user', 'mfa'], 'aal2')::text,
  'the right one opens an aal2 session, also where wrong codes have locked the factors') from entered e;
select is(pg_temp.code_of(pg_temp.use(true, 9)), 'INVALID_OTP', 'a challenge is answered once');

select * from finish();
rollback;
