-- A login rewrites its known client: with room on the page, and no index on what changes, it is a HOT update.
alter table private.known_client set (fillfactor = 70);

comment on column private.setting_definition.key is 'Name of the setting, as in the environment';
comment on column private.setting_definition.kind is 'Decides which values are valid: private.setting_fault';
comment on column private.setting_definition.default_value is 'In force where settings.configuration has no row; null: the setting has no default';
comment on column private.setting_definition.minimum is 'Smallest valid integer; null for other kinds';
comment on column private.setting_definition.maximum is 'Largest valid integer; null for other kinds';
comment on column private.setting_definition.description is 'What the setting means, with its unit';

comment on column settings.configuration.key is 'Name of the setting: a key of private.setting_definition';
comment on column settings.configuration.value is 'The value in force; checked when it is written';
comment on column settings.configuration.updated_at is 'When the value was written';

comment on column private.environment_setting.key is 'Name of the setting';
comment on column private.environment_setting.value is 'The value that the environment gave at the latest migration that wrote it';

comment on column private.setting_in_force.key is 'Name of the setting';
comment on column private.setting_in_force.value is 'The value in force; null: the setting has neither a value nor a default';

comment on column "user".account.id is 'The user''s id: claim sub of its tokens';
comment on column "user".account.email is 'Lower-cased; neither unique nor verified, and no login name; null: none was given';
comment on column "user".account.phone_verified_at is 'When the phone was confirmed by a code';
comment on column "user".account.created_at is 'When the account was made, which is when its phone was verified';
comment on column "user".account.updated_at is 'When phone, email or password last changed';

comment on column "user".session.id is 'Claim sid of its tokens';
comment on column "user".session.user_type is 'guest or user';
comment on column "user".session.role is 'The role that its tokens carry: the same as user_type';
comment on column "user".session.access_token_id is 'Claim jti of the current access token';
comment on column "user".session.access_token_expires_at is 'End of the current access token';
comment on column "user".session.refresh_token_id is 'Claim jti of the current refresh token';
comment on column "user".session.refresh_token_expires_at is 'End of the current refresh token, and of the session unless it is refreshed';
comment on column "user".session.rotated_at is 'When its tokens were last replaced; null: never';
comment on column "user".session.created_at is 'When it was opened';
comment on column "user".session.revoked_at is 'When it was revoked; null: it was not. Only ever moves forward';

comment on column private.known_client.account_id is 'The account that logged in';
comment on column private.known_client.client is 'Client address, as limits count it';
comment on column private.known_client.logged_in_at is 'When the account last logged in from it';

comment on column platform.otp_transaction.id is 'otpId of the send that asked for it';
comment on column platform.otp_transaction.identifier is 'E.164, or a lower-cased email address';
comment on column platform.otp_transaction.identifier_type is 'PHONE or EMAIL';
comment on column platform.otp_transaction.purpose is 'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else';
comment on column platform.otp_transaction.created_at is 'When it was asked for';
comment on column platform.otp_transaction.expires_at is 'From then on its code is refused';
comment on column platform.otp_transaction.verified_at is 'When its code was used; null: it was not. Only ever moves forward';

comment on column platform.rate_limit.key is 'The setting''s name, a colon and what is counted';

comment on column private.pending_registration.email is 'Lower-cased; null: none was given';
comment on column private.pending_registration.registered_at is 'When it was made; it can be confirmed for 24 hours';

comment on column private.verification_state.identifier_type is 'PHONE or EMAIL';
comment on column private.verification_state.identifier is 'E.164, or a lower-cased email address';

comment on column private.guess_count.identifier_type is 'PHONE or EMAIL';
comment on column private.guess_count.identifier is 'E.164, or a lower-cased email address';
comment on column private.guess_count.purpose is 'Purpose of the codes that were tried';
comment on column private.guess_count.guesses is 'Wrong codes since first_guess_at';
comment on column private.guess_count.first_guess_at is 'When the first of them was tried';
