begin;
select plan(10);
select test.clean_slate();
create temp table otp on commit drop as
  select o as otp from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp()) o;
create temp table attempt on commit drop as
  select n, a.* from (values (1, 'http'), (2, 'http'), (3, 'twilio')) v (n, provider), otp, private.start_attempt(otp, v.provider) a;
update platform.delivery_attempt a set started_at = now() - make_interval(secs => 10 - n), vendor_message_id = 'SM' || n
from attempt where attempt.id = a.id;
create function pg_temp.found(provider text, reference uuid, vendor_message_id text) returns integer language sql
as $$ select n from attempt where id = private.attempt_of_receipt(found.provider, found.reference, found.vendor_message_id) $$;

select is(pg_temp.found('http', (select id from attempt where n = 1), null), 1, 'an attempt is found by its id');
select is(pg_temp.found('http', (select (otp).id from otp), null), 2,
  'the id of a one-time password finds its latest attempt by that provider');
select is(pg_temp.found('twilio', null, 'SM3'), 3, 'without our reference the vendor''s id finds the attempt');
select is(pg_temp.found('twilio', gen_random_uuid(), 'SM3'), 3, 'where our reference names nothing, the vendor''s id decides');
select is(pg_temp.found('http', (select id from attempt where n = 1), 'SM2'), 1, 'our reference decides before the vendor''s id');
select is(pg_temp.found('vonage', (select id from attempt where n = 1), null), null, 'another provider''s attempt is not found by its id');
select is(pg_temp.found('vonage', (select (otp).id from otp), null), null, 'another provider''s attempt is not found by its one-time password');
select is(pg_temp.found('http', null, 'SM3'), null, 'another provider''s attempt is not found by the vendor''s id');
update platform.delivery_attempt set vendor_message_id = 'SM2' where provider = 'http';
select is(pg_temp.found('http', null, 'SM2'), 2, 'of attempts with one id the latest is found: some vendors give their ids again');
update platform.delivery_attempt set vendor_message_id = null;
select is(pg_temp.found('http', null, null), null, 'a receipt that names nothing finds nothing');
select * from finish();
rollback;
