begin;
select plan(31);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id;

create temp table own on commit drop as select session_id, user_id, refresh_token_id from actor, test.open_session(actor.id);
update "user".session set authenticated_at = now() - interval '1 day', amr = array['sms', 'x'];
create function pg_temp.up(password text, otp text default null, code text default null) returns api.session_answer language sql
as $$
  select api.step_up(own.session_id, own.user_id, test.prehash(password), otp, code, test.code_key(), '192.0.2.9', 'other', null,
    array(select f.id from "user".factor f), array(select test.totp_secret() from "user".factor f))
  from own
$$;
select is(((pg_temp.up('wrong')).error).details ->> 'reason', 'login_refused', 'a wrong password is refused');
select is(test.hits('LOGIN_FAILURES_PER_PHONE:+12025550101'), 1, 'and counts as a failed login');
create temp table by_password on commit drop as select * from pg_temp.up('correct horse');
select is(b.amr || array[b.acr], array['pwd', 'aal1'], 'the password replaces what was proved before') from by_password b;
select cmp_ok(b.authenticated_at, '>', now() - interval '1 minute', 'now') from by_password b;
select isnt(b.refresh_token_id, own.refresh_token_id, 'with new tokens') from by_password b, own;
select is(s.previous_refresh_token_id, own.refresh_token_id, 'as by a refresh') from "user".session s, own;

create temp table code on commit drop as select test.send_code('+12025550101', 'LOGIN') as code;
select is(((pg_temp.up(null, test.wrong_code(code))).error).code, 'INVALID_OTP', 'a wrong LOGIN code is refused') from code;
select is((pg_temp.up(null, code)).amr, array['sms'], 'the right one replaces what was proved before') from code;
select is(((pg_temp.up(null, code)).error).code, 'OTP_ALREADY_USED', 'and is used up') from code;

select is(((pg_temp.up(null, null, '123456')).error).code, 'INVALID_OTP', 'an account without an app has no code');
select test.make_factor(id) from actor;
select is(((pg_temp.up(null, null, test.wrong_totp())).error).code, 'INVALID_OTP', 'a wrong code of an app is refused');
select is((pg_temp.up(null, null, test.totp())).amr, array['sms', 'otp', 'mfa'], 'the right one stands beside what was proved before');
select is(private.step_up_error(session_id, user_id), null, 'the session may change factors now') from own;
select is((pg_temp.up('correct horse')).acr, 'aal1', 'a password alone makes the session aal1 again');
select is((private.step_up_error(session_id, user_id)).details ->> 'acr_values', 'aal2', 'which is too little') from own;
select private.revoke_session(session_id) from own;
select is(((pg_temp.up('correct horse')).error).code, 'SESSION_REVOKED', 'a revoked session is not stepped up');

-- A copy of a passkey
select test.clean_slate();
update actor set id = test.make_account('+12025550103');
create temp table held on commit drop as select s.session_id, s.user_id from actor, test.open_session(actor.id) s;
select test.make_passkey(id, '\x01', 7) from actor;
create temp table challenge on commit drop as select c.id from held, private.new_challenge('step_up', user_id, session_id) c;
create function pg_temp.sign(sign_count bigint) returns api.session_answer language sql
as $$
  select api.step_up(held.session_id, held.user_id, null, null, null, test.code_key(), '192.0.2.9', null,
    challenge_id => challenge.id, credential_id => '\x01', authenticator_data => test.authenticator_data(sign.sign_count),
    is_signed => true, languages => '{de}')
  from held, challenge
$$;
select is(((pg_temp.sign(7)).error).code, 'INVALID_OTP', 'a counter that stands still is refused');
select ok((select counter_went_back_at is not null from "user".factor), 'and remembered');
select is(array(select purpose || languages::text from platform.otp_transaction), array['FACTORS_CHANGED{de}'], 'and told to the phone');
update challenge set id = c.id from held, private.new_challenge('step_up', user_id, session_id) c;
select is((pg_temp.sign(8)).acr, 'aal2', 'the passkey itself steps the session up');

-- By a passkey
select test.clean_slate();
create temp table owner on commit drop as
  select o.session_id, o.user_id, o.refresh_token_id, test.make_account('+12025550102') as other from test.open_session(test.make_account('+12025550101')) o;
select test.make_passkey(user_id, '\x01', 7), test.make_passkey(other, '\x02') from owner;
create temp table begun on commit drop as select c.id from owner, private.new_challenge('step_up', owner.user_id, owner.session_id) c;
create function pg_temp.use(is_signed boolean, signed_count bigint default 8, credential_id bytea default '\x01') returns api.session_answer language sql
as $$
  select api.step_up(owner.session_id, owner.user_id, null, null, null, test.code_key(), '192.0.2.9', 'other', null, null, null,
    begun.id, use.credential_id, test.authenticator_data(use.signed_count), null, use.is_signed)
  from owner, begun
$$;
create function pg_temp.code_of(answer api.session_answer) returns text language sql as $$ select (answer.error).code $$;
select is(((pg_temp.use(null)).error).details ->> 'public_key', 'a5', 'the server is asked to verify the signature of a passkey');
select is(pg_temp.code_of(pg_temp.use(false)), 'INVALID_OTP', 'a wrong signature is refused');
select is((select c.attempts::integer from private.factor_challenge c join begun on c.id = begun.id), 1, 'and an attempt at the challenge');
select is(refresh_token_id, (select refresh_token_id from owner), 'the session keeps its tokens') from "user".session;
create temp table by_passkey on commit drop as select u.* from pg_temp.use(true) u;
select is(row((b.error).code, b.amr, b.acr)::text, row(null::text, array['pwd', 'hwk', 'user', 'mfa'], 'aal2')::text, 'the right one makes the session aal2') from by_passkey b;
select isnt(b.refresh_token_id, o.refresh_token_id, 'with new tokens') from by_passkey b, owner o;
select is(pg_temp.code_of(pg_temp.use(true, 9)), 'INVALID_OTP', 'a challenge is answered once');
update begun set id = (private.new_challenge('step_up', owner.user_id, owner.session_id)).id from owner;
select is(pg_temp.code_of(pg_temp.use(true, 9, '\x02')), 'INVALID_OTP', 'so is another''s passkey');
update begun set id = (private.new_challenge('step_up', owner.user_id, (test.open_session(null)).session_id)).id from owner;
select is(pg_temp.code_of(pg_temp.use(true, 10)), 'INVALID_OTP', 'and the challenge of another session');
update begun set id = (private.new_challenge('login_passkey', null, null)).id;
select is(pg_temp.code_of(pg_temp.use(true, 11)), 'INVALID_OTP', 'and that of a sign-in');

-- A session that is revoked while the password is compared
select test.clean_slate();
create temp table late on commit drop as select session_id, user_id from test.open_session(test.make_account('+12025550101'));
create or replace function private.compare_password(password_prehash text, password_hash text) returns boolean language plpgsql
as $$ begin update "user".session set revoked_at = clock_timestamp() where revoked_at is null; return true; end $$;
select is((select (u.error).code from late, api.step_up(session_id, user_id, test.prehash('x'), null, null, test.code_key(), '192.0.2.1', null) u), 'SESSION_REVOKED',
  'a session that is revoked meanwhile is not stepped up');

select * from finish();
rollback;
