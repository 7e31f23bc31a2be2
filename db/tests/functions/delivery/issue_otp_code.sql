begin;
select plan(17);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "Code {{code}}, {{minutes}} minutes",
  "http": {"url": "https://gateway.example"}}');
create function pg_temp.issue(otp_id uuid) returns setof delivery.message language sql
as $$ select * from test.issue_code(otp_id) $$;
create function pg_temp.queue(phone text, purpose text default 'LOGIN', awaited boolean default true) returns uuid language sql
as $$ select (test.queue_otp(phone, 'PHONE', purpose, awaited, clock_timestamp())).id $$;

-- The first message
create temp table queued on commit drop as select pg_temp.queue('+12025550101') as id;
create temp table message on commit drop as select m.* from queued, test.call_as('latchkey_worker',
  format('test.issue_code(%L)', queued.id), null::delivery.message) m;
create temp table issued on commit drop as select (regexp_match(body, '^Code ([0-9]{6}), 5 minutes$'))[1] as code from message;
select is((select row(otp_id, provider, options, recipient)::text from message),
  (select row(id, 'http', '{"url": "https://gateway.example"}'::jsonb, '+12025550101')::text from queued),
  'the message has the one-time password''s id, provider, provider options and recipient');
select isnt((select code from issued), null,
  'the message''s text is the template with a code of six digits and the minutes left');
select is((select row(delivery, attempts, current_since)::text from platform.otp_transaction), '(sending,0,)',
  'the one-time password is being sent and is not current yet');
select is((select code_hash from platform.otp_transaction), (select private.hash_code(id, code, test.code_key()) from queued, issued),
  'the hash of the code is stored');
select is((select count(*)::integer from issued, platform.otp_transaction o
  where strpos((to_jsonb(o) - array['id', 'code_hash', 'counted_at', 'created_at', 'expires_at'])::text, code) > 0), 0,
  'the row does not contain the code in plain text');
select is((select count(*)::integer from issued, graphile_worker._private_jobs j where strpos(j.payload::text, '"' || code || '"') > 0), 0,
  'the job does not contain the code');

-- A retry
update platform.otp_transaction set attempts = 2;
create temp table old_hash on commit drop as select code_hash from platform.otp_transaction;
create temp table retried on commit drop as
  select (regexp_match(body, '[0-9]{6}'))[1] as code from queued, pg_temp.issue(queued.id);
select isnt((select code_hash from platform.otp_transaction), (select code_hash from old_hash),
  'a retry makes and stores another code');
select is((select attempts from platform.otp_transaction), 2, 'a retry keeps the attempts that were counted');
select is((select code_hash from platform.otp_transaction), (select private.hash_code(id, code, test.code_key()) from queued, retried),
  'after a retry the stored hash is that of the new code');

-- Settings
select test.clean_slate();
select test.set_setting('OTP_LENGTH', '8');
select ok((select m.body ~ '^[0-9]{8}$' from (select pg_temp.queue('+12025550101') as id) q, pg_temp.issue(q.id) m),
  'a change of OTP_LENGTH applies to the next code');
create temp table waiting on commit drop as select pg_temp.queue('+12025550101') as id;
select test.set_setting('OTP_PROVIDER',
  '{"providerToUse": "http", "template": "{{code}}!", "http": {"url": "https://x"}, "vonage": {"from": "Shop"}}');
select is((select row(m.provider, m.options, m.body ~ '^[0-9]{8}!$')::text from waiting, pg_temp.issue(waiting.id) m),
  '(http,"{""url"": ""https://x""}",t)',
  'a change of OTP_PROVIDER applies to the next message, which carries only its own provider''s options');

-- The code key
create temp table keyless on commit drop as select pg_temp.queue('+12025550101') as id;
select throws_ok($$select delivery.issue_otp_code(id, null, '{}') from keyless$$, '22023', null,
  'issue_otp_code raises an error without a code key');
select throws_ok($$select delivery.issue_otp_code(id, '\x42', '{}') from keyless$$, '22023', null,
  'issue_otp_code raises an error for a code key that is too short');
select is((select o.delivery || ' ' || (o.code_hash is null) from platform.otp_transaction o join keyless k using (id)), 'queued true',
  'a one-time password for which issue_otp_code raised an error stays queued');

select test.set_setting('OTP_PROVIDER', '{"providerToUse": "console", "template": "{{code}}", "routes": {"+44": {"providerToUse": "http", "http": {"url": "https://uk.example"}}}}');
select is((select row(m.provider, m.options)::text from test.queue_otp('+447624123456', 'PHONE', 'LOGIN', true, clock_timestamp()) o, test.issue_code(o.id) m),
  row('http', jsonb '{"url": "https://uk.example"}')::text, 'a message has the provider and the options of its phone''s route');

-- A delivery with an outcome
create temp table ended on commit drop as select state, pg_temp.queue('+12025550177') as id
  from unnest(array['sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored', 'test']) state;
update platform.otp_transaction o set delivery = e.state from ended e where e.id = o.id;
select is_empty('select e.state from ended e, pg_temp.issue(e.id) m where m.otp_id is not null', 'nothing is sent once there is an outcome');
create temp table used on commit drop as select pg_temp.queue('+12025550178') as id;
update platform.otp_transaction o set delivery = 'sending', verified_at = clock_timestamp() from used u where u.id = o.id;
select is_empty('select from used u, pg_temp.issue(u.id) m where m.otp_id is not null', 'nor once the code was used');

select * from finish();
rollback;
