begin;
select plan(5);
create function pg_temp.slot(requests integer, at timestamptz) returns timestamptz language sql
as $$ select private.rate_limit_slot(row('P', 'P:x', requests, '1 hour')::private.rate_limit_rule, at) $$;

select is(pg_temp.slot(60, '2026-01-01 12:00:00.5Z'), '2026-01-01 12:00:00.5Z',
  'each request of a limit of up to 60 requests has a slot of its own');
select is(pg_temp.slot(61, '2026-01-01 12:00:59.5Z'), '2026-01-01 12:00:00Z',
  'requests of a larger limit share a slot for a sixtieth of the period');
select is(pg_temp.slot(61, '2026-01-01 12:01:00Z'), '2026-01-01 12:01:00Z',
  'a request after a sixtieth of the period is in the next slot');
select is(pg_temp.slot(1000, '2026-01-01 12:00:59.5Z'), '2026-01-01 12:00:00Z',
  'the length of a slot does not depend on the number of requests');
select is(pg_temp.slot(61, null), null, 'the slot of null is null');

select * from finish();
rollback;
