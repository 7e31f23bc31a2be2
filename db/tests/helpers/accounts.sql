-- Accounts and registrations.

create or replace function test.prehash(password text)
returns text
language sql immutable
as $$ select encode(sha256(convert_to(password, 'UTF8')), 'base64') $$;
comment on function test.prehash(text) is $$The pre-hash of a password: 44 characters of base64, like the server's, but without its key.$$;

create or replace function test.make_account(phone text, password text default 'correct horse', verified_at timestamptz default now())
returns uuid
language sql
as $$
  insert into "user".account (id, phone, email, password_hash, phone_verified_at)
  values (
    private.new_id(), make_account.phone, 'someone@example.org',
    private.hash_password(test.prehash(make_account.password)), make_account.verified_at
  )
  returning id
$$;
comment on function test.make_account(text, text, timestamptz) is $$Makes an account with a verified phone and returns its id.$$;

create or replace function test.make_registration(phone text, password text default 'correct horse')
returns uuid
language plpgsql
as $$
declare
  v_user_id uuid := private.new_id();
begin
  perform private.store_registration(
    v_user_id, phone, 'someone@example.org', private.hash_registration_password(phone, test.prehash(password))
  );
  return v_user_id;
end
$$;
comment on function test.make_registration(text, text) is $$Makes a pending registration and returns its user id.$$;

create or replace function test.open_session(user_id uuid, guest_session_id uuid default null)
returns api.session_answer
language sql
as $$
  select private.open_session(row(
    open_session.user_id, case when open_session.user_id is not null then array['pwd'] end, '192.0.2.1', 'test', null,
    open_session.guest_session_id
  )::private.sign_in)
$$;
comment on function test.open_session(uuid, uuid) is
$$Opens a session: of an account that logged in by password, or of a guest (null). guest_session_id: the guest who logs in.$$;

create or replace function test.recycle(phone text)
returns void
language plpgsql
as $$
begin
  perform test.set_setting('PHONE_RECYCLED_AFTER_DAYS', '30');
  update "user".account a set last_used_on = (now() at time zone 'UTC')::date - 31 where a.phone = recycle.phone;
end
$$;
comment on function test.recycle(text) is $$Makes a phone's account one that nobody has used for PHONE_RECYCLED_AFTER_DAYS.$$;

create or replace function test.import_account(phone text, parameters text default '$2b$04$saltsaltsaltsaltsaltsa$23')
returns uuid
language sql
as $$
  insert into "user".account (id, phone, password_hash, foreign_parameters, phone_verified_at, import_fingerprint)
  values (
    private.new_id(), import_account.phone, private.hash_password(test.foreign_prehash('correct horse')), import_account.parameters, now(),
    sha256(convert_to(import_account.phone, 'UTF8'))
  )
  returning id
$$;
comment on function test.import_account(text, text) is $$Makes an imported account with the password "correct horse" and returns its id.$$;

create or replace function test.foreign_prehash(password text)
returns text
language sql immutable
as $$ select test.prehash('the foreign hash of ' || password) $$;
comment on function test.foreign_prehash(text) is $$The pre-hash of a password's hash under the parameters of test.import_account.$$;

create or replace function test.password_attempt(
  phone text, password text default 'correct horse', client text default '192.0.2.1', foreign_prehash text default null
)
returns private.password_attempt
language sql immutable
as $$
  select row(
    password_attempt.phone, password_attempt.client, test.prehash(password_attempt.password), password_attempt.foreign_prehash
  )::private.password_attempt
$$;
comment on function test.password_attempt(text, text, text, text) is $$A password that somebody types.$$;

create or replace function test.insert_sessions(user_id uuid, number integer, client text default null)
returns void
language plpgsql
as $$
begin
  -- Without triggers, which take most of the time that thousands of sessions take.
  set local session_replication_role = replica;
  insert into "user".session (
    id, user_id, user_type, role, access_token_id, access_token_expires_at, refresh_token_id, refresh_token_expires_at, session_epoch, client
  )
  select private.new_id(), a.id, 'user', 'user', gen_random_uuid(), now() + interval '1 hour', gen_random_uuid(), now() + interval '1 day',
    a.session_epoch, insert_sessions.client
  from "user".account a, generate_series(1, insert_sessions.number)
  where a.id = insert_sessions.user_id;
  set local session_replication_role = origin;
end
$$;
comment on function test.insert_sessions(uuid, integer, text) is $$Gives an account so many live sessions.$$;
