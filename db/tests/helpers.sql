-- What the tests share, in a schema of its own. Applied before them, as a superuser, any number of times.
create schema if not exists test;
comment on schema test is 'Fixtures of the pgTAP tests. Never part of an installation.';
grant usage on schema test, tap to latchkey_server, latchkey_worker, latchkey_graphql, latchkey_guest, latchkey_user, latchkey_admin;

create or replace function test.set_setting(key text, value jsonb)
returns void
language sql
as $$
  insert into settings.configuration as c (key, value) values (set_setting.key, set_setting.value)
  on conflict on constraint configuration_pkey do update set value = excluded.value
$$;
comment on function test.set_setting(text, jsonb) is $$As an operator does by SQL.$$;

create or replace function test.clean_slate()
returns void
language plpgsql
as $$
begin
  delete from settings.configuration;
  delete from platform.rate_limit;
  delete from platform.otp_transaction;
  delete from "user".session;
  delete from "user".account;
  delete from private.pending_registration;
  delete from private.guess_count;
  delete from private.verification_state;
  delete from graphile_worker._private_jobs;
  perform test.set_setting('PASSWORD_HASH_COST', '4');
  perform test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}"}');
end
$$;
comment on function test.clean_slate() is
$$Whatever lies in the database is gone until the test's rollback: no account, no limit spent, and the default settings,
except that hashes are cheap and a provider is there.$$;

create or replace function test.code_key()
returns bytea
language sql immutable
as $$ select decode(repeat('42', 32), 'hex') $$;

create or replace function test.prehash(password text)
returns text
language sql immutable
as $$ select encode(sha256(convert_to(password, 'UTF8')), 'base64') $$;
comment on function test.prehash(text) is $$44 characters of base64, as the shell's keyed pre-hash.$$;

create or replace function test.make_account(phone text, password text default 'correct horse', verified_at timestamptz default now())
returns uuid
language sql
as $$
  insert into "user".account (id, phone, email, password_hash, phone_verified_at)
  values (
    private.new_id(), make_account.phone, 'someone@example.org',
    private.hash_password(test.prehash(make_account.password)), make_account.verified_at
  )
  returning id
$$;
comment on function test.make_account(text, text, timestamptz) is $$An account.$$;

create or replace function test.make_registration(phone text, password text default 'correct horse')
returns uuid
language plpgsql
as $$
declare
  v_user_id uuid := private.new_id();
begin
  perform private.store_registration(
    v_user_id, phone, 'someone@example.org', private.hash_registration_password(phone, test.prehash(password))
  );
  return v_user_id;
end
$$;
comment on function test.make_registration(text, text) is $$A registration that waits for its verification.$$;

create or replace function test.send_code(phone text, purpose text)
returns text
language plpgsql
as $$
declare
  v_otp platform.otp_transaction := private.queue_otp(phone, purpose, true, clock_timestamp());
  v_message delivery.message := delivery.issue_otp_code(v_otp.id, test.code_key());
begin
  perform delivery.record_delivery(v_otp.id, 'sent');
  return v_message.body;
end
$$;
comment on function test.send_code(text, text) is $$The code of a one-time password that was sent, past every limit.$$;

create or replace function test.another(code text)
returns text
language sql immutable
as $$ select translate(code, '0123456789', '1234567890') $$;
comment on function test.another(text) is $$A well-formed code that is not this one.$$;

create or replace function test.otp(phone text, purpose text)
returns platform.otp_transaction
language sql
as $$
  select o.* from platform.otp_transaction o
  where o.identifier = otp.phone and o.purpose = otp.purpose
  order by o.created_at desc limit 1
$$;
comment on function test.otp(text, text) is $$The latest one-time password asked for.$$;

