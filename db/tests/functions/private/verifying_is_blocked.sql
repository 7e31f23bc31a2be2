begin;
select plan(6);
do $$ begin perform test.clean_slate(), test.set_setting('OTP_FAILURES_IN_A_ROW', '3'); end $$;
create function pg_temp.blocked(by_known_client boolean) returns boolean language sql
as $$ select private.verifying_is_blocked('PHONE', '+12025550101', 'SIGNUP', by_known_client) $$;
select is(pg_temp.blocked(false), false, 'a phone that was never verified is not blocked');
insert into private.verification_state values ('PHONE', '+12025550101', 3, now(), 2, now());
select is(pg_temp.blocked(false), true, 'failures in a row block strangers');
select is(pg_temp.blocked(true), false, 'and not the account''s own clients');
update private.verification_state set failures = 2, known_client_failures = 3;
select is(pg_temp.blocked(false), false, 'whose failures block no stranger');
select is(pg_temp.blocked(true), true, 'but themselves');
insert into private.guess_count values ('PHONE', '+12025550101', 'SIGNUP', null, 5, clock_timestamp());
select is(pg_temp.blocked(false), true, 'spent guesses block everybody');

select * from finish();
rollback;
