begin;
select plan(8);
select test.clean_slate();
create function pg_temp.block_failures(error_code text, failures integer, known_client_failures integer, by_known_client boolean)
returns text language sql
as $$
  select private.block_failures(row(private.error(error_code), null, 'infinity', null)::api.otp_answer,
    row('PHONE', '+12025550101', failures, now(), known_client_failures, now())::private.verification_state, by_known_client)::text
$$;
select is(pg_temp.block_failures('INVALID_OTP', 99, 0, false), '("(INVALID_OTP,)",,infinity,)',
  'an answer is unchanged while failures in a row are not spent');
select is(pg_temp.block_failures(null, 100, 0, false), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'spent failures block an unknown client''s right code');
select is(pg_temp.block_failures('INVALID_OTP', 100, 0, false), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'spent failures block an unknown client''s wrong code');
select is(pg_temp.block_failures('INVALID_OTP', 100, 0, true), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'spent failures block a known client''s wrong code');
select is(pg_temp.block_failures('RATE_LIMIT_EXCEEDED', 100, 0, true), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'spent failures block a known client over a rate limit');
select is(pg_temp.block_failures(null, 100, 99, true), '(,,infinity,)', 'spent failures do not block a known client''s right code');
select is(pg_temp.block_failures('OTP_EXPIRED', 100, 99, true), '("(OTP_EXPIRED,)",,infinity,)',
  'spent failures do not block a known client''s right code that has expired: it gets OTP_EXPIRED');
select is(pg_temp.block_failures(null, 100, 100, true), '("(MAX_ATTEMPTS_REACHED,)",,,)',
  'spent failures of known clients block a known client''s right code');

select * from finish();
rollback;
