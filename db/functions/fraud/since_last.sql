create or replace function fraud.since_last(identifier text, at timestamptz)
returns interval
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  c_longest constant interval := interval '1 day';
  v_last timestamptz;
begin
  select o.created_at into v_last
  from platform.otp_transaction o
  where o.identifier = since_last.identifier
    and o.created_at > since_last.at - c_longest
    -- A send that was given back was certainly not sent. A reset is never given back, so this does not reveal whether
    -- there is an account.
    and o.counted_at is not null
  order by o.created_at desc
  limit 1;
  if v_last is null then
    return c_longest;
  end if;
  return greatest(since_last.at - v_last, interval '0');
end
$$;

comment on function fraud.since_last(text, timestamptz) is
$$Time since the latest send to a phone, of any purpose; a day where there was none within a day. A send that certainly did not happen
does not count. identifier: E.164. at: now.$$;
