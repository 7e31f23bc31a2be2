begin;
select plan(12);
select test.clean_slate();
create function pg_temp.is_replaced(code text, phone text default '+12025550101', purpose text default 'SIGNUP')
returns boolean language sql
as $$ select private.is_replaced_code(test.current_otp('PHONE', phone, purpose), test.attempt('PHONE', phone, purpose, code)) $$;
create temp table sent (n integer, code text) on commit drop;
insert into sent values (1, test.send_code('+12025550101', 'SIGNUP'));
select is(pg_temp.is_replaced(code), false, 'the current code is not replaced') from sent;
insert into sent values (2, test.send_code('+12025550101', 'SIGNUP'));
insert into sent values (3, test.send_code('+12025550101', 'SIGNUP'));
select is(pg_temp.is_replaced(code), n < 3, 'code ' || n || ' of three: replaced unless it is the latest') from sent;
select is(pg_temp.is_replaced(code, '+12025550102'), false, 'not for another phone') from sent where n = 1;
select is(pg_temp.is_replaced(code, purpose => 'LOGIN'), false, 'not for another purpose') from sent where n = 1;
select is(pg_temp.is_replaced(test.wrong_code(code)), false, 'a code that was never sent is not a replaced one') from sent where n = 3;
select is(private.is_replaced_code(null, test.attempt('PHONE', '+12025550101', 'SIGNUP', code)), false,
  'nothing is replaced where there is no current code') from sent where n = 1;

insert into sent select 20 + n, test.send_code('+12025550103', 'SIGNUP') from generate_series(1, 12) n;
select is((select count(*)::integer from sent where n > 20 and pg_temp.is_replaced(code, '+12025550103')), 11,
  'all replaced codes are compared, however many');

-- A code that the vendor has not taken yet replaces none
select (test.queue_otp('+12025550101', 'PHONE', 'SIGNUP', true, clock_timestamp())).id;
select is(pg_temp.is_replaced(code), false, 'a newer code that is not delivered replaces none') from sent where n = 3;

update platform.otp_transaction o set expires_at = clock_timestamp()
where o.id <> (test.current_otp('PHONE', '+12025550101', 'SIGNUP')).id;
select is(pg_temp.is_replaced(code), false, 'an expired code is not told that it was replaced') from sent where n = 1;
select throws_ok(
  $$select private.is_replaced_code(null, test.attempt('PHONE', '+12025550101', 'SIGNUP', '123456', code_key => null))$$, '22023', null,
  'is_replaced_code raises an error without a code key, although there is no code');

select * from finish();
rollback;
