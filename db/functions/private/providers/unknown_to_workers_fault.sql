create or replace function private.unknown_to_workers_fault(before jsonb, after jsonb)
returns text
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_workers integer;
  v_provider text;
begin
  select count(*)::integer into v_workers
  from private.worker_heartbeat h
  where h.at > now() - private.heartbeat_lifetime() and h.providers is not null;
  if v_workers = 0 then
    return null;
  end if;

  -- Only those that are new: a text can be changed also while a vendor's credentials are missing.
  select p.name into v_provider
  from (
    select private.providers_of(r) from private.routed_records(unknown_to_workers_fault.after) r
    except
    select private.providers_of(r) from private.routed_records(unknown_to_workers_fault.before) r
  ) p (name)
  where not exists (
    select from private.worker_heartbeat h
    where h.at > now() - private.heartbeat_lifetime() and p.name = any (h.providers)
  )
  order by p.name limit 1;
  return 'no running worker has what ' || v_provider || ' needs in its environment. Start a worker with it first (docs/configuration.md)';
end
$$;

comment on function private.unknown_to_workers_fault(jsonb, jsonb) is
$$Why OTP_PROVIDER may not be changed so: the first provider that it newly names, on any route, and that no running worker can use, by what the workers'
heartbeats say; null if there is none, or if no running worker has said what it can use. before, after: the setting's values; before may
be null.$$;
