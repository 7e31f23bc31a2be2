begin;
select plan(3);
select is(private.add_to_amr(array['pwd'], array['otp']), array['pwd', 'otp', 'mfa'], 'the second factor stands behind the first');
select is(private.add_to_amr(array['otp'], array['otp']), array['otp', 'mfa'], 'each method once');
select is(private.add_to_amr(null, array['hwk', 'user']), array['hwk', 'user', 'mfa'], 'alone where the first one is not known');

select * from finish();
rollback;
