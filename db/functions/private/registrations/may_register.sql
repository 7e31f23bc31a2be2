create or replace function private.may_register(phone text)
returns boolean
language plpgsql stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from "user".invitation i where i.phone = may_register.phone and i.valid_until > clock_timestamp())
    or private.setting('REGISTRATION') = '"open"';
end
$$;

comment on function private.may_register(text) is
$$Whether a phone without an account may open one: it is invited, or REGISTRATION is open. Callers answer as if it might, to whoever cannot
prove to hold the phone. phone: E.164.$$;
