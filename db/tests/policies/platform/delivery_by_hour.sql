begin;
select plan(13);
select test.clean_slate();
select policies_are('platform', 'delivery_by_hour', array[]::text[], 'a view has no policies: those of its tables apply');
create temp table sent on commit drop as
  select p.phone, o.id as otp_id, (private.start_attempt(o, p.provider)).id
  from (values ('+12025550101', 'a'), ('+12025550102', 'a'), ('+12025550103', 'a'), ('+4915112345678', 'a'), ('+12025550104', 'b')) p (phone, provider),
    test.queue_otp(p.phone, 'PHONE', 'LOGIN', true, now()) o;
update platform.delivery_attempt set started_at = '2026-01-31 12:59:59.9+00', duration_ms = 100, outcome = 'sent';
update platform.delivery_attempt a set outcome = 'refused', duration_ms = 900 from sent s where s.id = a.id and s.phone = '+12025550102';
update platform.delivery_attempt a set outcome = 'uncertain', duration_ms = 300 from sent s where s.id = a.id and s.phone = '+12025550103';
update platform.delivery_attempt a set receipt = 'delivered' from sent s where s.id = a.id and s.phone = '+12025550101';
update platform.otp_transaction o set verified_at = now() from sent s where s.otp_id = o.id and s.phone in ('+12025550101', '+12025550103');
set local timezone = 'Asia/Kolkata';

select test.become('latchkey_admin');
select results_eq($$select hour, provider, channel, calling_code, attempts, sent, refused, declined, unreachable, uncertain, delivered,
    undelivered, verified, median_ms, p95_ms from platform.delivery_by_hour order by provider, calling_code$$,
  $$values ('2026-01-31 12:00:00+00'::timestamptz, 'a', 'sms', '1', 3, 1, 1, 0, 0, 1, 1,
      0, 1, 300, 900),
    ('2026-01-31 12:00:00+00', 'a', 'sms', '49', 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, 100),
    ('2026-01-31 12:00:00+00', 'b', 'sms', '1', 1, 1, 0, 0, 0, 0, 0, 0, 0, 100, 100)$$,
  'the admin sees attempts by hour (UTC), provider, channel and calling code; a verified one counts where it was sent');
reset role;
update platform.delivery_attempt set outcome = 'declined', receipt = 'undelivered' where provider = 'b';
update platform.delivery_attempt set outcome = 'unreachable' from sent s where s.id = delivery_attempt.id and s.phone = '+4915112345678';
select results_eq($$select declined, unreachable, undelivered from platform.delivery_by_hour order by provider desc, calling_code desc limit 2$$,
  $$values (1, 0, 1), (0, 1, 0)$$, 'each outcome and receipt has its count');
update platform.delivery_attempt set started_at = '2026-01-31 13:00:00+00' where provider = 'b';
select test.make_decision(jsonb_build_object('otp_id', otp_id, 'country', case phone when '+12025550102' then 'JM' else 'US' end))
from sent where phone in ('+12025550101', '+12025550102');
select set_eq($$select country, attempts from platform.delivery_by_hour where provider = 'a' and calling_code = '1'$$,
  $$values ('US', 1), ('JM', 1), (null, 1)$$, 'countries of one calling code are counted apart; a send without a decision has none');
select is((select hour from platform.delivery_by_hour where provider = 'b'), '2026-01-31 13:00:00+00', 'the first moment of an hour is that hour''s');
update platform.otp_transaction set identifier = 'someone@example.org', identifier_type = 'EMAIL';
select results_eq($$select distinct calling_code from platform.delivery_by_hour$$, array[null::text], 'an email address has no calling code');

-- The view runs with the reader's rights, so a role that cannot read attempts cannot read them here.
select test.become('latchkey_user');
select throws_ok('select hour from platform.delivery_by_hour', '42501', null, 'a user cannot read the view');
reset role;
select test.become('latchkey_guest');
select throws_ok('select hour from platform.delivery_by_hour', '42501', null, 'a guest cannot read the view');
reset role;
select throws_ok('set local role ' || role || '; select hour from platform.delivery_by_hour', '42501', null, description)
from (values ('latchkey_server', 'latchkey_server cannot read the view'),
  ('latchkey_worker', 'latchkey_worker cannot read the view'),
  ('latchkey_graphql', 'latchkey_graphql cannot read the view before SET ROLE')) r (role, description);
grant select on platform.delivery_by_hour to latchkey_user;
select test.become('latchkey_user');
select throws_ok('select hour from platform.delivery_by_hour', '42501', null,
  'a role that may read the view but not its tables reads nothing: the view does not lend its owner''s rights');
reset role;
select test.become('latchkey_admin');
select throws_ok('delete from platform.delivery_by_hour', null, null, 'the admin cannot change the view');
reset role;

select * from finish();
rollback;
