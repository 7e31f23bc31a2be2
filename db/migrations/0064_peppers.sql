-- Each hash remembers its pepper, so that HASH_PEPPER can name two while it is rotated (private.named_prehash, private.code_key_for).
alter table "user".account drop constraint account_password_is_bcrypt;
alter table "user".account add constraint account_password_is_bcrypt
  check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}(:[0-9a-f]{16})?$');
alter table private.pending_registration drop constraint pending_registration_password_is_bcrypt;
alter table private.pending_registration add constraint pending_registration_password_is_bcrypt
  check (password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}(:[0-9a-f]{16})?$');
alter table platform.otp_transaction drop constraint otp_transaction_code_is_hashed;
alter table platform.otp_transaction add constraint otp_transaction_code_is_hashed check (length(code_hash) in (32, 40));

-- What was hashed before was hashed under the one pepper of this database. Without triggers: this changes nobody's password.
alter table "user".account disable trigger user;
update "user".account a set password_hash = a.password_hash || ':' || encode(substr(i.pepper_fingerprint, 1, 8), 'hex')
from private.installation i where i.pepper_fingerprint is not null and a.password_hash is not null;
alter table "user".account enable trigger user;
update private.pending_registration r set password_hash = r.password_hash || ':' || encode(substr(i.pepper_fingerprint, 1, 8), 'hex')
from private.installation i where i.pepper_fingerprint is not null;
alter table platform.otp_transaction disable trigger user;
update platform.otp_transaction o set code_hash = o.code_hash || substr(i.pepper_fingerprint, 1, 8)
from private.installation i where i.pepper_fingerprint is not null and o.code_hash is not null;
alter table platform.otp_transaction enable trigger user;
update private.recovery_code c set code_hash = c.code_hash || substr(i.pepper_fingerprint, 1, 8)
from private.installation i where i.pepper_fingerprint is not null;

comment on column "user".account.password_hash is
  'bcrypt of the keyed pre-hash that the server sends: of the password, or of an imported hash where foreign_parameters is not null; then a colon and the '
  'id of the pepper. Null: a contested registration was verified, the account was opened by a code, or the admin or an import made it; a reset sets one, or POST '
  '/auth/password soon after a sign-in';
comment on column private.pending_registration.password_hash is
  'As of "user".account, under a salt made from the phone: equal hashes are equal passwords';
comment on column platform.otp_transaction.code_hash is
  'HMAC-SHA-256 of id and code under the code key, then the 8 bytes of the pepper''s id; null: no code was made yet';
comment on column private.installation.pepper_fingerprint is
  'Of the pepper that hashes now: derived from HASH_PEPPER (HKDF); the pepper cannot be computed from it, and its first 8 bytes are the pepper''s id. A process '
  'starts if its HASH_PEPPER names this one. Set it to null to continue with another pepper: all passwords must then be reset';
