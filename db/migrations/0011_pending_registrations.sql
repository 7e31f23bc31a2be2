-- Registrations wait apart from accounts, each under its own id: whose password an account gets no longer depends on who
-- registered the phone last, nor on client addresses.
create table private.pending_registration (
  user_id uuid primary key,
  phone text not null constraint pending_registration_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  email text,
  password_hash text not null
    constraint pending_registration_password_is_bcrypt check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}$'),
  is_contested boolean not null,
  registered_at timestamptz not null
);
comment on table private.pending_registration is
  'Registrations of phones that are not verified: the latest five of a phone. For 24 hours verifying the phone makes one of them the account; '
  'for 30 days they still tell that another one has another password.';
comment on column private.pending_registration.user_id is 'The account''s id if this registration is confirmed; answered to whoever registered';
comment on column private.pending_registration.phone is 'E.164';
comment on column private.pending_registration.password_hash is
  'bcrypt of the keyed pre-hash, under a salt made from the phone: equal hashes are equal passwords';
comment on column private.pending_registration.is_contested is
  'Another registration of the phone had another password when this one was stored; it outlives that one';
alter table private.pending_registration enable row level security;
create index pending_registration_phone on private.pending_registration (phone, registered_at desc);
create index pending_registration_registered_at on private.pending_registration (registered_at);

-- All of them contested: another registration may have been overwritten by one that came from the same address.
insert into private.pending_registration (user_id, phone, email, password_hash, is_contested, registered_at)
select a.id, a.phone, a.email, a.password_hash, true, a.created_at
from "user".account a
where a.phone_verified_at is null and a.password_hash is not null;
delete from "user".account a where a.phone_verified_at is null;

alter table "user".account
  alter column phone_verified_at set not null,
  drop column registered_from,
  drop column registration_is_contested;
comment on table "user".account is 'A person with a verified phone. Registrations that wait for verification are in private.pending_registration.';
comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the shell sends; null: a contested registration was verified, a reset sets the password';
