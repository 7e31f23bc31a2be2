begin;
select plan(12);
create function pg_temp.over(state text, verified_at timestamptz default null) returns boolean language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  v_otp.delivery := state;
  v_otp.verified_at := over.verified_at;
  return private.delivery_is_over(v_otp);
end
$$;
select ok(not pg_temp.over(state), 'a delivery that is ' || state || ' is not over') from unnest(array['queued', 'sending']) state;
select ok(pg_temp.over(state), 'a delivery that is ' || state || ' is over')
from unnest(array['sent', 'refused', 'declined', 'unreachable', 'uncertain', 'dropped', 'cancelled', 'stored', 'test']) state;
select ok(pg_temp.over('sending', now()), 'the delivery of a used code is over');
select * from finish();
rollback;
