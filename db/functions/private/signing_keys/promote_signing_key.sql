create or replace function private.promote_signing_key(at_once boolean)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Verifiers cache the published keys for five minutes, and a server may learn of a key a minute late.
  c_published_for constant interval := interval '6 minutes';
  v_now timestamptz := clock_timestamp();
  v_next private.signing_key;
  v_retired text;
begin
  select k.* into v_next from private.signing_key k where k.state = 'next' for update;
  if not found then
    return 'There is no next key: generate one.';
  end if;
  if v_next.created_at > v_now - c_published_for and not promote_signing_key.at_once then
    return format(
      'Verifiers may not have the next key before %s UTC: promote it then, or with --now, which breaks its tokens until they have it.',
      to_char((v_next.created_at + c_published_for) at time zone 'UTC', 'HH24:MI:SS')
    );
  end if;
  if v_next.opened_at is null and not promote_signing_key.at_once then
    return 'No server has opened the next key: start one with the KEY_ENCRYPTION_KEY that npm run keys has. Servers log a key that they cannot open.';
  end if;
  update private.signing_key k
  set state = 'retired',
      -- A token that was signed while its lifetime was a longer one still counts.
      verifies_until = greatest(
        v_now + greatest(private.setting_period('ACCESS_TOKEN_TTL_SECONDS'), private.setting_period('REFRESH_TOKEN_TTL_SECONDS')),
        (select max(greatest(s.access_token_expires_at, s.refresh_token_expires_at)) from "user".session s)
      ) + c_published_for
  where k.state = 'current'
  returning k.kid into v_retired;
  update private.signing_key k set state = 'current' where k.kid = v_next.kid;
  perform private.record_event('setting.changed', null, data => jsonb_build_object('key', 'signing key', 'kid', k.kid, 'state', k.state))
  from private.signing_key k
  where k.kid in (v_next.kid, v_retired);
  notify signing_keys_changed;
  return null;
end
$$;

comment on function private.promote_signing_key(boolean) is
$$npm run keys -- promote: the next key signs from now on, and the current one verifies until the last of its tokens has ended. at_once: although
verifiers may not have it yet, and no server may be able to open it. Result: why not, for the operator; null: done.$$;
