begin;
select plan(15);
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_account('+12025550102');
select is(private.release_recycled_phone('+12025550103'), true, 'a phone without an account is free');
select is(private.release_recycled_phone('+12025550101'), false, 'a phone with an account is not');
select is((select array_agg(phone) from "user".account where xmax = pg_current_xact_id()::xid), array['+12025550101'], 'and the account is locked');
select test.open_session(a.id) from "user".account a;
create temp table before on commit drop as select * from "user".account where phone = '+12025550101';
select test.recycle('+12025550101');
select is(private.release_recycled_phone('+12025550101'), true, 'a recycled phone is free');
select is((select row(a.phone, a.password_hash, a.email)::text from "user".account a join before b using (id)), (select row(null, b.password_hash, b.email)::text from before b),
  'its old account loses it, and keeps the rest');
select is((select row(e.account_id, e.phone, e.held_until at time zone 'UTC', e.asked_at)::text from private.earlier_phone e),
  (select row(b.id, b.phone, (now() at time zone 'UTC')::date - interval '30 days', null)::text from before b), 'the phone is stored as one that it had until the day of its last use');
select is((select array_agg(a.phone) from "user".session s join "user".account a on a.id = s.user_id where s.revoked_at is null), array['+12025550102'],
  'its sessions are revoked, and no other');
select is((select array_agg(phone) from "user".account where phone is not null), array['+12025550102'], 'no other account loses its phone');
select is((private.usable_account('+12025550101')).id, null, 'nobody can sign in to it by the phone');
select is((private.usable_account(null)).id, null, 'nor without one');
select is(private.release_recycled_phone('+12025550101'), true, 'the phone stays free');

-- Registering it
select test.clean_slate();
select test.make_account('+12025550101');
select test.recycle('+12025550101');
select is((select (error).code from api.verify_registration('+12025550101', test.send_code('+12025550101', 'SIGNUP'), test.code_key(), '192.0.2.1', null, null, null, null)),
  'INVALID_OTP', 'the right code without a registration confirms nothing');
select is((select array_agg(phone) from "user".account), array['+12025550101'], 'and leaves the phone to its old account');
select private.store_registration(private.new_id(), '+12025550101', null, private.hash_registration_password('+12025550101', test.prehash('another')));
create temp table session on commit drop as select v.* from (select test.send_code('+12025550101', 'SIGNUP') as code) c,
  api.verify_registration('+12025550101', code, test.code_key(), '192.0.2.1', null, null, null, null) v;
select is((select row((error).code, user_id = a.id)::text from session, "user".account a where a.phone = '+12025550101'), '(,t)',
  'registering a recycled phone makes an account of its own, once it is verified');
select is((select count(*)::integer from "user".account where phone is null), 1, 'beside the old one');

select * from finish();
rollback;
