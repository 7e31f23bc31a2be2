begin;
select plan(8);
select test.clean_slate();
select test.make_registration('+12025550101'), test.make_registration('+12025550101', 'another'), test.make_registration('+12025550102');
create temp table confirmed on commit drop as
  select r as registration from private.pending_registration r where r.phone = '+12025550101' order by r.registered_at limit 1;
select is(private.confirm_registration(registration), true, 'a registration of a free phone is confirmed') from confirmed;

select is((select row(a.id, a.phone, a.email, a.password_hash)::text from "user".account a),
  (select row((c.registration).user_id, (c.registration).phone, (c.registration).email, (c.registration).password_hash)::text
    from confirmed c),
  'the account has the registration''s id, phone, email and password hash');
select ok((select phone_verified_at between now() and clock_timestamp() from "user".account),
  'the account''s phone is verified now');
select ok((select created_at = phone_verified_at and updated_at = phone_verified_at from "user".account),
  'the account was created and updated when its phone was verified');
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'],
  'all pending registrations of the phone are deleted, and none of another phone');
select is(private.confirm_registration(registration), false, 'a second registration of the phone is not confirmed') from confirmed;

create temp table otp on commit drop as select * from test.store_test_otp('+12025550102', 'SIGNUP');
select private.confirm_registration(r, (select id from otp)) from private.pending_registration r;
select is((select verified_by_test_code from "user".account where phone = '+12025550102'), true, 'an account that a fixed code made is marked');
select is((select verified_by_test_code from "user".account where phone = '+12025550101'), false, 'another one is not');

select * from finish();
rollback;
