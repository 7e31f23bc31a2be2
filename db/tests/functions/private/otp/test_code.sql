begin;
select plan(9);
select test.clean_slate();
update private.installation set production = false;
select is(private.test_code('+12025550101'), null, 'there are no test numbers by default');
select test.set_setting('OTP_TEST_NUMBERS', jsonb_build_object(
  '+12025550101', '{"code": "424242", "until": "9999-12-31T00:00:00Z"}'::jsonb,
  '+12025550102', jsonb_build_object('code', '424242', 'until', to_char(clock_timestamp() at time zone 'UTC' - interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
));
select is(private.test_code('+12025550101'), '424242', 'a test number has its code');
select is(private.test_code('+12025550102'), null, 'a test number whose time is over is a number like any other');
select is(private.test_code('+12025550103'), null, 'another number has none');
select is(private.test_code('ada@example.com'), null, 'an email address has none');
update private.installation set production = true;
select is(private.test_code('+12025550101'), null, 'in production there are no test numbers');
select test.set_setting('OTP_TEST_NUMBERS_IN_PRODUCTION', '"on"');
select is(private.test_code('+12025550101'), '424242', 'unless they are on there');
select test.set_setting('OTP_TEST_NUMBERS_IN_PRODUCTION', '"off"');
select is(private.test_code('+12025550101'), null, 'turning them off needs no other change');
delete from private.installation;
select is(private.test_code('+12025550101'), null, 'where production is not known there are none');

select * from finish();
rollback;
