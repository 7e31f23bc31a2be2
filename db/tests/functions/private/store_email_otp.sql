begin;
select plan(8);
select test.clean_slate();
create temp table otp on commit drop as select * from private.store_email_otp('someone@example.org', 'LOGIN', now() - interval '1 second', test.code_key());
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'the record stored is the one returned');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts, verified_at)::text from otp),
  '(someone@example.org,EMAIL,LOGIN,f,stored,0,)', 'it is stored for an email, and nobody waits');
select is((select row(created_at, counted_at, expires_at)::text from otp),
  row(now() - interval '1 second', now() - interval '1 second', now() + interval '299 seconds')::text, 'created when it was counted, for OTP_TTL_SECONDS');
select is((select length(code_hash) from otp), 32, 'its code is hashed');
select is((private.current_otp('EMAIL', 'someone@example.org', 'LOGIN')).id, (select id from otp), 'it is current at once');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'nothing is queued');
create or replace function private.make_code(length integer) returns text language sql as $$ select rpad('', length, '7') $$;
select test.set_setting('OTP_LENGTH', '8');
create temp table known on commit drop as select * from private.store_email_otp('someone@example.org', 'LOGIN', now(), test.code_key());
select is((select code_hash from known), (select private.hash_code(id, '77777777', test.code_key()) from known), 'the hash is of a code of OTP_LENGTH digits');
select throws_ok($$select private.store_email_otp('someone@example.org', 'LOGIN', now(), null)$$, '22023', null, 'without a code key nothing is stored');

select * from finish();
rollback;
