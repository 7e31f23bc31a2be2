-- What a password is compared with is a row of "user".account since private.password_attempt: nothing uses this type.
drop type private.stored_password;
