-- How old the rows of each table become. db/tests/functions/delivery/clean_up.sql has the slices.
begin;
select plan(32);
create function pg_temp.clean_up() returns void language plpgsql as $$
declare
  v_progress delivery.clean_up_progress;
begin
  loop
    v_progress := delivery.clean_up(v_progress.step, v_progress.page);
    exit when v_progress.step is null;
  end loop;
end
$$;

-- Rate limits
select test.clean_slate();
-- The longest period in force is an hour.
select test.insert_hits('live', clock_timestamp() - interval '2 hours', clock_timestamp() - interval '59 minutes');
select test.insert_hits('spent', clock_timestamp() - interval '1 hour'), test.insert_hits('given back', variadic '{}');
select pg_temp.clean_up();
select is((select array_agg(key) from platform.rate_limit), array['live'],
  'a rate limit with a hit within the longest period stays, one without is deleted');
select is((select cardinality(hits) from platform.rate_limit), 2, 'a rate limit that stays keeps all its hits');
select test.set_setting('OTP_SEND_PER_IP', '"10/7200"');
select test.insert_hits('counted', clock_timestamp() - interval '1 hour 59 minutes');
select test.insert_hits('over', clock_timestamp() - interval '2 hours');
select pg_temp.clean_up();
select is((select array_agg(key order by key) from platform.rate_limit), array['counted', 'live'],
  'a longer period that is set keeps the hits that it counts');

-- Decisions about sends
select test.clean_slate();
select test.make_decision(jsonb_build_object('at', clock_timestamp() - age::interval, 'client', age))
from unnest(array['90 days', '89 days 23:59:00', '29 days 23:00:00', '29 days 22:59:00', '1 day 23:00:00', '1 day 22:59:00']) d (age);
create function pg_temp.kept() returns setof text language sql
as $$ select round(extract(epoch from clock_timestamp() - d.at) / 60) || ' ' || d.client from platform.send_decision d $$;

select pg_temp.clean_up();
select set_eq('select pg_temp.kept()',
  array['129599 ', '43140 ', '43139 29 days 22:59:00', '2820 1 day 23:00:00', '2819 1 day 22:59:00'],
  'what is older than 90 days is deleted, and addresses that are an hour less than 30 days old');
select test.set_setting('OTP_RETENTION_DAYS', '2');
select pg_temp.clean_up();
select set_eq('select pg_temp.kept()', array['129599 ', '43140 ', '43139 ', '2820 ', '2819 1 day 22:59:00'],
  'addresses are deleted with the one-time passwords that lead to them');
select test.set_setting('OTP_RETENTION_DAYS', '365');
update platform.send_decision set client = 'again' where at < clock_timestamp() - interval '29 days';
select pg_temp.clean_up();
select set_eq('select pg_temp.kept()', array['129599 ', '43140 ', '43139 again', '2820 ', '2819 1 day 22:59:00'],
  'addresses are deleted not later than an account''s known clients');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select pg_temp.clean_up();
select set_eq('select pg_temp.kept()', array['2820 ', '2819 1 day 22:59:00'], 'the setting decides');

-- Sessions
select test.clean_slate();
create temp table session on commit drop as select kind, (test.open_session(null)).session_id as id
  from (values ('live'), ('ended lately'), ('ended'), ('revoked lately'), ('revoked')) s (kind);
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days' + interval '1 minute'
  from session k where k.id = s.id and k.kind = 'ended lately';
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'ended';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days' + interval '1 minute'
  from session k where k.id = s.id and k.kind = 'revoked lately';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'revoked';
