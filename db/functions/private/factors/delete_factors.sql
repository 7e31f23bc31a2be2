create or replace function private.delete_factors(account "user".account, factor_ids uuid[], languages text[], client text)
returns setof "user".factor
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_factors "user".factor[];
begin
  with deleted as (
    delete from "user".factor f
    where f.user_id = account.id and f.id = any (delete_factors.factor_ids)
    returning f as factor
  )
  select array_agg(d.factor) into v_factors from deleted d;
  if not private.has_factor(account.id) then
    delete from private.recovery_code c where c.user_id = account.id;
  end if;
  -- One that nobody confirmed was never asked for.
  if exists (select from unnest(v_factors) f where f.confirmed_at is not null) then
    perform private.tell_phone(account, 'FACTORS_CHANGED', delete_factors.languages, delete_factors.client);
  end if;
  return query select * from unnest(v_factors);
end
$$;

comment on function private.delete_factors("user".account, uuid[], text[], text) is
$$Removes second factors of an account, and the recovery codes with the last one, and tells the phone. account: of
private.lock_account_to_tell. languages, client: as private.queue_notice. Call it last.$$;
