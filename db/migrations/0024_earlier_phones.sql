-- What an erasure searches for besides an account's own phone. One-time passwords name these phones too, but are deleted before the
-- decisions about their sends.
create table private.earlier_phone (
  account_id uuid not null references "user".account (id) on delete cascade,
  phone text not null constraint earlier_phone_is_e164 check (phone ~ '^\+[1-9][0-9]{6,14}$'),
  held_until timestamptz,
  asked_at timestamptz,
  primary key (account_id, phone),
  constraint earlier_phone_was_held_or_asked_for check (held_until is not null or asked_at is not null)
);
comment on table private.earlier_phone is
  'Phones that an account had before, or asked to have: by these an erasure finds their rows. At most a hundred of an account, kept for '
  'private.earlier_phone_lifetime().';
comment on column private.earlier_phone.account_id is 'The account that had the phone, or asked for it';
comment on column private.earlier_phone.phone is 'E.164; it may be another account''s by now, or was all the time';
comment on column private.earlier_phone.held_until is
  'Rows of the phone up to then are about the account''s user; null: the account never had it';
comment on column private.earlier_phone.asked_at is 'When the account last asked to have it (POST /auth/phone); null: never';
alter table private.earlier_phone enable row level security;
-- An erasure looks whether another account had the phone too.
create index earlier_phone_phone on private.earlier_phone (phone);