create or replace function test.age_otps(age interval)
returns void
language plpgsql
as $$
begin
  -- Past the trigger that lets verified_at only move forward.
  perform set_config('session_replication_role', 'replica', true);
  update platform.otp_transaction o
  set created_at = o.created_at - age, expires_at = o.expires_at - age,
      current_since = o.current_since - age, verified_at = o.verified_at - age;
  perform set_config('session_replication_role', 'origin', true);
end
$$;

create or replace function test.age_guesses(age interval)
returns void
language sql
as $$
  update private.guess_count g set first_guess_at = g.first_guess_at - age
$$;

create or replace function test.age_failures(age interval)
returns void
language sql
as $$
  update private.verification_state s
  set failed_at = s.failed_at - age, known_client_failed_at = s.known_client_failed_at - age
$$;

create or replace function test.insert_hits(key text, variadic hits timestamptz[])
returns void
language sql
as $$
  insert into platform.rate_limit (key, hits, totals)
  values (insert_hits.key, insert_hits.hits, array(select n::bigint from generate_series(0, cardinality(insert_hits.hits)) n))
$$;
comment on function test.insert_hits(text, timestamptz[]) is $$A window as if these requests had been counted.$$;

create or replace function test.age_rate_limits(age interval)
returns void
language sql
as $$
  update platform.rate_limit l set hits = array(select hit - age from unnest(l.hits) with ordinality h (hit, n) order by n)
$$;

create or replace function test.hits(key text)
returns integer
language sql
as $$
  select coalesce((select l.totals[cardinality(l.totals)] - l.totals[1] from platform.rate_limit l where l.key = hits.key), 0)::integer
$$;
comment on function test.hits(text) is $$How much is counted under a rate limit's key.$$;

create or replace function test.queued_payloads()
returns setof jsonb
language sql
as $$
  select j.payload::jsonb from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = 'send_otp'
$$;

create or replace function test.call_as(role text, call text, answer anyelement)
returns anyelement
language plpgsql
as $$
begin
  perform set_config('role', call_as.role, true);
  execute 'select * from ' || call into answer;
  perform set_config('role', 'none', true);
  return answer;
end
$$;
comment on function test.call_as(text, text, anyelement) is
$$What a role is answered that may do no more than call, not even make the temporary tables of these tests.
answer: a null of the type that the call returns.$$;

create or replace function test.watch_bcrypt()
returns void
language plpgsql
as $watch$
begin
  create table test.bcrypt_work (rounds integer not null);
  grant insert on test.bcrypt_work to latchkey_owner;
  grant usage on schema test to latchkey_owner;
  create function test.real_crypt(text, text) returns text immutable strict language c as '$libdir/pgcrypto', 'pg_crypt';
  create or replace function crypto.crypt(text, text) returns text volatile strict language plpgsql as $spy$
  begin
    insert into test.bcrypt_work values (1 << substr($2, 5, 2)::integer);
    return test.real_crypt($1, $2);
  end
  $spy$;
end
$watch$;
comment on function test.watch_bcrypt() is
$$From here to the rollback the work of bcrypt is noted in test.bcrypt_work: what a clock would say, without a clock's noise.$$;

create or replace function test.bcrypt_rounds()
returns bigint
language plpgsql
as $$
declare
  v_rounds bigint;
begin
  select coalesce(sum(w.rounds), 0) into v_rounds from test.bcrypt_work w;
  truncate test.bcrypt_work;
  return v_rounds;
end
$$;
comment on function test.bcrypt_rounds() is $$The rounds since it was asked last.$$;

create or replace function test.become(role text, user_id uuid default null, session_id uuid default null)
returns void
language plpgsql
as $$
begin
  perform set_config('latchkey.user_id', coalesce(become.user_id::text, ''), true);
  perform set_config('latchkey.session_id', coalesce(become.session_id::text, ''), true);
  perform set_config('role', become.role, true);
end
$$;
comment on function test.become(text, uuid, uuid) is $$Stands in a caller's shoes, as a GraphQL request does, until "reset role".$$;
