begin;
select plan(5);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as alice;
select test.forget_events();

select private.record_guess(test.attempt('PHONE', '+12025550101', 'LOGIN', '123456'), false, null);
select is(test.events(), array['otp.refused {"purpose": "LOGIN"}'], 'a wrong code is an event, without the code');
select is((select row(e.user_id, e.client)::text from platform.event e), (select row(alice, '192.0.2.1')::text from actor), 'of the phone''s account, from its client');
select test.forget_events();
select private.record_guess(test.attempt('PHONE', '+12025550199', 'LOGIN', '123456'), true, false);
select is(test.events(), array['otp.refused {"purpose": "LOGIN"}', 'otp.blocked {"by": "OTP_MAX_ATTEMPTS", "purpose": "LOGIN"}'], 'the last one that may be tried is a second event');
select is((select count(e.user_id)::integer from platform.event e), 0, 'of nobody, where the phone has no account');
select test.forget_events();
select private.record_guess(test.attempt('PHONE', '+12025550101', 'LOGIN', '123456'), true, true);
select is(test.events('otp.blocked%'), array['otp.blocked {"by": "OTP_FAILURES_IN_A_ROW", "purpose": "LOGIN"}'], 'which says what blocks');

select * from finish();
rollback;
