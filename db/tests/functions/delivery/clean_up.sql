begin;
select plan(20);
do $$ begin
  perform test.clean_slate();
  perform test.make_account('+12025550101');
  perform test.make_registration('+12025550102');
  perform test.make_registration('+12025550103');
  update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' + interval '1 second' where phone = '+12025550102';
  update private.pending_registration set registered_at = clock_timestamp() - interval '24 hours' where phone = '+12025550103';
  update "user".account set created_at = clock_timestamp() - interval '25 hours';
  -- The longest period in force is an hour.
  perform test.insert_hits('live', clock_timestamp() - interval '2 hours', clock_timestamp() - interval '59 minutes 59 seconds');
  perform test.insert_hits('spent', clock_timestamp() - interval '1 hour 1 second'), test.insert_hits('given back', variadic '{}');
  insert into private.guess_count
    select 'PHONE', '+12025550101', what, null, 1, clock_timestamp() - age
    from (values ('counts', interval '299 seconds'), ('is over', interval '300 seconds')) g (what, age);
  insert into private.verification_state (identifier_type, identifier, failures, failed_at, known_client_failed_at)
    select 'PHONE', what, 1, clock_timestamp() - age, clock_timestamp() - known_age
    from (values ('of late', interval '29 days 23:59:59', interval '31 days'), ('of old', interval '30 days 1 second', null),
      ('known of late', null, interval '1 day'), ('without', null, null)) s (what, age, known_age);
end $$;

create temp table otp on commit drop as select private.queue_otp('+12025550101', 'LOGIN', true, moment) as otp, age
  from (values (clock_timestamp() - interval '30 days 1 second', 'old'), (clock_timestamp() - interval '29 days 23:59:59', 'young')) o (moment, age);
create temp table session on commit drop as select kind, (private.open_session(null)).session_id as id
  from (values ('live'), ('ended lately'), ('ended'), ('revoked lately'), ('revoked')) s (kind);
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days' + interval '1 second'
  from session k where k.id = s.id and k.kind = 'ended lately';
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'ended';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days' + interval '1 second'
  from session k where k.id = s.id and k.kind = 'revoked lately';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'revoked';
insert into private.known_client
  select a.id, client, clock_timestamp() - age from "user".account a,
  (values ('of old', interval '30 days 1 second'), ('of late', interval '29 days 23:59:59')) k (client, age)
  where a.phone = '+12025550101';

set local role latchkey_worker;
select lives_ok('select delivery.clean_up()', 'the worker cleans up');
reset role;

select is((select array_agg(key order by key) from platform.rate_limit where key = 'live'), array['live'], 'a rate limit hit within the longest period stays');
select is((select cardinality(hits) from platform.rate_limit where key = 'live'), 2, 'and keeps all its hits');
select is((select count(*)::integer from platform.rate_limit where key = 'spent'), 0, 'one not hit for that long goes');
select is((select count(*)::integer from platform.rate_limit where key = 'given back'), 0, 'so does one that holds nothing');
select is((select count(*)::integer from platform.otp_transaction o join otp k on (k.otp).id = o.id and k.age = 'young'), 1,
  'a one-time password stays for 30 days');
select is((select count(*)::integer from platform.otp_transaction o join otp k on (k.otp).id = o.id and k.age = 'old'), 0, 'and no longer');
select is((select count(*)::integer from "user".session s join session k on k.id = s.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('live', 1, 'a live session stays'),
  ('ended lately', 1, 'one that ended within 7 days too'),
  ('ended', 0, 'one that ended before goes'),
  ('revoked lately', 1, 'one revoked within 7 days stays'),
  ('revoked', 0, 'one revoked before goes')
) x (kind, stays, description);
select is((select count(*)::integer from "user".account where phone = '+12025550101'), 1, 'a verified account stays');
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'], 'a registration stays for 24 hours');
select is((select array_agg(purpose) from private.guess_count), array['counts'], 'guesses stay while they count');
select is((select array_agg(identifier order by identifier) from private.verification_state), array['known of late', 'of late'],
  'failures in a row stay for 30 days after the latest');
select is((select array_agg(client) from private.known_client), array['of late'], 'a client stays known for 30 days');

do $$ begin
  perform test.set_setting('OTP_SEND_PER_IP', '"10/7200"');
  perform test.insert_hits('counted', clock_timestamp() - interval '1 hour 59 minutes 59 seconds');
  perform delivery.clean_up();
end $$;
select is((select count(*)::integer from platform.rate_limit where key = 'counted'), 1, 'a longer period set by SQL keeps what it counts');
create temp table everything on commit drop as select count(*) as n from platform.rate_limit;
select lives_ok('select delivery.clean_up()', 'cleaning up twice is no harm');
select is((select count(*) from platform.rate_limit), (select n from everything), 'and takes nothing more');

select * from finish();
rollback;
