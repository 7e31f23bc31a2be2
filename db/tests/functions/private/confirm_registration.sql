begin;
select plan(6);
do $$ begin
  perform test.clean_slate();
  perform test.make_account('+12025550101', verified_at => null);
  perform test.make_account('+12025550102', verified_at => null);
  update "user".account set registration_is_contested = true where phone = '+12025550102';
end $$;
create temp table before on commit drop as select * from "user".account;
do $$ begin perform private.confirm_registration(id) from before; end $$;

select ok((select bool_and(phone_verified_at between now() and clock_timestamp()) from "user".account), 'a registration becomes an account, verified now');
select is((select row(a.password_hash, a.email)::text from "user".account a where phone = '+12025550101'),
  (select row(b.password_hash, b.email)::text from before b where phone = '+12025550101'), 'with the password and email it was made with');
select is((select password_hash from "user".account where phone = '+12025550102'), null, 'a contested one without a password: nobody knows whose it is');
select is((select email from "user".account where phone = '+12025550102'), null, 'and without an email, for the same reason');
select is((select count(*)::integer from "user".account where registration_is_contested), 0, 'a verified account is contested no more');
select ok((select bool_and(a.updated_at >= now()) from "user".account a), 'and the change is dated');

select * from finish();
rollback;
