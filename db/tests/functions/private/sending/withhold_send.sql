begin;
select plan(4);
select test.clean_slate();
create temp table answer on commit drop as select a.* from private.withhold_send(test.send_request('+12025550101')) a;
select is((select row(a.error, a.otp_id, a.expires_at)::text from answer a), (select row(null, o.id, o.expires_at)::text from platform.otp_transaction o),
  'it is answered as a send is');
select ok((select wait_seconds between 0.3 and 1.3 from answer), 'the request waits as long as sends take');
select is((select row(delivery, code_hash, current_since)::text from platform.otp_transaction), '(withheld,,)', 'there is no code');
select is((select count(*)::integer from graphile_worker._private_jobs), 0, 'and nothing is queued');
select * from finish();
rollback;
