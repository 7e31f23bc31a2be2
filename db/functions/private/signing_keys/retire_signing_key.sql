create or replace function private.retire_signing_key(kid text, at_once boolean)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_key private.signing_key;
begin
  select k.* into v_key from private.signing_key k where k.kid = retire_signing_key.kid for update;
  if not found then
    return 'There is no such key: npm run keys -- list names them.';
  end if;
  if v_key.state = 'current' then
    return 'The current key signs: generate and promote another one, which retires it.';
  end if;
  if v_key.state = 'retired' and v_key.verifies_until > clock_timestamp() and not retire_signing_key.at_once then
    return format(
      'It is retired, and vanishes by itself at %s UTC. With --now it does at once: people with its tokens must then sign in again.',
      to_char(v_key.verifies_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
    );
  end if;
  delete from private.signing_key k where k.kid = v_key.kid;
  perform private.record_event('setting.changed', null, data => jsonb_build_object('key', 'signing key', 'kid', v_key.kid, 'state', 'removed'));
  notify signing_keys_changed;
  return null;
end
$$;

comment on function private.retire_signing_key(text, boolean) is
$$npm run keys -- retire: forgets a key that does not sign, as one that has leaked. at_once: although tokens of it may be in use. Result: why not, for the
operator; null: done.$$;
