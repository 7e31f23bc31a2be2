begin;
select plan(3);
select test.clean_slate(), test.make_account('+12025550101');
select is(private.phones_of_account(a), array['+12025550101'], 'an account is found by its phone') from "user".account a;
select is(private.phones_of_account(null), '{}', 'no account is found by none');
select private.queue_otp(asked, 'PHONE', 'PHONE_CHANGE', true, now(), account_id => a.id)
from "user".account a, unnest(array['+12025550102', '+12025550103']) asked;
select test.make_account('+12025550103');
select set_eq($$select unnest(private.phones_of_account(a)) from "user".account a where a.phone = '+12025550101'$$, array['+12025550101', '+12025550102'],
  'phones that it asked for are its own, unless another account has them');
select * from finish();
rollback;
