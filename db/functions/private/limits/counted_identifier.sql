create or replace function private.counted_identifier(identifier text)
returns text
language plpgsql immutable parallel safe
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Both are Gmail, which ignores dots in the local part (support.google.com/mail/answer/10313, as it was quoted on
  -- 2026-11-27).
  c_gmail constant text[] := array['gmail.com', 'googlemail.com'];
  v_at integer := length(counted_identifier.identifier) - strpos(reverse(counted_identifier.identifier), '@') + 1;
  v_domain text := lower(substr(counted_identifier.identifier, v_at + 1));
  v_local text := lower(left(counted_identifier.identifier, v_at - 1));
  v_mailbox text := split_part(v_local, '+', 1);
begin
  if strpos(counted_identifier.identifier, '@') = 0 then
    return counted_identifier.identifier;
  end if;
  if v_domain = any (c_gmail) then
    v_domain := c_gmail[1];
    v_mailbox := replace(v_mailbox, '.', '');
  end if;
  -- An address that is nothing but a tag has no mailbox to fold it into.
  return coalesce(nullif(v_mailbox, ''), v_local) || '@' || v_domain;
end
$$;

comment on function private.counted_identifier(text) is
$$What limits count an identifier as: for an email address its mailbox, without the tag after "+" and at Gmail without dots, since all these
spellings reach one person; anything else is itself. Only keys of limits hold it, addresses are stored as typed. identifier: E.164, an email
address, a client's address or a user's id.$$;
