begin;
select plan(10);
select test.clean_slate();
create temp table otp on commit drop as
  select * from private.store_otp(test.send_request('someone@example.org', 'EMAIL', awaited => false, counted_at => now() - interval '1 second'), 'stored', '424242');
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'store_otp returns the row that it stored');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts, verified_at)::text from otp),
  '(someone@example.org,EMAIL,LOGIN,f,stored,0,)', 'the row has what was requested');
select is((select row(created_at, counted_at, expires_at)::text from otp),
  row(now() - interval '1 second', now() - interval '1 second', now() + interval '299 seconds')::text,
  'the one-time password was created when it was counted and expires after OTP_TTL_SECONDS');
select is((select code_hash from otp), (select private.hash_code(id, '424242', test.code_key()) from otp), 'a code that is known is stored as a hash');
select is((test.current_otp('EMAIL', 'someone@example.org', 'LOGIN')).id, (select id from otp), 'and current at once');
select is((select current_since > now() from otp), true, 'from now on');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'no job is queued');
select throws_ok($$select private.store_otp(test.send_request('someone@example.org', 'EMAIL', code_key => null), 'stored', '424242')$$, '22023', null,
  'a code without a key raises an error');
select is((select row(o.code_hash, o.current_since)::text from private.store_otp(test.send_request('+12025550101', code_key => null), 'queued') o), '(,)',
  'one that the worker will make has no hash, and is not current');
select is((select o.expires_at - o.created_at from private.store_otp(test.send_request('+12025550101', purpose => 'PHONE_CHANGED',
  account_id => test.make_account('+12025550102')), 'queued') o), interval '1 day', 'a notice lives for a day');

select * from finish();
rollback;
