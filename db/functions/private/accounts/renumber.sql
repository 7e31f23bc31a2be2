create or replace function private.renumber(pattern text default null, replacement text default null)
returns table (account_id uuid, holder_id uuid)
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account "user".account;
  v_phone text;
begin
  for v_account in
    select a.* from "user".account a
    where case when renumber.pattern is null then private.current_number(a.phone) <> a.phone else a.phone ~ renumber.pattern end
    order by a.id
    for update
  loop
    v_phone := coalesce(
      regexp_replace(v_account.phone, renumber.pattern, renumber.replacement), private.current_number(v_account.phone)
    );
    account_id := v_account.id;
    holder_id := (select a.id from "user".account a where a.phone = v_phone and a.id <> v_account.id);
    if holder_id is null then
      begin
        update "user".account a set phone = v_phone, updated_at = clock_timestamp() where a.id = v_account.id;
        -- So that an erasure, and an export, find what is stored under the old form.
        perform private.remember_phone(v_account.id, v_account.phone, clock_timestamp(), null);
      exception
        -- Registered since it was looked for.
        when unique_violation then
          holder_id := (select a.id from "user".account a where a.phone = v_phone);
      end;
    end if;
    return next;
  end loop;
end
$$;

comment on function private.renumber(text, text) is
$$Gives accounts whose country changed its numbering plan the new form of their phone, in place of the old one. They keep their id, sessions and
password. An account is left as it is where another one has the new form already: whose phone it is, only people can say. Every migration that
applies functions calls it without arguments. pattern, replacement: a regular expression of the old form, which begins with ^\+, and what
replaces it, for a change that private.current_number does not know yet; null: those that it knows. Result: each account with a phone of an old
form; holder_id: the account that has the new form, null where the phone was changed.$$;
