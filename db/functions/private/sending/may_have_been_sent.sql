create or replace function private.may_have_been_sent(otp_id uuid)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from platform.delivery_attempt a
    where a.otp_id = may_have_been_sent.otp_id and coalesce(a.outcome, 'uncertain') in ('sent', 'uncertain')
  );
end
$$;

comment on function private.may_have_been_sent(uuid) is
$$Whether any attempt may have reached the recipient: then the send is not given back to a limit. An attempt without outcome counts.$$;
