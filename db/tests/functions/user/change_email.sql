begin;
select plan(8);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
update "user".account set email = 'ada@example.org', updated_at = now() - interval '1 day';

select test.become('latchkey_admin');
update "user".account set email = ' ADA@Example.org ' where phone = '+12025550101';
select is((select row(email, updated_at < now())::text from "user".account where phone = '+12025550101'), '(ada@example.org,t)', 'the same email in another spelling is no change');
update "user".account set email = E' New@Example.org' where phone = '+12025550101';
select is((select row(email, updated_at >= now())::text from "user".account where phone = '+12025550101'), '(new@example.org,t)', 'an email is trimmed and lower-cased, and the account was changed now');
reset role;
update "user".account set email_verified_at = now() where phone = '+12025550101';
select test.become('latchkey_admin');
update "user".account set email = 'NEW@example.org' where phone = '+12025550101';
select isnt((select email_verified_at from "user".account where phone = '+12025550101'), null, 'an email that is typed again in another spelling stays verified');
update "user".account set email = 'typed@example.org' where phone = '+12025550101';
select is((select email_verified_at from "user".account where phone = '+12025550101'), null, 'an email that an admin types is not verified');
update "user".account set email = '  ' where phone = '+12025550101';
select is((select email from "user".account where phone = '+12025550101'), null, 'a blank email is none');
select throws_ok($$update "user".account set email = 'ada' where phone = '+12025550101'$$, '23514', null, 'what is no email is refused');
reset role;
select is((select row(email, updated_at < now())::text from "user".account where phone = '+12025550102'), '(ada@example.org,t)', 'other accounts keep theirs');
select throws_ok($$update "user".account set email = 'ADA@example.org'$$, '23514', null, 'the owner''s functions store what they are given');

select * from finish();
rollback;
