begin;
select plan(4);
select test.clean_slate();
create temp table sent on commit drop as
  select test.make_decision(jsonb_build_object('client', client, 'verified_at', verified_at)) as d
  from (values ('192.0.2.1', now()), ('192.0.2.1', null), ('192.0.2.2', now()), ('192.0.2.2', null)) v (client, verified_at);
select private.count_send(d, 1, ((d).verified_at is not null)::integer) from sent;
select private.uncount_client_sends(array(select d from sent where (d).client = '192.0.2.1' or (d).verified_at is not null));
select is((select count(*)::integer from private.send_count where subject = 'client:192.0.2.1'), 0, 'an address without any other send has no counters');
select is(test.count('client:192.0.2.2', 'hour', now()), '1 0', 'the other sends of an address stay counted in their hour');
select is(test.count('client:192.0.2.2', 'day', now()), '1 0', 'and in their day');
select is(test.count('all', 'hour', now()), '4 2', 'the service''s counters stay as they were');
select * from finish();
rollback;
