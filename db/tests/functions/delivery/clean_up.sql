begin;
select plan(14);
select test.truncate_rows();
select test.clean_slate(), test.make_account('+12025550101'), test.make_registration('+12025550102');
update private.pending_registration set registered_at = clock_timestamp() - interval '31 days';
update "user".account set created_at = clock_timestamp() - interval '1 year';
insert into private.known_client select a.id, 'of old', clock_timestamp() - interval '30 days' from "user".account a;
insert into private.guess_count values ('PHONE', '+12025550101', 'SIGNUP', 1, clock_timestamp() - interval '300 seconds');
insert into private.verification_state values ('PHONE', '+12025550101');
select test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp() - interval '31 days');
select test.insert_hits('spent', clock_timestamp() - interval '1 hour');
select test.make_decision(jsonb_build_object('at', now() - interval '91 days')), private.remember_phone(a.id, '+12025550103', null, now() - interval '91 days') from "user".account a;
insert into private.send_count values ('all', 'hour', now() - interval '91 days', 0, 1, 0);
insert into private.used_proof values (sha256('proof'), now() - interval '10 minutes');
insert into "user".invitation (phone, valid_until) values ('+12025550104', now() - interval '1 second');
select test.open_session(null);
update "user".session set revoked_at = clock_timestamp() - interval '8 days';
delete from graphile_worker._private_jobs;
select graphile_worker.add_job('send_otp', '{}');
update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() - interval '8 days', updated_at = now() - interval '8 days';
select test.make_factor(a.id, false) from "user".account a;
update "user".factor set created_at = now() - interval '61 minutes';
insert into private.factor_challenge (id, purpose, user_id, session_id, expires_at)
select gen_random_uuid(), 'step_up', a.id, gen_random_uuid(), now() - interval '1 second' from "user".account a;

create function pg_temp.count_expired() returns bigint language sql as $$
  select (select count(*) from platform.rate_limit) + (select count(*) from platform.otp_transaction) + (select count(*)
      from "user".session)
    + (select count(*) from private.pending_registration) + (select count(*) from private.known_client)
    + (select count(*) from private.guess_count) + (select count(*) from private.verification_state)
    + (select count(*) from platform.send_decision d where d.client <> '') + (select count(*) from private.send_count)
    + (select count(*) from private.earlier_phone) + (select count(*) from graphile_worker._private_jobs)
    + (select count(*) from private.factor_challenge) + (select count(*) from "user".factor)
    + (select count(*) from "user".invitation) + (select count(*) from private.used_proof)
$$;
select is(pg_temp.count_expired(), 15::bigint, 'each of the fifteen tables holds one expired row');
select delivery.clean_up(step, 128) from generate_series(1, 15) step;
select is(pg_temp.count_expired(), 15::bigint, 'a slice does not change earlier pages');
create function pg_temp.clean_up() returns integer language plpgsql as $$
declare
  v_progress delivery.clean_up_progress;
  v_calls integer := 0;
begin
  loop
    v_progress := delivery.clean_up(v_progress.step, v_progress.page);
    v_calls := v_calls + 1;
    exit when v_progress.step is null;
  end loop;
  return v_calls;
end
$$;
grant execute on function pg_temp.clean_up() to public;
set local role latchkey_worker;
select cmp_ok(pg_temp.clean_up(), '>=', 16, 'the worker cleans up fifteen tables, one slice per call');
reset role;
select is(pg_temp.count_expired(), 0::bigint, 'clean_up deletes every expired row');
select is((select count(*)::integer from "user".account), 1, 'clean_up deletes no account, however old');
select is(delivery.clean_up(6, 0)::text, '(7,0)', 'a table smaller than one slice takes one call');
update "user".account set sessions_ended_at = now();
select is(delivery.clean_up(16, 0)::text || delivery.clean_up(16, 0)::text, '(16,0)(17,0)', 'sessions that ended all at once take calls of their own');
insert into private.phone_recovery select id, '+12025550199', gen_random_uuid(), now(), now() from "user".account;
select is(delivery.clean_up(17, 0)::text || delivery.clean_up(17, 0)::text, '(17,0)(18,0)', 'so do changes of phone that are due');
select is((select phone from "user".account), '+12025550199', 'which it applies');

-- A table larger than one slice. Locked rows need a second connection: worker/tasks/clean_up.test.ts tests them.
insert into platform.rate_limit (key, hits, totals)
  select 'x' || n, array_fill(clock_timestamp() - interval '2 hours', array[60]), array(select generate_series(0, 60)::bigint)
      from generate_series(1, 9000) n;
select is(delivery.clean_up(1, 0)::text, '(1,128)', 'a table larger than one slice takes several calls');
select cmp_ok((select count(*)::integer from platform.rate_limit), '>', 0, 'a slice deletes no row of later pages');

-- The number of rows per page depends on the block size, so the loop fills the table to the exact size.
truncate platform.rate_limit;
do $$ begin
  while pg_relation_size('platform.rate_limit') < 128 * current_setting('block_size')::integer loop
    perform test.insert_hits(gen_random_uuid()::text, variadic array_fill(clock_timestamp(), array[60]));
  end loop;
end $$;
select is(delivery.clean_up(1, 0)::text, '(2,0)', 'a table that fills one slice exactly takes one call');

-- A table of the application that references a session holds back no other one.
select test.clean_slate(), test.open_session(null) from generate_series(1, 3);
update "user".session set revoked_at = clock_timestamp() - interval '8 days';
create table public.cart (session_id uuid references "user".session);
insert into public.cart select s.id from "user".session s limit 1;
select delivery.clean_up(3, 0);
select results_eq('select s.id from "user".session s', 'select c.session_id from public.cart c', 'a session that is referenced stays, and only that one');
drop table public.cart;

-- An address is deleted while rows that lead to it still exist
select test.clean_slate(), test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp() - interval '31 days');
select test.make_decision(jsonb_build_object('at', clock_timestamp() - interval '31 days', 'client', '192.0.2.1'));
select delivery.clean_up(step, 0) from generate_series(1, 2) step;
select is((select string_agg(d.client, '') || count(o.*) from platform.send_decision d, platform.otp_transaction o), '1',
  'addresses are deleted from decisions before the one-time passwords are deleted');

select * from finish();
rollback;
