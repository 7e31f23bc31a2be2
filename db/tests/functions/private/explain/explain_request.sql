begin;
select plan(16);
select test.clean_slate();
create function pg_temp.story(o platform.otp_transaction) returns setof text language sql
as $$ select e.what from private.explain_request(o) e $$;
create temp table otp on commit drop as select o.id from test.queue_otp('+12025550101', 'PHONE', 'LOGIN', true, now()) o;

select results_eq($$select e.* from platform.otp_transaction o, private.explain_request(o) e$$,
  $$select o.created_at, 'A code was requested for LOGIN.', o.id, 'valid until ' || private.written_time(o.expires_at)
    from platform.otp_transaction o$$,
  'the request is shown at its time, with its purpose and end');
update platform.otp_transaction set current_since = created_at + interval '1 second';
select results_eq($$select e.at - o.created_at, e.what from platform.otp_transaction o, private.explain_request(o) e offset 1$$,
  $$values (interval '1 second', 'This became the only LOGIN code that works: earlier ones stopped working.')$$,
  'a code that became current is shown at that time');
select test.age_otps('5 minutes');
select results_eq($$select e.at - o.expires_at, e.what from platform.otp_transaction o, private.explain_request(o) e offset 2$$,
  $$values (interval '0', 'The code expired without being used.')$$, 'a code that expired is shown at its end');
update platform.otp_transaction set delivery = 'dropped';
select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(o) s),
  array['A code was requested for LOGIN.', 'Earlier LOGIN codes stopped working.'], 'a code that was never made neither works nor expires');
select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(jsonb_populate_record(o, '{"delivery": "withheld"}')) s),
  array['A code was requested for LOGIN.', 'Earlier LOGIN codes stopped working.'], 'nor does one that was withheld');
update platform.otp_transaction set delivery = 'uncertain', current_since = null;
select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(o) s), array['A code was requested for LOGIN.'],
  'a code that never worked does not expire');
update platform.otp_transaction set delivery = 'sent', current_since = created_at + interval '1 second';
update platform.otp_transaction set verified_at = created_at + interval '9 seconds';
select results_eq($$select e.at - o.created_at, e.what from platform.otp_transaction o, private.explain_request(o) e offset 2$$,
  $$values (interval '9 seconds', 'The right code was typed. It cannot be used again.')$$,
  'a code that was used is shown at that time, and its end no more');
select is((select count(distinct e.otp_id)::integer from platform.otp_transaction o, private.explain_request(o) e), 1,
  'every event names the one-time password');
update platform.otp_transaction set code_hash = sha256('x');
select is_empty($$select from platform.otp_transaction o, private.explain_request(o) e where e::text like '%' || encode(o.code_hash, 'hex') || '%'$$,
  'no event has the hash of the code');

select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(jsonb_populate_record(o, '{"purpose": "TEST"}')) s),
  array['An operator sent a test message. Its code verifies nothing.'], 'of a test message only that is shown');
select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(jsonb_populate_record(o, '{"purpose": "PHONE_CHANGED"}')) s),
  array['The account of this phone changed to another phone. A notice was queued, to tell this one.'], 'and of a notice');

select is((select array_agg(s) from platform.otp_transaction o, pg_temp.story(jsonb_populate_record(o, '{"purpose": "INVITATION"}')) s),
  array['An operator invited this phone to open an account. A notice was queued, to tell it.'], 'and of an invitation');

update platform.otp_transaction set verified_at = created_at + interval '9 seconds', voided_at = created_at + interval '1 hour';
select results_eq($$select e.at - o.created_at, e.what from platform.otp_transaction o, private.explain_request(o) e limit 1$$,
  $$values (interval '1 hour', 'The message and its code ended, because the database was restored from a backup, or its standby took over.')$$,
  'a code that a restore ended is shown with that');
select matches((select pg_temp.story(jsonb_populate_record(o, '{"delivery": "cancelled"}')) from platform.otp_transaction o limit 1),
  '^Nothing was sent, because the database was restored', 'so is a message that it kept from being sent');

create function pg_temp.email_story() returns text[] language sql
as $$ select array_agg(e.what) from platform.otp_transaction o, private.explain_request(o) e where o.identifier = 'ada@example.com' $$;
select test.make_account('+12025550109');
update "user".account set email = 'ada@example.com' where phone = '+12025550109';
select test.queue_otp('ada@example.com', 'EMAIL', 'LOGIN', true, now());
select is(pg_temp.email_story(), array['A code was requested for LOGIN.', 'No account has verified this email, so its codes sign nobody in.'],
  'a code for an email that nobody has verified is shown as worthless');
update "user".account set email_verified_at = now() where phone = '+12025550109';
select is(pg_temp.email_story(), array['A code was requested for LOGIN.'], 'and for a verified one not');

select * from finish();
rollback;
