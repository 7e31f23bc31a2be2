-- Second factors.

create or replace function test.totp_secret()
returns bytea
language sql immutable
as $$ select '12345678901234567890'::bytea $$;
comment on function test.totp_secret() is $$The secret of RFC 6238's test vectors, which every app of a test has.$$;

create or replace function test.totp(steps integer default 0)
returns text
language sql
as $$ select private.totp_code(test.totp_secret(), floor(extract(epoch from clock_timestamp()) / 30)::bigint + steps) $$;
comment on function test.totp(integer) is $$The code that the app of a test shows now, or so many steps from now.$$;

create or replace function test.wrong_totp()
returns text
language sql
as $$
  select c from unnest(array['000001', '000002', '000003', '000004']) c where c not in (test.totp(-1), test.totp(), test.totp(1)) limit 1
$$;
comment on function test.wrong_totp() is $$A code that no app of a test shows now.$$;

create or replace function test.make_factor(user_id uuid, confirmed boolean default true)
returns uuid
language sql
as $$
  insert into "user".factor (id, user_id, kind, label, sealed_secret, pepper_id, confirmed_at)
  values (private.new_id(), make_factor.user_id, 'totp', 'phone', '\x00', 'test', case when make_factor.confirmed then clock_timestamp() end)
  returning id
$$;
comment on function test.make_factor(uuid, boolean) is $$Gives an account an app with test.totp_secret() and returns its id.$$;

create or replace function test.step_up(session_id uuid)
returns void
language sql
as $$ update "user".session s set amr = array['pwd', 'otp', 'mfa'], authenticated_at = clock_timestamp() where s.id = step_up.session_id $$;
comment on function test.step_up(uuid) is $$Makes a session one that has just proved a second factor.$$;

create or replace function test.factor_attempt(code text, recovery_code text default null, factor_ids uuid[] default null)
returns private.factor_attempt
language sql immutable
as $$
  select row(
    factor_attempt.code, factor_attempt.recovery_code, test.code_key(), factor_attempt.factor_ids,
    array(select test.totp_secret() from unnest(factor_attempt.factor_ids))
  )::private.factor_attempt
$$;
comment on function test.factor_attempt(text, text, uuid[]) is $$What somebody gives as a second factor, with the secrets of these apps.$$;

create or replace function test.challenge(user_id uuid, amr text[] default array['pwd'], guest_session_id uuid default null)
returns uuid
language sql
as $$
  select (((private.open_session(row(
    challenge.user_id, challenge.amr, '192.0.2.1', 'test', 'a label', challenge.guest_session_id
  )::private.sign_in)).error).details ->> 'challenge_id')::uuid
$$;
comment on function test.challenge(uuid, text[], uuid) is $$Does the first step of a sign-in to an account with a factor and returns the challenge.$$;

create or replace function test.make_passkey(user_id uuid, credential_id bytea, sign_count bigint default 0)
returns uuid
language sql
as $$
  insert into "user".factor (id, user_id, kind, label, confirmed_at, credential_id, public_key, sign_count, is_backup_eligible, is_synced)
  values (
    private.new_id(), make_passkey.user_id, 'passkey', 'key', clock_timestamp(), make_passkey.credential_id, '\xa5', make_passkey.sign_count, false,
    false
  )
  returning id
$$;
comment on function test.make_passkey(uuid, bytea, bigint) is $$Gives an account a passkey of one device, and returns the factor's id.$$;

create or replace function test.authenticator_data(sign_count bigint, flags integer default 5)
returns bytea
language sql immutable
as $$ select decode(repeat('ab', 32) || lpad(to_hex(flags), 2, '0') || lpad(to_hex(sign_count), 8, '0'), 'hex') $$;
comment on function test.authenticator_data(bigint, integer) is $$What a passkey signs: flags 5 are of somebody who was there and verified.$$;
