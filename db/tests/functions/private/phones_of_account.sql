begin;
select plan(2);
select test.clean_slate(), test.make_account('+12025550101');
select is(private.phones_of_account(a), array['+12025550101'], 'an account is found by its phone') from "user".account a;
select is(private.phones_of_account(null), '{}', 'no account is found by none');
select * from finish();
rollback;
