begin;
select plan(32);
select test.clean_slate();
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "Code {{code}}, {{minutes}} minutes",
  "http": {"url": "https://gateway.example"}}');
create function pg_temp.issue(otp_id uuid) returns setof delivery.message language sql
as $$ select * from test.issue_code(otp_id) $$;
create function pg_temp.queue(phone text, purpose text default 'LOGIN', awaited boolean default true) returns uuid language sql
as $$ select (test.queue_otp(phone, 'PHONE', purpose, awaited, clock_timestamp())).id $$;

-- No message to send
select is((test.issue_code(gen_random_uuid()))::text, null,
  'no message is issued for a one-time password that does not exist');
create temp table done on commit drop as
  select o.delivery, pg_temp.queue('+1202555020' || n, 'LOGIN', o.awaited) as id from (values
    (1, 'sent', true), (2, 'refused', true), (3, 'dropped', true), (4, 'cancelled', true), (5, 'stored', false),
    (6, 'unreachable', true), (7, 'uncertain', true)) o (n, delivery, awaited);
update platform.otp_transaction o set delivery = d.delivery from done d where d.id = o.id;
select is((test.issue_code(id))::text, null,
  'no message is issued for a one-time password that is ' || delivery)
from done where delivery not in ('unreachable', 'uncertain');
select is((test.issue_code(id))::text, null,
  'no message is issued for an awaited one-time password that is ' || delivery || ': the request has reported the failure')
from done where delivery in ('unreachable', 'uncertain');
select is((select count(code_hash)::integer from platform.otp_transaction o join done d on d.id = o.id
  where d.delivery not in ('unreachable', 'uncertain')), 0, 'no code is made for a one-time password that is not sent again');
select is((select count(*)::integer from platform.otp_transaction o join done d on d.id = o.id and d.delivery <> o.delivery
  where d.delivery not in ('unreachable', 'uncertain')), 0, 'a delivery that is over keeps its outcome');
create temp table used on commit drop as select pg_temp.queue('+12025550210') as id;
update platform.otp_transaction set delivery = 'sending', verified_at = now() where id = (select id from used);
select is((select (test.issue_code(id))::text from used), null,
  'no message is issued for a used one-time password');

-- The time left, of codes that no request awaits
select test.make_account('+12025550300');
create function pg_temp.queue_with_seconds_left(seconds integer, lifetime integer default 300) returns uuid language plpgsql
as $$
declare
  v_id uuid := pg_temp.queue('+12025550300', 'PASSWORD_RESET', false);
begin
  update platform.otp_transaction set expires_at = clock_timestamp() + make_interval(secs => seconds),
    created_at = clock_timestamp() + make_interval(secs => seconds - lifetime) where id = v_id;
  return v_id;
end
$$;
create temp table time_left on commit drop as
  select * from (values
    ('61', pg_temp.queue_with_seconds_left(61)),
    ('59', pg_temp.queue_with_seconds_left(59)),
    ('31 of 60', pg_temp.queue_with_seconds_left(31, 60)),
    ('29 of 60', pg_temp.queue_with_seconds_left(29, 60)),
    ('100', pg_temp.queue_with_seconds_left(100))
  ) t (seconds, id);
create temp table issued_body on commit drop as select t.*, m.body from time_left t, pg_temp.issue(t.id) m;
select isnt((select body from issued_body where seconds = '61'), null, 'a code with more than a minute left is sent');
select is((select body from issued_body where seconds = '59'), null, 'a code with less than a minute left is not sent');
select is((select delivery from platform.otp_transaction o join time_left t using (id) where seconds = '59'), 'dropped',
  'a code with less than a minute left is recorded as dropped');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550300'), 0, 'a dropped code counts against no send limit');
select isnt((select body from issued_body where seconds = '31 of 60'), null,
  'a code with a lifetime of one minute is sent while half of it is left');
select is((select body from issued_body where seconds = '29 of 60'), null,
  'a code with a lifetime of one minute is not sent when less than half of it is left');
select ok((select body like '%, 2 minutes' from issued_body where seconds = '100'), 'the message contains the minutes left, rounded');
select ok((select body like '%, 1 minutes' from issued_body where seconds = '31 of 60'), 'the message never says less than one minute');

-- After a crash nobody may be left to answer the request
create temp table late on commit drop as select pg_temp.queue('+12025550301') as id;
update platform.otp_transaction set created_at = created_at - interval '1 minute' where id = (select id from late);
select is((select test.issue_code(id)::text from late), null, 'a code is not sent once the request that awaits it has timed out');
select is((select delivery from platform.otp_transaction join late using (id)), 'dropped', 'and is recorded as dropped');

-- A dropped code is given back to the send limit
select test.clean_slate();
create temp table answer on commit drop as
  select * from api.send_otp('+12025550101', 'PHONE', 'LOGIN', '192.0.2.1', test.code_key(), 'US');
truncate settings.configuration;
select test.issue_code(otp_id) from answer;
select is((test.otp('+12025550101', 'LOGIN')).delivery, 'dropped', 'without a provider the code is dropped');
select is(test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101'), 0, 'a dropped code gives the send back to the phone');
select is(test.hits('OTP_SEND_PER_IP:192.0.2.1'), 1, 'a dropped code does not give the send back to the client');

-- Resets that no request awaits are sent to verified accounts only
select test.clean_slate();
select test.make_account('+12025550101');
select test.make_registration('+12025550102');
create temp table reset on commit drop as
  select phone, pg_temp.queue(phone, 'PASSWORD_RESET', false) as id
  from (values ('+12025550101'), ('+12025550102'), ('+12025550103')) p (phone);
create temp table reset_message on commit drop as select r.phone, m.body from reset r, pg_temp.issue(r.id) m;
select isnt((select body from reset_message where phone = '+12025550101'), null,
  'a reset code that no request awaits is sent to a verified account');
select is((select body from reset_message where phone = '+12025550102'), null,
  'a reset code that no request awaits is not sent to an unverified registration');
select is((select body from reset_message where phone = '+12025550103'), null,
  'a reset code that no request awaits is not sent to a phone without an account');
select is((select array_agg(delivery || ' ' || (current_since is not null)) from platform.otp_transaction
    where identifier <> '+12025550101'),
  array['dropped true', 'dropped true'], 'reset codes that are not sent are recorded as dropped and become current');
select is((select row(o.delivery, o.code_hash is null)::text from platform.otp_transaction o where o.identifier = '+12025550103'),
  '(dropped,t)', 'no code is made for a reset that is not sent');
select isnt((select (test.otp('+12025550101', 'PASSWORD_RESET')).current_since), null,
  'an account''s reset code becomes current when it is issued, so the vendor''s response time does not reveal the account');
select isnt((select m.body from (select pg_temp.queue('+12025550104', 'PASSWORD_RESET') as id) q, pg_temp.issue(q.id) m), null,
  'a reset code that a request awaits is sent to any phone');
delete from "user".account where phone = '+12025550101';
select is((select (pg_temp.issue(id)).body from reset where phone = '+12025550101'), null,
  'a retry of a reset checks again whether the account exists');
select test.record_delivery(id, 'unreachable') from reset where phone = '+12025550101';

select * from finish();
rollback;
