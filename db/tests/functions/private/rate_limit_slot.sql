begin;
select plan(5);
create function pg_temp.slot(requests integer, at timestamptz) returns timestamptz language sql
as $$ select private.rate_limit_slot(row('P', 'P:x', requests, '1 hour')::private.rate_limit_rule, at) $$;

select is(pg_temp.slot(60, '2026-01-01 12:00:00.5Z'), '2026-01-01 12:00:00.5Z', 'a request of a small limit has a slot of its own');
select is(pg_temp.slot(61, '2026-01-01 12:00:59.5Z'), '2026-01-01 12:00:00Z', 'those of a large one share it for a sixtieth of the period');
select is(pg_temp.slot(61, '2026-01-01 12:01:00Z'), '2026-01-01 12:01:00Z', 'then the next begins');
select is(pg_temp.slot(1000, '2026-01-01 12:00:59.5Z'), '2026-01-01 12:00:00Z', 'however large the limit');
select is(pg_temp.slot(61, null), null, 'no request has no slot');

select * from finish();
rollback;