select pg_temp.clean_up();
select is((select count(*)::integer from "user".session s join session k on k.id = s.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('live', 1, 'a live session stays'),
  ('ended lately', 1, 'a session that expired less than 7 days ago stays'),
  ('ended', 0, 'a session that expired more than 7 days ago is deleted'),
  ('revoked lately', 1, 'a session that was revoked less than 7 days ago stays'),
  ('revoked', 0, 'a session that was revoked more than 7 days ago is deleted')
) x (kind, stays, description);

select test.set_setting('SESSION_RETENTION_DAYS', '1'), pg_temp.clean_up();
select is((select array_agg(k.kind) from "user".session s join session k on k.id = s.id), array['live'],
  'SESSION_RETENTION_DAYS is the age from which ended sessions are deleted');

-- Pending registrations
select test.clean_slate();
select test.make_registration('+12025550101'), test.make_registration('+12025550102');
update private.pending_registration
set registered_at = clock_timestamp() - interval '30 days 1 second' + case phone when '+12025550102' then interval '1 minute' else '0' end;
select pg_temp.clean_up();
select is((select array_agg(phone) from private.pending_registration), array['+12025550102'],
  'a pending registration is deleted after 30 days');

-- Known clients
select test.clean_slate(), test.make_account('+12025550101');
insert into private.known_client
  select a.id, client, clock_timestamp() - age from "user".account a,
  (values ('of old', interval '30 days'), ('of late', interval '29 days 23:59:59')) k (client, age);
select pg_temp.clean_up();
select is((select array_agg(client) from private.known_client), array['of late'],
  'a known client is deleted 30 days after its last login');

-- Counts of wrong codes
select test.clean_slate();
insert into private.guess_count
  select 'PHONE', '+12025550101', what, 1, clock_timestamp() - age
  from (values ('LOGIN', interval '4 minutes'), ('SIGNUP', interval '300 seconds')) g (what, age);
select pg_temp.clean_up();
select is((select array_agg(purpose) from private.guess_count), array['LOGIN'],
  'a count of wrong codes is deleted OTP_TTL_SECONDS after the first');

-- Wrong codes in a row
select test.clean_slate();
insert into private.verification_state (identifier_type, identifier, failures, failed_at, known_client_failed_at)
  select 'PHONE', what, 1, clock_timestamp() - age, clock_timestamp() - known_age
  from (values ('of late', interval '29 days 23:59:59', interval '31 days'), ('of old', interval '30 days 1 second', null),
    ('known of late', null, interval '1 day'), ('without', null, null)) s (what, age, known_age);
select pg_temp.clean_up();
select is((select array_agg(identifier order by identifier) from private.verification_state), array['known of late', 'of late'],
  'failures in a row are deleted 30 days after the latest one');

-- One-time passwords
select test.clean_slate();
select test.queue_otp(phone, 'PHONE', 'LOGIN', true, clock_timestamp() - age)
from (values ('+12025550101', interval '30 days 1 second'), ('+12025550102', interval '29 days 23:59:59')) o (phone, age);
select private.start_attempt(o, 'console') from platform.otp_transaction o;
select pg_temp.clean_up();
select is((select array_agg(identifier) from platform.otp_transaction), array['+12025550102'],
  'a one-time password is deleted after 30 days');
select is((select count(*)::integer from platform.delivery_attempt), 1, 'its delivery attempts are deleted with it');
select test.set_setting('OTP_RETENTION_DAYS', '31');
select test.queue_otp('+12025550103', 'PHONE', 'LOGIN', true, clock_timestamp() - interval '30 days 1 second');
select pg_temp.clean_up();
select is((select count(*)::integer from platform.otp_transaction), 2, 'OTP_RETENTION_DAYS is the age up to which they stay');
select test.set_setting('OTP_RETENTION_DAYS', '29'), pg_temp.clean_up();
select is((select count(*)::integer from platform.otp_transaction), 0, 'a shorter OTP_RETENTION_DAYS deletes them sooner');

-- Counters of sends
select test.clean_slate();
insert into private.send_count select client, 'hour', clock_timestamp() - age::interval, 0, 1, 0 
from (values ('of old', '90 days'), ('of late', '89 days 23:59:00'), ('of yesterday', '1 day')) d (client, age);
select pg_temp.clean_up();
select set_eq('select subject from private.send_count', array['of late', 'of yesterday'], 'what is older than 90 days is deleted');
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '15');
select pg_temp.clean_up();
select set_eq('select subject from private.send_count', array['of yesterday'], 'the setting decides');

insert into private.send_count select 'client:' || age, 'day', clock_timestamp() - age::interval, 0, 1, 0
from unnest(array['15 days', '14 days 23:59:00']) d (age);
select test.set_setting('SEND_DECISION_RETENTION_DAYS', '90');
select pg_temp.clean_up();
select set_eq('select subject from private.send_count', array['of yesterday', 'client:14 days 23:59:00'],
  'the count of a client is deleted when no rule reads it any more');

-- Failed jobs
select test.clean_slate();
create temp table job on commit drop as
  select j.kind, (graphile_worker.add_job('send_otp', json_build_object('kind', j.kind), max_attempts => 5)).id
  from (values ('failed'), ('failed lately'), ('waits for its next attempt'), ('runs its last attempt'), ('was locked'), ('failed, updated lately')) j (kind);
update graphile_worker._private_jobs j
set attempts = 5, run_at = clock_timestamp() - interval '7 days 1 second', updated_at = clock_timestamp() - interval '7 days 1 second'
from job k where k.id = j.id;
update graphile_worker._private_jobs j set run_at = clock_timestamp() - interval '7 days' + interval '10 seconds'
from job k where k.id = j.id and k.kind = 'failed lately';
update graphile_worker._private_jobs j set updated_at = clock_timestamp() - interval '7 days' + interval '10 seconds'
from job k where k.id = j.id and k.kind = 'failed, updated lately';
update graphile_worker._private_jobs j set attempts = 4 from job k where k.id = j.id and k.kind = 'waits for its next attempt';
update graphile_worker._private_jobs j set locked_at = clock_timestamp(), locked_by = 'worker'
from job k where k.id = j.id and k.kind = 'runs its last attempt';
-- The library itself would complete a job that has been locked for more than four hours.
update graphile_worker._private_jobs j set locked_at = clock_timestamp() - interval '5 hours', locked_by = 'worker'
from job k where k.id = j.id and k.kind = 'was locked';

select pg_temp.clean_up();
select is((select count(*)::integer from graphile_worker._private_jobs j join job k on k.id = j.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('failed', 0, 'a job whose last attempt failed more than seven days ago is deleted'),
  ('failed lately', 1, 'a job whose last attempt failed less than seven days ago stays'),
  ('failed, updated lately', 1, 'a job that was changed less than seven days ago stays'),
  ('waits for its next attempt', 1, 'a job that has an attempt left stays, however old'),
  ('runs its last attempt', 1, 'a job that runs stays'),
  ('was locked', 1, 'a job that has been locked for long stays: only its worker''s death shows that it does not run')
) x (kind, stays, description);
select test.set_setting('FAILED_JOB_RETENTION_DAYS', '6'), pg_temp.clean_up();
select is((select count(*)::integer from graphile_worker._private_jobs), 3, 'FAILED_JOB_RETENTION_DAYS is the age from which they are deleted');

-- Earlier phones
select test.clean_slate(), test.make_account('+12025550101');
insert into private.earlier_phone
  select a.id, '+1202555010' || n, clock_timestamp() - held, clock_timestamp() - asked from "user".account a,
  (values (2, interval '91 days', interval '92 days'), (3, '91 days', '89 days'), (4, '89 days', null), (5, null, '91 days')) k (n, held, asked);
select pg_temp.clean_up();
select is((select array_agg(phone order by phone) from private.earlier_phone), array['+12025550103', '+12025550104'],
  'an earlier phone is deleted when no row is left that it leads to');

select * from finish();
rollback;
