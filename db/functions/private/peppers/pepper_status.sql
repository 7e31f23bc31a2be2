create or replace function private.pepper_status()
returns table (kind text, pepper_id text, total bigint, until timestamptz)
language sql stable
set search_path = pg_catalog, pg_temp
as $$
  select h.kind, h.pepper_id, count(*), max(h.until)
  from (
    select case when private.is_imported(a) then 'imported passwords' else 'passwords' end, private.pepper_of_password(a.password_hash), null::timestamptz
    from "user".account a where a.password_hash is not null
    union all
    select 'registrations', private.pepper_of_password(r.password_hash), r.registered_at + private.registration_lifetime()
    from private.pending_registration r where r.registered_at > clock_timestamp() - private.registration_lifetime()
    union all
    select 'codes', nullif(encode(substr(o.code_hash, 33), 'hex'), ''), o.expires_at
    from platform.otp_transaction o
    where o.code_hash is not null and o.verified_at is null and o.expires_at > clock_timestamp() and o.delivery <> 'test'
    union all
    select 'recovery codes', nullif(encode(substr(c.code_hash, 33), 'hex'), ''), null
    from private.recovery_code c where c.used_at is null
    union all
    select 'apps', f.pepper_id, null from "user".factor f where f.kind = 'totp' and f.confirmed_at is not null
  ) h (kind, pepper_id, until)
  group by h.kind, h.pepper_id
$$;

comment on function private.pepper_status() is
$$npm run pepper -- status: what is hashed or encrypted under which pepper: passwords, imported passwords (of people who have not signed in since the
import), registrations that wait for their code, codes that may still be used, recovery codes and apps. pepper_id: null where it has no name. until:
when the last one ends by itself; null: it does not. Reads the whole tables.$$;
