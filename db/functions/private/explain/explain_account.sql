create or replace function private.explain_account(user_id uuid)
returns text
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select 'account ' || explain_account.user_id || ', which ' || coalesce(
    (
      select nullif(concat_ws(
        ', ',
        'is disabled since ' || private.written_time(a.disabled_at) || ' (' || a.disabled_reason || ')',
        'is deleted on ' || private.written_time(a.deletion_due_at),
        case when a.phone is null then 'has no phone any more' end,
        case when a.password_hash is null then 'has no password' end,
        case when a.factor_failures >= private.most_factor_failures() then 'has locked second factors (unlock_factors)' end
      ), '')
      from "user".account a where a.id = explain_account.user_id
    ),
    case when exists (select from "user".account a where a.id = explain_account.user_id) then 'can be signed in to' else 'is erased' end
  )
$$;

comment on function private.explain_account(uuid) is
$$The state of an account now, as part of a sentence. user_id: of an event; null: the result is null.$$;
