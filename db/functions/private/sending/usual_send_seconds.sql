create or replace function private.usual_send_seconds()
returns numeric
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_looked_at constant integer := 50;
  v_seconds numeric;
begin
  -- Ids are time-ordered. Attempts and not one-time passwords: those that are withheld, in any number, displace none.
  select extract(epoch from o.current_since - o.created_at) into v_seconds
  from (select a.otp_id from platform.delivery_attempt a order by a.id desc limit c_looked_at) latest
  join platform.otp_transaction o on o.id = latest.otp_id
  where o.identifier_type = 'PHONE' and o.awaited and o.delivery = 'sent'
    -- Later ones had no request any more, and no answer takes as long.
    and o.current_since < o.created_at + private.setting_period('OTP_SEND_TIMEOUT_SECONDS')
  order by random()
  limit 1;
  return round(coalesce(v_seconds, 0.3 + random()::numeric), 3);
end
$$;

comment on function private.usual_send_seconds() is
$$How long one of the latest SMS took from its request until the vendor had taken it, one at random: so the answers that nothing is sent for
take as various times. Without any it is about a second.$$;
