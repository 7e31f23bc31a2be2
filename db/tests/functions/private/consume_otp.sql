begin;
select plan(3);
do $$ begin
  perform test.clean_slate();
  perform test.send_code('+12025550101', 'SIGNUP'), test.send_code('+12025550102', 'SIGNUP');
  perform private.consume_otp((test.otp('+12025550101', 'SIGNUP')).id);
end $$;
create temp table used on commit drop as select * from platform.otp_transaction where identifier = '+12025550101';
select ok((select verified_at between now() and clock_timestamp() from used), 'a one-time password is used from now on');
do $$ begin perform private.consume_otp(id) from used; end $$;
select is((test.otp('+12025550101', 'SIGNUP')).verified_at, (select verified_at from used), 'using it again leaves the first moment');
select is((test.otp('+12025550102', 'SIGNUP')).verified_at, null, 'another stays unused');

select * from finish();
rollback;
