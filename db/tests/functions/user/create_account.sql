begin;
select plan(12);
select test.clean_slate();
select test.make_registration('+12025550101'), test.make_registration('+12025550102');
create temp table made on commit drop as select * from "user".create_account('+12025550101', ' Ada@Example.com ') limit 0;
grant all on made to public;
select test.become('latchkey_admin');
insert into made select * from "user".create_account('+12025550101', ' Ada@Example.com ');
reset role;
select is((select email from made), 'ada@example.com', 'the email is normalized');
select is((select row(id, phone)::text from made), (select row(id, phone)::text from "user".account), 'the account is stored and returned');
select isnt((select phone_verified_at from "user".account), null, 'its phone counts as verified');
select is((select password_hash from "user".account), null, 'it has no password');
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'],
  'registrations of the phone cannot be confirmed any more');
select is((select array_agg(identifier) from private.verification_state), array['+12025550101'],
  'the row that a verification locks is locked, and is made where it was missing');
select is((select email from "user".create_account('+12025550109', ' ')), null, 'an empty email is none');
select throws_ok($$select "user".create_account('+12025550101', null)$$, '23505', null, 'a phone has one account');
select throws_ok($$select "user".create_account('12025550103', null)$$, '23514', null, 'the phone must be E.164');
select throws_ok($$select "user".create_account('+12025550103', 'ada')$$, '23514', 'the email is not valid', 'the email must be one');
select test.become('latchkey_user');
select throws_ok($$select "user".create_account('+12025550104', null)$$, '42501', null, 'a user may not make accounts');
reset role;
select is((select phone from "user".create_account('+22997123456')), '+2290197123456', 'a number of a former plan is stored as it is today');

select * from finish();
rollback;
