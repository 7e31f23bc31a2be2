begin;
select plan(2);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
-- Each phone but the first is, or was, another account's.
select private.remember_phone(id, '+12025550102', now() - interval '1 hour', now()), private.remember_phone(id, '+12025550103', now(), null),
  private.remember_phone(other, '+12025550103', now() + interval '1 hour', null), private.remember_phone(id, '+12025550104', now(), null)
from actor;
create temp table otp on commit drop as
select k.what, (private.queue_otp(k.phone, 'PHONE', k.purpose, true, now() + k.after, account_id => case k.purpose when 'PHONE_CHANGE' then actor.id end)).id
from actor, (values
  ('own', '+12025550101', 'LOGIN', interval '0'),
  ('of a phone that it had', '+12025550104', 'LOGIN', '1 minute'),
  ('while it had the phone', '+12025550102', 'LOGIN', '-1 hour'),
  ('of the phone''s account', '+12025550102', 'LOGIN', '-59 minutes'),
  ('asked for', '+12025550102', 'PHONE_CHANGE', '0'),
  ('of an account that had the phone later', '+12025550103', 'LOGIN', '1 minute')
) k (what, phone, purpose, after);
select set_eq('select o.what from otp o, "user".account a join actor on a.id = actor.id where o.id = any (private.otps_of_account(a))',
  array['own', 'of a phone that it had', 'while it had the phone', 'asked for'], 'an account''s one-time passwords, and no other account''s, are found');
select is(private.otps_of_account(null), '{}', 'no account has none');
select * from finish();
rollback;
