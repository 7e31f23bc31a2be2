begin;
select plan(1);
select test.clean_slate();
insert into private.guess_count
  select 'PHONE', '+12025550101', what, 1, clock_timestamp() - age
  from (values ('LOGIN', interval '4 minutes'), ('SIGNUP', interval '300 seconds')) g (what, age);
select private.clean_up_guess_counts(0, 1000000);
select is((select array_agg(purpose) from private.guess_count), array['LOGIN'],
  'a count of wrong codes is deleted OTP_TTL_SECONDS after the first');

select * from finish();
rollback;
