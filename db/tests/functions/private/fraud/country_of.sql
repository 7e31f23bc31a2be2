begin;
select plan(3);
select test.clean_slate();
select is(private.country_of('+4915112345678'), '001', 'without a decision the country is not known');
select api.send_otp('+4915112345678', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'DE'), api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
select is(private.country_of('+4915112345678'), 'DE', 'it is that of the decision about a code');
update platform.send_decision d set country = 'AT' where d.otp_id = (test.otp('+4915112345678', 'LOGIN')).id;
select test.age_otps('1 hour');
select api.send_otp('+4915112345678', 'PHONE', 'SIGNUP', '192.0.2.1', test.code_key(), 'DE');
select is(private.country_of('+4915112345678'), 'DE', 'of the latest');

select * from finish();
rollback;
