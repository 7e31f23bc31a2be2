begin;
select plan(19);
select test.clean_slate();
create function pg_temp.settle(awaited boolean, state text, outcome text)
returns table (delivery text, is_current boolean, given_back boolean) language plpgsql
as $$
declare
  v_otp platform.otp_transaction;
begin
  delete from platform.rate_limit;
  perform test.insert_hits('OTP_SEND_PER_IDENTIFIER:+12025550101', now());
  v_otp := test.queue_otp('+12025550101', 'PHONE', 'LOGIN', awaited, now());
  update platform.otp_transaction o set delivery = state where o.id = v_otp.id returning o.* into v_otp;
  perform private.settle_delivery(v_otp, outcome);
  return query select o.delivery, o.current_since is not null, o.counted_at is null
    and test.hits('OTP_SEND_PER_IDENTIFIER:+12025550101') = 0
    from platform.otp_transaction o where o.id = v_otp.id;
end
$$;
-- For each awaited, state and outcome: what is recorded, whether the code is current, whether the send is given back
select is((select s::text from pg_temp.settle(awaited, state, outcome) s), row(recorded, is_current, given_back)::text,
  case when awaited then 'an awaited' else 'a reset''s' end || ' delivery that was ' || state || ' and then ' || outcome
  || ' is recorded as ' || recorded || ', ' || case when is_current then 'is' else 'is not' end || ' current and '
  || case when given_back then 'is' else 'is not' end || ' given back')
from (values
  (true, 'sending', 'sent', 'sent', true, false),
  (true, 'sending', 'refused', 'refused', false, true),
  (true, 'sending', 'declined', 'declined', false, true),
  (true, 'sending', 'unreachable', 'unreachable', false, true),
  (true, 'sending', 'uncertain', 'uncertain', false, false),
  (true, 'queued', 'dropped', 'dropped', false, true),
  (true, 'cancelled', 'sent', 'cancelled', false, false),
  (true, 'cancelled', 'refused', 'cancelled', false, true),
  (true, 'cancelled', 'unreachable', 'cancelled', false, true),
  (true, 'cancelled', 'uncertain', 'cancelled', false, false),
  (false, 'sending', 'sent', 'sent', true, false),
  (false, 'sending', 'refused', 'refused', true, false),
  (false, 'sending', 'unreachable', 'unreachable', true, false),
  (false, 'sending', 'uncertain', 'uncertain', true, false),
  (false, 'queued', 'dropped', 'dropped', true, false),
  (false, 'uncertain', 'sent', 'sent', true, false),
  (false, 'sent', 'uncertain', 'sent', false, false)
) c (awaited, state, outcome, recorded, is_current, given_back);

select test.clean_slate();
create temp table otp on commit drop as select test.queue_otp('+12025550101', 'PHONE', 'PASSWORD_RESET', false, clock_timestamp()) as otp;
select private.settle_delivery(otp, 'uncertain') from otp;
create temp table since on commit drop as select current_since from platform.otp_transaction;
select private.settle_delivery(otp, 'sent') from otp;
select is((select current_since from platform.otp_transaction), (select current_since from since),
  'a retry does not change since when a code is current');
update platform.otp_transaction set delivery = 'sending';
select throws_ok($$select private.settle_delivery(otp, 'perhaps') from otp$$, '23514', null, 'an unknown outcome is refused');

select * from finish();
rollback;
