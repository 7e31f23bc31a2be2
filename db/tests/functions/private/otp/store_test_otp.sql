begin;
select plan(11);
select test.clean_slate();
create temp table otp on commit drop as select * from test.store_test_otp('+12025550101', 'LOGIN');
select results_eq('select * from platform.otp_transaction', 'select * from otp', 'store_test_otp returns the row that it stored');
select is((select row(identifier, identifier_type, purpose, awaited, delivery, attempts, counted_at)::text from otp),
  '(+12025550101,PHONE,LOGIN,f,test,0,)', 'the row says that nothing is sent and no limit counts it');
select is((select expires_at - created_at from otp), interval '5 minutes', 'it expires as any other');
select is((select current_since = created_at from otp), true, 'it is current at once');
select is((select code_hash from otp), (select private.hash_code(id, '424242', test.code_key()) from otp), 'the code is stored as a hash');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'no job is queued');
select throws_ok($$select test.store_test_otp('+12025550101', 'LOGIN', code_key => null)$$, '22023', null, 'store_test_otp raises an error without a code key');

-- One row for each purpose
update platform.otp_transaction set attempts = 3, verified_at = now();
create temp table again on commit drop as select * from test.store_test_otp('+12025550101', 'LOGIN');
select results_eq('select * from platform.otp_transaction', 'select * from again', 'the next one takes its place');
select is((select row(attempts, verified_at)::text from again), '(0,)', 'and is a new one');
create temp table account on commit drop as select test.make_account('+12025550102') as id;
select test.store_test_otp('+12025550101', 'SIGNUP'), test.store_test_otp('+12025550102', 'LOGIN'),
  test.store_test_otp('+12025550101', 'PHONE_CHANGE', id) from account;
select test.store_test_otp('+12025550101', 'PHONE_CHANGE', id) from account;
select is((select count(*)::integer from platform.otp_transaction), 4, 'those of another purpose, number or account stay');
select throws_ok($$insert into platform.otp_transaction (id, identifier, identifier_type, purpose, awaited, delivery, expires_at)
  values (gen_random_uuid(), '+12025550101', 'PHONE', 'LOGIN', false, 'test', now())$$, '23505', null, 'there cannot be two');

select * from finish();
rollback;
