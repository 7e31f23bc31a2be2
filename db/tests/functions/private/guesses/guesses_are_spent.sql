begin;
select plan(13);
select test.clean_slate();
create function pg_temp.spent(purpose text default 'SIGNUP', identifier text default '+12025550101', identifier_type text default 'PHONE')
returns boolean language sql as $$
  select private.guesses_are_spent(test.attempt(identifier_type, identifier, purpose), test.current_otp(identifier_type, identifier, purpose))
$$;
select is(pg_temp.spent(), false, 'guesses are not spent when there were none');
insert into private.guess_count values ('PHONE', '+12025550101', 'SIGNUP', 4, clock_timestamp() - interval '4 minutes');
select is(pg_temp.spent(), false, 'four guesses are not spent');
update private.guess_count set guesses = 5;
select is(pg_temp.spent(), true, 'five guesses are spent although there is no one-time password');
select is(pg_temp.spent('PASSWORD_RESET'), false, 'guesses for one purpose are not spent for another');
select is(pg_temp.spent(identifier => '+12025550102'), false,
  'guesses for one identifier are not spent for another');
select is(pg_temp.spent(identifier_type => 'EMAIL'), false,
  'guesses for one identifier type are not spent for another');
select test.age_guesses('1 minute');
select is(pg_temp.spent(), false, 'guesses are no longer spent OTP_TTL_SECONDS after the first one');
select test.age_guesses('-2 minutes'), test.send_code('+12025550101', 'SIGNUP');
select is(pg_temp.spent(), false, 'guesses are no longer spent when a newer code is delivered');
update private.guess_count set first_guess_at = clock_timestamp();
select is(pg_temp.spent(), true, 'guesses at the newer code are spent');
update private.guess_count set first_guess_at = (select current_since from platform.otp_transaction);
select is(pg_temp.spent(), true, 'guesses that started at the moment of delivery are spent');
delete from private.guess_count;
update platform.otp_transaction set attempts = 5;
select is(pg_temp.spent(), true, 'five attempts of a live code are spent although no guess is counted in the window');
select test.age_otps('300 seconds');
select is(pg_temp.spent(), false, 'attempts of an expired code are not spent, since that would reveal that there was one');
update platform.otp_transaction set expires_at = now() + interval '1 minute', verified_at = now();
select is(pg_temp.spent(), false, 'attempts of a used code are not spent');

select * from finish();
rollback;
