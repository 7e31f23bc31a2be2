begin;
select plan(5);
select test.clean_slate(), test.make_account('+12025550101'), test.make_account('+12025550102');
insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
values (gen_random_uuid(), 'someone@example.org', 'EMAIL', 'LOGIN', false, 'stored', now());

select private.erase_email(a.email, a.id) from "user".account a where a.phone = '+12025550101';
select isnt_empty('select from platform.otp_transaction', 'what is stored about an email that another account has too stays');
select is_empty('select from private.verification_state', 'no verification state without a count is left');
select lives_ok('select private.erase_email(null, gen_random_uuid())', 'an account without an email has nothing to delete');
update "user".account set email = null where phone = '+12025550102';
select isnt_empty('select from platform.otp_transaction', 'it stays when the other account loses the email');
select private.erase_email(a.email, a.id) from "user".account a where a.phone = '+12025550101';
select is_empty('select from platform.otp_transaction', 'it is deleted for the last account that has the email');
select * from finish();
rollback;
