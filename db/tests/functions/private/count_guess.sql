begin;
select plan(11);
select test.clean_slate();
create function pg_temp.guess(client text default '192.0.2.1') returns text language plpgsql
as $$
begin
  perform private.lock_verification_state('PHONE', '+12025550101');
  perform private.count_guess('PHONE', '+12025550101', 'SIGNUP', client);
  return (select row(g.guesses, g.first_guess_at > now())::text from private.guess_count g);
end
$$;
select is(pg_temp.guess(), '(1,t)', 'a guess where there is no code is counted');
create temp table first on commit drop as select first_guess_at from private.guess_count;
select is(pg_temp.guess(), '(2,t)', 'so is the next');
select is((select first_guess_at from private.guess_count), (select first_guess_at from first), 'for as long as the first lasts');
select test.age_guesses('300 seconds');
select is(pg_temp.guess(), '(1,t)', 'then the count begins again');
select test.send_code('+12025550101', 'SIGNUP');
select is(pg_temp.guess(), '(1,t)', 'as it does with a newer code');
select is((test.otp('+12025550101', 'SIGNUP')).attempts, 1, 'against which it is counted too');
delete from platform.otp_transaction;
select is(pg_temp.guess(), '(2,t)', 'whether that one is still there makes no difference');
select test.send_code('+12025550101', 'SIGNUP');
update private.guess_count g set first_guess_at = o.current_since from platform.otp_transaction o;
select is(pg_temp.guess(), '(3,t)', 'a guess in the moment that a code becomes current is at that code');
delete from platform.otp_transaction;
select is((select failures from private.verification_state), 6, 'each is a failure in a row');
select test.make_account('+12025550101');
select private.remember_client(a.id, 'home') from "user".account a;
select pg_temp.guess('home');
select is((select row(failures, known_client_failures)::text from private.verification_state), '(7,1)', 'of the account''s own clients apart as well');

-- A guess is at one type, identifier and purpose
delete from private.guess_count;
insert into private.guess_count values
  ('EMAIL', '+12025550101', 'SIGNUP', 1, clock_timestamp()),
  ('PHONE', '+12025550102', 'SIGNUP', 1, clock_timestamp()),
  ('PHONE', '+12025550101', 'PASSWORD_RESET', 1, clock_timestamp());
select private.count_guess('PHONE', '+12025550101', 'SIGNUP', '192.0.2.1');
select is((select array_agg(guesses) from private.guess_count), array[1, 1, 1, 1], 'what is counted for others is left alone');

select * from finish();
rollback;
