begin;
select plan(7);
select test.clean_slate();
create temp table otp on commit drop as select * from private.store_test_otp('+12025550101', 'LOGIN', '424242', test.code_key());
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'store_test_otp returns the row that it stored');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts, counted_at)::text from otp),
  '(+12025550101,PHONE,LOGIN,f,test,0,)', 'the row says that nothing is sent and no limit counts it');
select is((select expires_at - created_at from otp), interval '5 minutes', 'it expires as any other');
select is((select current_since = created_at from otp), true, 'it is current at once');
select is((select code_hash from otp), (select private.hash_code(id, '424242', test.code_key()) from otp), 'the code is stored as a hash');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'no job is queued');
select throws_ok($$select private.store_test_otp('+12025550101', 'LOGIN', '424242', null)$$, '22023', null, 'store_test_otp raises an error without a code key');

select * from finish();
rollback;
