begin;
select plan(8);
select test.clean_slate();
create temp table otp on commit drop as
  select * from private.store_email_otp('someone@example.org', 'LOGIN', now() - interval '1 second', test.code_key());
select results_eq('select * from platform.otp_transaction', 'select * from otp',
  'store_email_otp returns the row that it stored');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts, verified_at)::text from otp),
  '(someone@example.org,EMAIL,LOGIN,f,stored,0,)', 'the one-time password is stored for the email address and not awaited');
select is((select row(created_at, counted_at, expires_at)::text from otp),
  row(now() - interval '1 second', now() - interval '1 second', now() + interval '299 seconds')::text,
  'the one-time password was created when it was counted and expires after OTP_TTL_SECONDS');
select is((select length(code_hash) from otp), 32, 'the code is stored as a hash of 32 bytes');
select is((test.current_otp('EMAIL', 'someone@example.org', 'LOGIN')).id, (select id from otp),
  'the one-time password is current at once');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'no job is queued');
create or replace function private.make_code(length integer) returns text language sql as $$ select rpad('', length, '7') $$;
select test.set_setting('OTP_LENGTH', '8');
create temp table known on commit drop as select * from private.store_email_otp('someone@example.org', 'LOGIN', now(), test.code_key());
select is((select code_hash from known), (select private.hash_code(id, '77777777', test.code_key()) from known),
  'the hash is that of a code with OTP_LENGTH digits');
select throws_ok($$select private.store_email_otp('someone@example.org', 'LOGIN', now(), null)$$, '22023', null,
  'store_email_otp raises an error without a code key');

select * from finish();
rollback;
