begin;
select plan(3);
select test.clean_slate(), test.make_account('+12025550101');
select is(private.emails_of_account(a), array['someone@example.org'], 'an account is found by its email') from "user".account a;
select is(private.emails_of_account(null), '{}', 'no account is found by none');
select test.make_account('+12025550102');
select is(private.emails_of_account(a), '{}', 'an email that another account has too is not this one''s')
  from "user".account a where a.phone = '+12025550101';
select * from finish();
rollback;
