begin;
select plan(13);
do $$ begin perform test.clean_slate(); end $$;
create function pg_temp.spent(purpose text default 'SIGNUP') returns boolean language sql
as $$ select private.guesses_are_spent('PHONE', '+12025550101', purpose) $$;
select is(pg_temp.spent(), false, 'where nobody guessed nothing is spent');
insert into private.guess_count values ('PHONE', '+12025550101', 'SIGNUP', 4, clock_timestamp() - interval '299 seconds');
select is(pg_temp.spent(), false, 'four guesses are not');
update private.guess_count set guesses = 5;
select is(pg_temp.spent(), true, 'five are, also where there is no code');
select is(pg_temp.spent('PASSWORD_RESET'), false, 'for that purpose');
select is(private.guesses_are_spent('PHONE', '+12025550102', 'SIGNUP'), false, 'that identifier');
select is(private.guesses_are_spent('EMAIL', '+12025550101', 'SIGNUP'), false, 'and that type of it');
do $$ begin perform test.age_guesses('1 second'); end $$;
select is(pg_temp.spent(), false, 'until OTP_TTL_SECONDS have passed since the first');
do $$ begin perform test.age_guesses('-10 seconds'), test.send_code('+12025550101', 'SIGNUP'); end $$;
select is(pg_temp.spent(), false, 'or a newer code is delivered');
update private.guess_count set first_guess_at = clock_timestamp();
select is(pg_temp.spent(), true, 'which has its own guesses');
update private.guess_count set first_guess_at = (select current_since from platform.otp_transaction);
select is(pg_temp.spent(), true, 'from the moment of its delivery');
do $$ begin
  delete from private.guess_count;
  update platform.otp_transaction set attempts = 5;
end $$;
select is(pg_temp.spent(), true, 'a live code is spent by its own count, whatever the window');
do $$ begin perform test.age_otps('300 seconds'); end $$;
select is(pg_temp.spent(), false, 'one that has expired is not: that would tell that there was one');
update platform.otp_transaction set expires_at = now() + interval '1 minute', verified_at = now();
select is(pg_temp.spent(), false, 'nor one that was used');

select * from finish();
rollback;
