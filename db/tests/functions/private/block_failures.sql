begin;
select plan(8);
select test.clean_slate();
create function pg_temp.answered(error_code text, failures integer, known_client_failures integer, by_known_client boolean) returns text language sql
as $$
  select private.block_failures(row(private.error(error_code), null, 'infinity', null)::api.otp_answer,
    row('PHONE', '+12025550101', failures, now(), known_client_failures, now())::private.verification_state, by_known_client)::text
$$;
select is(pg_temp.answered('INVALID_OTP', 99, 0, false), '("(INVALID_OTP,)",,infinity,)', 'an answer stands while failures are not spent');
select is(pg_temp.answered(null, 100, 0, false), '("(MAX_ATTEMPTS_REACHED,)",,,)', 'then a stranger''s right code is blocked');
select is(pg_temp.answered('INVALID_OTP', 100, 0, false), '("(MAX_ATTEMPTS_REACHED,)",,,)', 'as is a wrong one');
select is(pg_temp.answered('INVALID_OTP', 100, 0, true), '("(MAX_ATTEMPTS_REACHED,)",,,)', 'a known client''s wrong one alike');
select is(pg_temp.answered('RATE_LIMIT_EXCEEDED', 100, 0, true), '("(MAX_ATTEMPTS_REACHED,)",,,)', 'also over a limit');
select is(pg_temp.answered(null, 100, 99, true), '(,,infinity,)', 'its right one is right');
select is(pg_temp.answered('OTP_EXPIRED', 100, 99, true), '("(OTP_EXPIRED,)",,infinity,)', 'or expired, which only the right one is told');
select is(pg_temp.answered(null, 100, 100, true), '("(MAX_ATTEMPTS_REACHED,)",,,)', 'until its own failures are spent');

select * from finish();
rollback;
