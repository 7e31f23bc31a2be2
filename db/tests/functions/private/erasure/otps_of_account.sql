begin;
select plan(6);
select test.clean_slate();
create temp table actor on commit drop as select test.make_account('+12025550101') as id, test.make_account('+12025550102') as other;
-- Each phone but the first is, or was, another account's.
select private.remember_phone(id, '+12025550102', now() - interval '1 hour', now()), private.remember_phone(id, '+12025550103', now(), null),
  private.remember_phone(other, '+12025550103', now() + interval '1 hour', null), private.remember_phone(id, '+12025550104', now(), null),
  private.remember_phone(id, '+12025550105', null, now())
from actor;
create temp table otp on commit drop as
select k.what, (test.queue_otp(k.phone, 'PHONE', k.purpose, true, now() + k.after, account_id => case k.purpose when 'PHONE_CHANGE' then actor.id end)).id
from actor, (values
  ('own', '+12025550101', 'LOGIN', interval '0'),
  ('of a phone that it had', '+12025550104', 'LOGIN', '0'),
  ('of somebody who registers a phone that it had', '+12025550104', 'SIGNUP', '1 minute'),
  ('of somebody who registers a phone that it asked for', '+12025550105', 'SIGNUP', '0'),
  ('while it had the phone', '+12025550102', 'LOGIN', '-1 hour'),
  ('of the phone''s account', '+12025550102', 'LOGIN', '-59 minutes'),
  ('asked for', '+12025550102', 'PHONE_CHANGE', '0'),
  ('of an account that had the phone later', '+12025550103', 'LOGIN', '1 minute')
) k (what, phone, purpose, after);
select set_eq('select o.what from otp o, "user".account a join actor on a.id = actor.id where o.id = any (private.otps_of_account(a))',
  array['own', 'of a phone that it had', 'while it had the phone', 'asked for'], 'an account''s one-time passwords, and no other account''s, are found');

-- A phone that another account had before this one, and that a third asked for
select test.clean_slate();
create temp table holder on commit drop as
select test.make_account('+12025550101') as id, test.make_account('+12025550102') as before, test.make_account('+12025550103') as third;
select private.remember_phone(id, '+12025550104', now(), null), private.remember_phone(before, '+12025550104', now() - interval '1 day', null) from holder;
create temp table code on commit drop as
select k.what, (test.queue_otp('+12025550104', 'PHONE', k.purpose, true, now() - k.age, account_id => case k.purpose when 'PHONE_CHANGE' then third end)).id
from holder, (values ('before', interval '1 day', 'LOGIN'), ('its own', '23 hours', 'LOGIN'), ('of a third', '1 hour', 'PHONE_CHANGE')) k (what, age, purpose);
create function pg_temp.found() returns setof text language sql as $$
  select c.what from code c, "user".account a join holder on a.id = holder.id where c.id = any (private.otps_of_account(a))
$$;
select set_eq('select pg_temp.found()', array['its own'], 'not those of the account that had the phone before, or of one that asks for it');
delete from "user".account a using holder where a.id = holder.before;
update platform.otp_transaction set expires_at = now();
select set_eq('select pg_temp.found()', array['its own', 'of a third'], 'unless nobody else uses the phone any more');

-- Two accounts that had a phone in turns, which a third has now
select test.clean_slate();
create temp table owner on commit drop as
select test.make_account('+12025550101') as first, test.make_account('+12025550102') as second, test.make_account('+12025550104') as third;
select private.remember_phone(case k.n % 2 when 0 then second else first end, '+12025550104', now() - interval '1 day' * (4 - k.n), null)
from owner, generate_series(1, 3) k (n);
create temp table sent on commit drop as
select n, (test.queue_otp('+12025550104', 'PHONE', 'LOGIN', true, now() - interval '1 day' * (4 - n) - interval '1 hour')).id from generate_series(1, 4) n;
select set_eq('select s.n from sent s, "user".account a join owner on a.id = owner.first where s.id = any (private.otps_of_account(a))', array[1, 3],
  'those of every time that it had the phone');
select set_eq('select s.n from sent s, "user".account a join owner on a.id = owner.second where s.id = any (private.otps_of_account(a))', array[2],
  'and not those of the time before, of an account that had it again later');
select is(private.otps_of_account(null), '{}', 'no account has none');
select * from finish();
rollback;
