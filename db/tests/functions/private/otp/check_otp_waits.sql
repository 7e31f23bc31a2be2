-- Other requests that commit while this one waits for a lock. The function that takes the first lock is replaced by one
-- that does their work.
begin;
select plan(7);
select test.clean_slate(), test.set_setting('OTP_VERIFY_PER_IP', '"1/3600"');
create temp table sent on commit drop as select test.send_code('+12025550101', 'SIGNUP') as code;
create function pg_temp.error(code text) returns text language sql
as $$ select (error).code from private.check_otp(test.attempt('PHONE', '+12025550101', 'SIGNUP', code, '192.0.2.1')) $$;
create function pg_temp.hits(policy text) returns integer language sql
as $$ select coalesce(sum(cardinality(hits)), 0)::integer from platform.rate_limit where key like policy || ':%' $$;

create or replace function private.lock_verification_state(identifier_type text, identifier text)
returns private.verification_state language plpgsql
as $$
begin
  insert into private.guess_count values ('PHONE', '+12025550101', 'SIGNUP', 5, clock_timestamp());
  return null;
end
$$;
select is((select pg_temp.error(code) from sent), 'MAX_ATTEMPTS_REACHED', 'guesses that other requests spent meanwhile are spent');
select is(pg_temp.hits('OTP_VERIFY_LIMIT') + pg_temp.hits('OTP_VERIFY_PER_IP'), 0, 'and the request counts against no limit');

delete from private.guess_count;
create or replace function private.lock_verification_state(identifier_type text, identifier text)
returns private.verification_state language plpgsql
as $$
begin
  perform test.insert_hits('OTP_VERIFY_PER_IP:192.0.2.1', clock_timestamp());
  return null;
end
$$;
delete from platform.rate_limit;
select is((select pg_temp.error(code) from sent), 'RATE_LIMIT_EXCEEDED', 'a limit that other requests spent meanwhile has no room');
select is(pg_temp.hits('OTP_VERIFY_PER_IP'), 1, 'and the request does not count against it');
select is(pg_temp.hits('OTP_VERIFY_LIMIT'), 0, 'the request does not count against the limit that has room');
select is((select pg_temp.error(test.wrong_code(code)) from sent), 'RATE_LIMIT_EXCEEDED', 'a wrong code is refused in the same way');
select is((select count(*)::integer from private.guess_count), 0, 'and is not counted');

select * from finish();
rollback;
