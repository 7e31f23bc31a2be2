begin;
select plan(13);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
select private.remember_phone(id, '+12025550103', now(), null), private.remember_phone(id, '+12025550104', null, now()) from actor;
create function pg_temp.used() returns text language sql as $$
  select coalesce(string_agg(right(e.phone, 1), ' ' order by e.phone), '')
  from private.earlier_phone e join actor on e.account_id = actor.id where private.has_other_users(e)
$$;
create function pg_temp.reset() returns void language sql as $$
  delete from platform.otp_transaction;
  delete from private.pending_registration;
  delete from private.earlier_phone e using actor where e.account_id = actor.other
$$;
select is(pg_temp.used(), '', 'nobody else uses the phones');
select private.remember_phone(other, p, null, now()) from actor, unnest(array['+12025550103', '+12025550104']) p;
select is(pg_temp.used(), '', 'an account that only asks for a phone does not use it');
select private.remember_phone(other, p, now(), null) from actor, unnest(array['+12025550103', '+12025550104']) p;
select is(pg_temp.used(), '3 4', 'another account had them');
select pg_temp.reset();
update "user".account a set phone = '+12025550104' from actor where a.id = actor.other;
select is(pg_temp.used(), '4', 'another account has one');
update "user".account a set phone = '+12025550102' from actor where a.id = actor.other;
select test.queue_otp(p, 'PHONE', 'SIGNUP', true, now()) from unnest(array['+12025550103', '+12025550104']) p;
select is(pg_temp.used(), '4', 'a code for a phone while the account had it was for its user, and for one that it never had for somebody else');
update platform.otp_transaction set created_at = now() + interval '1 second';
select is(pg_temp.used(), '3 4', 'later ones are for somebody else');
update platform.otp_transaction set expires_at = now();
select is(pg_temp.used(), '', 'expired codes do not count');
select pg_temp.reset();
select test.queue_otp('+12025550104', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => id) from actor;
select is(pg_temp.used(), '', 'the account''s own code is nobody else''s');
select test.queue_otp('+12025550104', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => other) from actor;
select is(pg_temp.used(), '4', 'the code of another account counts');
select test.queue_otp('+12025550103', 'PHONE', 'PHONE_CHANGE', true, now(), account_id => other) from actor;
select is(pg_temp.used(), '3 4', 'the code of another account counts whenever it was sent');
select pg_temp.reset();
select test.make_registration('+12025550103'), test.make_registration('+12025550104');
select is(pg_temp.used(), '3 4', 'a registration waits for it');
update private.pending_registration set registered_at = now();
select is(pg_temp.used(), '4', 'a registration of the time when the account had the phone does not count');
select pg_temp.reset();
select "user".invite('+12025550103');
select is(pg_temp.used(), '3', 'an invited phone is somebody else''s');

select * from finish();
rollback;
