begin;
select plan(8);
select test.clean_slate();

select is((select (error).code from test.call_as('latchkey_graphql', $$api.count_admin_failure('192.0.2.1')$$, null::api.answer)), null,
  'a wrong admin secret is counted');
select is(test.hits('ADMIN_FAILURES_PER_IP:192.0.2.1'), 1, 'against ADMIN_FAILURES_PER_IP of its client');
select api.count_admin_failure('192.0.2.1') from generate_series(1, 28);
select is((api.count_admin_failure('192.0.2.1')).error.code, null, 'by default a client may send 30 in 15 minutes');
select is((api.count_admin_failure('192.0.2.1')).error.code, 'RATE_LIMIT_EXCEEDED', 'and no more');
select is((api.count_admin_failure('192.0.2.1')).error.details - 'retryAfterSeconds',
  '{"policy": "ADMIN_FAILURES_PER_IP", "requests": 30, "seconds": 900}', 'the error names the limit');
select is(test.hits('ADMIN_FAILURES_PER_IP:192.0.2.1'), 30, 'a refused one is not counted');
select is((api.count_admin_failure('192.0.2.2')).error.code, null, 'another client has its own limit');
select api.count_admin_failure('127.0.0.1');
select is(test.hits('ADMIN_FAILURES_PER_IP:127.0.0.1'), 1, 'loopback addresses are counted');
select * from finish();
rollback;
