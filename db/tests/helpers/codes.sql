-- One-time passwords and their codes.

create or replace function test.code_key()
returns bytea
language sql immutable
as $$ select decode(repeat('42', 32), 'hex') $$;

create or replace function test.issue_code(otp_id uuid)
returns delivery.message
language sql
as $$ select delivery.issue_otp_code(issue_code.otp_id, test.code_key(), '{}') $$;
comment on function test.issue_code(uuid) is $$What a worker gets for a one-time password, while every provider is available.$$;

create or replace function test.record_delivery(otp_id uuid, outcome text, retry_after_seconds integer default null)
returns integer
language sql
as $$
  select delivery.record_attempt(a.id, record_delivery.outcome, null, null, null, null, 100, record_delivery.retry_after_seconds)
  from platform.delivery_attempt a where a.otp_id = record_delivery.otp_id
  order by a.started_at desc limit 1
$$;
comment on function test.record_delivery(uuid, text, integer) is
$$Records how the latest attempt of a one-time password ended. Result: as delivery.record_attempt.$$;

create or replace function test.send_code(phone text, purpose text, account_id uuid default null)
returns text
language plpgsql
as $$
declare
  v_otp platform.otp_transaction := test.queue_otp(
    phone, case when phone like '%@%' then 'EMAIL' else 'PHONE' end, purpose, true, clock_timestamp(), account_id => send_code.account_id
  );
  v_message delivery.message := test.issue_code(v_otp.id);
begin
  perform test.record_delivery(v_otp.id, 'sent');
  return v_message.body;
end
$$;
comment on function test.send_code(text, text, uuid) is
$$Sends a one-time password without counting it against a rate limit, and returns its code. phone: or an email. account_id: for purpose
PHONE_CHANGE or EMAIL_CHANGE.$$;

create or replace function test.send_reset(phone text, awaited boolean)
returns uuid
language plpgsql
as $$
begin
  if awaited then
    perform api.send_otp(phone, 'PHONE', 'PASSWORD_RESET', '192.0.2.1', test.code_key(), 'US');
  else
    perform api.request_password_reset(phone, '192.0.2.1', test.code_key(), 'US');
  end if;
  perform test.issue_code((test.otp(phone, 'PASSWORD_RESET')).id);
  return (test.otp(phone, 'PASSWORD_RESET')).id;
end
$$;
comment on function test.send_reset(text, boolean) is
$$Requests the code of a password reset and starts its delivery. awaited: by the route that waits for it. Result: its id.$$;

create or replace function test.wrong_code(code text)
returns text
language sql immutable
as $$ select translate(code, '0123456789', '1234567890') $$;
comment on function test.wrong_code(text) is $$A well-formed code that is wrong. code: the right one.$$;

create or replace function test.otp(phone text, purpose text)
returns platform.otp_transaction
language sql
as $$
  select o.* from platform.otp_transaction o
  where o.identifier = otp.phone and o.purpose = otp.purpose
  order by o.created_at desc limit 1
$$;
comment on function test.otp(text, text) is $$The latest one-time password that was requested for a phone and purpose.$$;

create or replace function test.queued_payloads()
returns setof jsonb
language sql
as $$
  select j.payload::jsonb from graphile_worker._private_jobs j
  join graphile_worker._private_tasks t on t.id = j.task_id
  where t.identifier = 'send_otp'
$$;

create or replace function test.attempt(
  identifier_type text, identifier text, purpose text, code text default null, client text default '192.0.2.1', account_id uuid default null,
  code_key bytea default test.code_key()
)
returns private.code_attempt
language sql
as $$
  select row(
    attempt.identifier_type, attempt.identifier, attempt.purpose, attempt.client, attempt.code, attempt.code_key, attempt.account_id
  )::private.code_attempt
$$;
comment on function test.attempt(text, text, text, text, text, uuid, bytea) is $$A code that somebody types.$$;

create or replace function test.current_otp(identifier_type text, identifier text, purpose text, account_id uuid default null)
returns platform.otp_transaction
language sql
as $$
  select private.current_otp(test.attempt(
    current_otp.identifier_type, current_otp.identifier, current_otp.purpose, account_id => current_otp.account_id
  ))
$$;
comment on function test.current_otp(text, text, text, uuid) is $$The one-time password that counts for an identifier and purpose.$$;

create or replace function test.guess(
  identifier_type text, identifier text, purpose text, account_id uuid default null, client text default '192.0.2.1'
)
returns void
language plpgsql
as $$
declare
  v_attempt private.code_attempt := test.attempt(
    guess.identifier_type, guess.identifier, guess.purpose, null, guess.client, guess.account_id
  );
begin
  perform private.count_guess(v_attempt, private.current_otp(v_attempt));
end
$$;
comment on function test.guess(text, text, text, uuid, text) is $$Counts a wrong code, as a request would.$$;

create or replace function test.send_request(
  identifier text, identifier_type text default 'PHONE', purpose text default 'LOGIN', awaited boolean default true,
  counted_at timestamptz default clock_timestamp(), languages text[] default '{}', autofill text default null, account_id uuid default null,
  client text default '192.0.2.1', country text default 'US', code_key bytea default test.code_key()
)
returns private.send_request
language sql
as $$
  select row(
    send_request.identifier, send_request.identifier_type, send_request.purpose, send_request.awaited, send_request.counted_at,
    send_request.languages, send_request.autofill, send_request.account_id, send_request.client, send_request.country, null,
    send_request.code_key
  )::private.send_request
$$;
comment on function test.send_request(text, text, text, boolean, timestamptz, text[], text, uuid, text, text, bytea) is
$$A message that somebody requests.$$;

create or replace function test.queue_otp(
  identifier text, identifier_type text, purpose text, awaited boolean, counted_at timestamptz, languages text[] default '{}',
  autofill text default null, account_id uuid default null
)
returns platform.otp_transaction
language sql
as $$
  select private.queue_otp(test.send_request(
    queue_otp.identifier, queue_otp.identifier_type, queue_otp.purpose, queue_otp.awaited, queue_otp.counted_at, queue_otp.languages,
    queue_otp.autofill, queue_otp.account_id
  ))
$$;
comment on function test.queue_otp(text, text, text, boolean, timestamptz, text[], text, uuid) is $$Queues a one-time password.$$;

create or replace function test.store_test_otp(phone text, purpose text, account_id uuid default null, code_key bytea default test.code_key())
returns platform.otp_transaction
language sql
as $$
  select private.store_test_otp(
    test.send_request(
      store_test_otp.phone, purpose => store_test_otp.purpose, account_id => store_test_otp.account_id, code_key => store_test_otp.code_key
    ), '424242'
  )
$$;
comment on function test.store_test_otp(text, text, uuid, bytea) is $$Stores the one-time password of a test number, with the fixed code 424242.$$;

create or replace function test.store_email_otp(email text, purpose text)
returns platform.otp_transaction
language sql
as $$
  select private.store_otp(test.send_request(store_email_otp.email, 'EMAIL', store_email_otp.purpose, false), 'stored', '123456')
$$;
comment on function test.store_email_otp(text, text) is $$Stores the one-time password of an email address, with the code 123456.$$;
