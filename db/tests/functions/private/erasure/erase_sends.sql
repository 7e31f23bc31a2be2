begin;
select plan(9);
select test.clean_slate();
create function pg_temp.otp(phone text, counted boolean default true) returns uuid language plpgsql as $$
declare v_id uuid := (test.queue_otp(phone, 'PHONE', 'LOGIN', true, now())).id;
begin
  update platform.otp_transaction set counted_at = null where id = v_id and not counted;
  return v_id;
end $$;
create temp table decision on commit drop as
select k.what, (test.make_decision(jsonb_build_object('otp_id', case when k.what <> 'refused' then coalesce(k.otp_id, gen_random_uuid()) end, 'client', k.client,
  'verdict', case k.what when 'refused' then 'refused' else 'allowed' end, 'rule', case k.what when 'refused' then 'FRAUD_CLIENT' end,
  'prefix', k.prefix))).id
from (values
  ('own', pg_temp.otp('+12025550101'), '192.0.2.1', '+12025'),
  ('given back', pg_temp.otp('+12025550101', false), '192.0.2.1', '+12025'),
  ('without its code', null, '192.0.2.1', '+12025'),
  ('refused', null, '192.0.2.1', '+12025'),
  ('of another phone', pg_temp.otp('+33612345678'), '192.0.2.1', '+33612'),
  ('of a short phone', null, '192.0.2.1', '+683'),
  ('of another client', null, '192.0.2.2', '+12025')
) k (what, otp_id, client, prefix);
create temp table actor on commit drop as select test.make_account('+12025550101') as id;
select private.remember_client(id, '192.0.2.1'), private.remember_client(id, '192.0.2.9'), private.remember_phone(id, '+6834002', now(), null) from actor;
select test.insert_hits(k || ':' || phone, now()) from unnest(array['NOTICES_PER_IDENTIFIER', 'OTP_SEND_PER_IDENTIFIER']) k, unnest(array['+12025550101', '+6834002', '+33612345678']) phone;
create temp table counted on commit drop as select c.* from "user".account a, private.erase_sends(a) e, unnest(e) c;
select is((select array_agg(k.what order by k.what) from platform.send_decision d join decision k on k.id = d.id where d.client <> ''),
  array['of another client', 'of another phone'], 'the address is erased from the decisions about the person''s sends, and from no other');
select is((select array_agg(k.what order by k.what) from counted c join decision k on k.id = c.id), array['of a short phone', 'own', 'without its code'],
  'those that are still counted are returned');
select is((select array_agg(distinct client) from counted), array['192.0.2.1'], 'as they were');
-- A row that was locked and not changed has the locking transaction in xmax.
select is((select array_agg(o.identifier) from platform.otp_transaction o where o.xmax::text <> '0'), array['+12025550101', '+12025550101'],
  'its one-time passwords stay locked, and no others');
select is((select array_agg(l.key order by l.key) from platform.rate_limit l where l.xmax::text <> '0'),
  array['NOTICES_PER_IDENTIFIER:+12025550101', 'NOTICES_PER_IDENTIFIER:+6834002', 'OTP_SEND_PER_IDENTIFIER:+12025550101', 'OTP_SEND_PER_IDENTIFIER:+6834002'], 'so do the limits of its phones, earlier ones too');

-- A phone that another account has by now
select test.clean_slate();
create temp table other on commit drop as select test.make_account('+12025550101') as id, test.make_account('+33612345678') as holder;
select private.remember_client(id, '192.0.2.1'), private.remember_client(id, '192.0.2.9'), private.remember_phone(id, '+33612345678', now() - interval '2 days', now() - interval '1 day') from other;
create temp table sent on commit drop as
select k.what, (test.make_decision(jsonb_build_object('at', now() - k.age, 'prefix', '+33612', 'client', k.client, 'purpose', k.purpose))).id
from (values
  ('while it had the phone', interval '2 days', '192.0.2.1', 'LOGIN'),
  ('of a stranger', '2 days', '192.0.2.2', 'LOGIN'),
  ('later', '1 day', '192.0.2.1', 'LOGIN'),
  ('asked for', '1 day', '192.0.2.1', 'PHONE_CHANGE'),
  ('asked for later', '1 hour', '192.0.2.1', 'PHONE_CHANGE')
) k (what, age, client, purpose);
select is((select count(*)::integer from "user".account a, private.erase_sends(a) e, unnest(e) c where a.phone = '+12025550101'), 2, 'of a phone that the account gave up, two decisions are returned');
select set_eq($$select s.what from sent s join platform.send_decision d using (id) where d.client = ''$$, array['while it had the phone', 'asked for'],
  'the address is erased from what it asked for while it had the phone, or to get it');
update platform.send_decision d set client = '192.0.2.1' from sent s where s.id = d.id and s.what = 'while it had the phone';
select private.remember_phone(holder, '+33612345678', now() - interval '2 days', null) from other;
update private.earlier_phone e set held_until = now() - interval '36 hours' from other where e.account_id = other.id;
select private.erase_sends(a) from "user".account a where a.phone = '+12025550101';
select is((select d.client from sent s join platform.send_decision d using (id) where s.what = 'while it had the phone'), '192.0.2.1',
  'what was sent while another account had the phone before it stays');
-- A second phone of the same prefix, which another account has now and had earlier: of both, the longest times count.
create temp table second on commit drop as select test.make_account('+33612345679') as holder;
select private.remember_phone(holder, '+33612345679', now() - interval '4 days', null) from second;
select private.remember_phone(id, '+33612345679', now() - interval '12 hours', now() - interval '1 minute') from other;
update platform.send_decision d set client = '192.0.2.1' from sent s where s.id = d.id and s.what <> 'of a stranger';
insert into sent select w.what, (test.make_decision(jsonb_build_object('at', now() - w.age, 'prefix', '+33612', 'client', '192.0.2.1'))).id
from (values ('before both', interval '5 days'), ('with the second one only', interval '3 days')) w (what, age);
select private.erase_sends(a) from "user".account a where a.phone = '+12025550101';
select set_eq($$select s.what from sent s join platform.send_decision d using (id) where d.client <> ''$$, array['of a stranger', 'before both'],
  'of two phones with one prefix the longest times count');
select * from finish();
rollback;
