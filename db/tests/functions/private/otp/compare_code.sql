begin;
select plan(13);
select test.clean_slate();
create temp table sent on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
create function pg_temp.compare(code text) returns api.otp_answer language sql
as $$ select private.compare_code(test.current_otp('PHONE', '+12025550101', 'SIGNUP'), test.attempt('PHONE', '+12025550101', 'SIGNUP', code)) $$;
select is((select pg_temp.compare(code) from sent),
  (select row(null, o.id, o.expires_at, null)::api.otp_answer from platform.otp_transaction o),
  'the right code returns the one-time password''s id and expiry time');
select is((select (pg_temp.compare(test.wrong_code(code))).error.code from sent), 'INVALID_OTP', 'a wrong code gets INVALID_OTP');
select is((select attempts from platform.otp_transaction), 0, 'compare_code leaves it to the caller to count an attempt');
select test.age_otps('300 seconds');
select is((select (pg_temp.compare(code)).error.code from sent), 'OTP_EXPIRED',
  'the right code gets OTP_EXPIRED after it has expired');
select private.consume_otp(o.id) from platform.otp_transaction o;
select is((select (pg_temp.compare(code)).error.code from sent), 'OTP_ALREADY_USED',
  'the right code gets OTP_ALREADY_USED after it was used');
select is((select pg_temp.compare(test.wrong_code(code)) from sent)::text, '("(INVALID_OTP,)",,,)',
  'a wrong code gets INVALID_OTP although the one-time password is used and expired');
create temp table newer on commit drop as select test.send_code('+12025550101', 'SIGNUP');
update platform.otp_transaction set expires_at = clock_timestamp() + interval '1 minute';
select is((select ((pg_temp.compare(code)).error).details from sent), '{"reason": "replaced"}',
  'the code that a newer one replaced gets INVALID_OTP, with the reason');
select is((private.compare_code(null, test.attempt('PHONE', '+12025550101', 'SIGNUP', '123456')))::text, '("(INVALID_OTP,)",,,)',
  'without a one-time password every code gets INVALID_OTP');
select is((private.compare_code(null, test.attempt('PHONE', '+12025550101', 'SIGNUP')))::text, '("(INVALID_OTP,)",,,)',
  'without a one-time password a null code is not right either');
update platform.otp_transaction set code_hash = null;
select is((select (pg_temp.compare(code)).error.code from sent), 'INVALID_OTP',
  'a one-time password without a code hash gets INVALID_OTP for every code');

-- While the pepper is rotated.
create function pg_temp.keys(ids text[]) returns bytea language sql
as $$ select string_agg(decode(repeat(id, 40), 'hex'), '' order by n) from unnest(ids) with ordinality i (id, n) $$;
create function pg_temp.under(ids text[]) returns text language sql as $$
  select coalesce((private.compare_code(o, row('PHONE', '+12025550101', 'SIGNUP', '192.0.2.1', '123456', pg_temp.keys(ids), null)::private.code_attempt)).error.code, 'right')
  from platform.otp_transaction o order by o.current_since desc limit 1
$$;
update platform.otp_transaction o set code_hash = private.hash_code(o.id, '123456', pg_temp.keys('{aa}')), delivery = 'test', expires_at = clock_timestamp() + interval '1 minute'
where o.verified_at is null;
select is(pg_temp.under('{bb,aa}'), 'right', 'a code that was made under the previous pepper is right');
select is(pg_temp.under('{aa,bb}'), 'right', 'and where the next one is named already');
select is(pg_temp.under('{bb}'), 'INVALID_OTP', 'once the previous one is dropped it is not');

select * from finish();
rollback;
