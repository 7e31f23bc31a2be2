begin;
select plan(6);
select test.clean_slate();
select test.make_account('+12025550101'), test.make_account('+12025550102');
select private.remember_client(a.id, 'home') from "user".account a where a.phone = '+12025550101';
select is(private.is_known_client('+12025550101', 'home'), true, 'a client that the account logged in from is known');
select is(private.is_known_client('+12025550101', 'elsewhere'), false, 'another client is not known');
select is(private.is_known_client('+12025550102', 'home'), false, 'a client of one account is not known for another');
select is(private.is_known_client('+12025550103', 'home'), false, 'no client is known for a phone without an account');
update private.known_client set logged_in_at = now() - interval '30 days' + interval '1 minute';
select is(private.is_known_client('+12025550101', 'home'), true, 'a client is known until 30 days after its last login');
update private.known_client set logged_in_at = now() - interval '30 days';
select is(private.is_known_client('+12025550101', 'home'), false, 'a client is not known from 30 days after its last login');

select * from finish();
rollback;
