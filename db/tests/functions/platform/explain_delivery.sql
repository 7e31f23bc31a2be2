begin;
select plan(14);
select test.clean_slate();
create function pg_temp.events(phone text, since timestamptz default '-infinity') returns setof platform.delivery_event language sql
as $$ select e.* from platform.explain_delivery(phone, since) e $$;

select is_empty($$select pg_temp.events('+12025550101')$$, 'a phone without a request has no story');

-- The whole story of a code that the second vendor sent, and of one that could not be sent.
create temp table code on commit drop as select null::text as body;
select test.set_setting('OTP_PROVIDER', '{"providerToUse": "http", "template": "{{code}}", "http": {"url": "http://localhost"}, "fallback": ["console"]}');
select private.take_rate_limits(array[private.rate_limit_rule('OTP_SEND_PER_IDENTIFIER', '+12025550101')]) from generate_series(1, 3);
do $$
declare
  v_otp platform.otp_transaction;
  v_message delivery.message;
begin
  v_otp := test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, clock_timestamp());
  perform test.issue_code(v_otp.id), test.record_delivery(v_otp.id, 'unreachable');
  v_message := test.issue_code(v_otp.id);
  perform test.record_delivery(v_otp.id, 'sent');
  update platform.delivery_attempt a set receipt = 'delivered', receipt_at = clock_timestamp() where a.id = v_message.attempt_id;
  update code set body = v_message.body;
  perform test.guess('PHONE', '+12025550101', 'LOGIN');
  update platform.otp_transaction o set verified_at = clock_timestamp() where o.id = v_otp.id;
end
$$;
select results_eq($$select e.what from pg_temp.events('+12025550101') e$$, array[
  'A code was requested for LOGIN.',
  'http could not be reached (sms): the message was not sent.',
  'console accepted the message (sms).',
  'This became the only LOGIN code that works: earlier ones stopped working.',
  'console reports that the message was delivered (sms).',
  'Wrong codes were typed: 1 of the 5 that block this code.',
  'The right code was typed. It cannot be used again.',
  'No more codes are sent now: the limit of codes is reached.'
], 'the story of a code is shown in order of time, and ends with what is refused now');
select is_empty($$select from pg_temp.events('+12025550101') e, code c, platform.otp_transaction o
    where e::text ~ ('\y' || c.body || '\y') or e::text like '%' || encode(o.code_hash, 'hex') || '%'$$,
  'no event has the code or its hash');
select isnt_empty($$select from platform.otp_transaction o, code c where o.code_hash is not null and c.body ~ '^[0-9]{6}$'$$,
  'there was a code, with a hash');
select is_empty($$select pg_temp.events('+12025550102')$$, 'another phone has another story');

-- since
delete from platform.rate_limit;
select is((select count(*)::integer from pg_temp.events('+12025550101', now() + interval '1 hour')), 0, 'earlier requests than since are left out');
select isnt_empty($$select from pg_temp.events('+12025550101', (select max(o.created_at) from platform.otp_transaction o where o.identifier = '+12025550101'))$$,
  'a request of that moment is not');
select is((select count(*)::integer from pg_temp.events('+12025550101', null)), 7, 'without since all of them are shown');

-- A reset, and an email address
select private.settle_delivery(test.queue_otp('+12025550102', 'PHONE', 'PASSWORD_RESET', false, clock_timestamp()), 'dropped');
select ok((select bool_or(e.what = 'Nothing was sent: the phone has no account, and a password reset is sent only to accounts.')
  from pg_temp.events('+12025550102') e), 'a reset that was dropped is shown with its reason');
select test.store_email_otp('someone@example.org', 'SIGNUP');
select test.guess('EMAIL', 'someone@example.org', 'SIGNUP') from generate_series(1, 5);
select is((select e.what from pg_temp.events('someone@example.org') e order by e.at desc limit 1),
  'Every SIGNUP code is refused now, the right one too (MAX_ATTEMPTS_REACHED).', 'an email address has a story too, with its blocks');
insert into private.verification_state (identifier_type, identifier, failures, failed_at) values ('EMAIL', 'other@example.org', 100, now());
select matches((select e.what from pg_temp.events('other@example.org') e), '100 wrong ones in a row', 'a block of an email address is shown');

-- Bounds
insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, created_at, expires_at, current_since)
  select private.new_id(), '+12025550103', 'PHONE', 'LOGIN', true, 'sent', now() - make_interval(mins => n), now() + interval '1 hour',
    now() - make_interval(mins => n) + interval '1 second'
  from generate_series(1, 250) n;
select results_eq($$select count(*)::integer, min(e.at) from pg_temp.events('+12025550103') e$$,
  $$values (200, now() - interval '100 minutes')$$, 'the latest 200 events are shown: two of each of the latest 100 codes');
select test.become('latchkey_admin');
select lives_ok($$select platform.explain_delivery('+12025550101', null)$$, 'the admin may read a story');
reset role;

select test.queue_otp(phone, 'PHONE', 'LOGIN', true, clock_timestamp()) from unnest(array['+22997123456', '+2290197123456']) phone;
select is((select count(*)::integer from pg_temp.events('+22997123456') where what like '%requested%'), 2, 'a number of a former plan has the story of both its forms');

select * from finish();
rollback;
