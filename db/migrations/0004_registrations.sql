-- Registrations wait apart from accounts, each under its own id: the password of an account depends neither on who
-- registered the phone last nor on client addresses.
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
  'Registrations of phones that are not verified: the latest five of a phone. For 24 hours verifying the phone turns one of them into the '
  'account; for 30 days they still show that another registration has another password.';
comment on column private.pending_registration.user_id is 'The id of the account if this registration is confirmed; returned to the client that registered';
comment on column private.pending_registration.phone is 'E.164';
comment on column private.pending_registration.email is 'Lower-cased; null: none was given';
comment on column private.pending_registration.password_hash is
  'bcrypt of the keyed pre-hash, under a salt made from the phone: equal hashes are equal passwords';
comment on column private.pending_registration.is_contested is
  'Another registration of the phone had another password when this one was stored; stays true after that one is gone';
comment on column private.pending_registration.registered_at is 'When it was made; it can be confirmed for 24 hours';
alter table private.pending_registration enable row level security;
create index pending_registration_phone on private.pending_registration (phone, registered_at desc);
