begin;
select plan(21);
create function pg_temp.over(awaited boolean, state text, verified_at timestamptz default null) returns boolean language sql
as $$
  select private.delivery_is_over(
    row(null, null, 'PHONE', 'LOGIN', null, 0, awaited, null, state, now(), now(), null, verified_at, '{}', null)::platform.otp_transaction)
$$;
select is(pg_temp.over(awaited, state), expected,
  case when awaited then 'an awaited' else 'a reset''s' end || ' delivery that is ' || state
  || case when expected then ' is over' else ' is not over' end)
from unnest(array['queued', 'sending', 'unreachable', 'uncertain']) state,
  lateral (values (false, false), (true, state in ('unreachable', 'uncertain'))) w (awaited, expected);
select ok(pg_temp.over(awaited, state), 'a delivery that is ' || state || ' is over, awaited or not')
from unnest(array['sent', 'refused', 'dropped', 'cancelled', 'stored', 'test']) state, unnest(array[true, false]) awaited;
select ok(pg_temp.over(false, 'sending', now()), 'the delivery of a used code is over');
select * from finish();
rollback;
