-- The tables, types, indexes, constraints and comments that all migrations together make, for reading and for reviews.
-- Functions, with their triggers and views, are in files below db/functions, policies and grants of tables below
-- db/policies. Nothing runs this file. Made by: LATCHKEY_POSTGRES_BIN=/usr/lib/postgresql/15/bin npm run generate --
-- database

CREATE SCHEMA api;

COMMENT ON SCHEMA api IS 'One function per REST route: all that latchkey_server may do.';

CREATE SCHEMA delivery;

COMMENT ON SCHEMA delivery IS 'The entry points of the worker: all that latchkey_worker may do, apart from the queue.';

CREATE SCHEMA fraud;

COMMENT ON SCHEMA fraud IS 'The fraud rules as functions of a setting and the facts of one send, and their replay over recorded decisions (fraud.what_if).';

CREATE SCHEMA latchkey;

COMMENT ON SCHEMA latchkey IS 'Who is signed in, for policies, defaults and functions of the application''s own tables.';

CREATE SCHEMA migration;

COMMENT ON SCHEMA migration IS 'What db:migrate has applied. Only the migrator writes it.';

CREATE SCHEMA platform;

COMMENT ON SCHEMA platform IS 'One-time passwords, rate limits and decisions about sends. Exposed by GraphQL under row-level security.';

CREATE SCHEMA private;

COMMENT ON SCHEMA private IS 'The rules as helper functions, and tables that only the owner reads.';

CREATE SCHEMA settings;

COMMENT ON SCHEMA settings IS 'What an operator may change while the service runs. Exposed by GraphQL to the admin.';

CREATE SCHEMA startup;

COMMENT ON SCHEMA startup IS 'What a process asks before it starts: whether version, rights and pepper are its own.';

CREATE SCHEMA "user";

COMMENT ON SCHEMA "user" IS 'Accounts and their sessions. Exposed by GraphQL under row-level security.';

CREATE TYPE api.error AS (
	code text,
	details jsonb
);

COMMENT ON TYPE api.error IS 'Why a call is refused: a code of the error catalog, and details for the client. Made by private.error only';

CREATE TYPE api.account_answer AS (
	error api.error,
	user_id uuid
);

COMMENT ON TYPE api.account_answer IS 'A registration';

CREATE TYPE api.answer AS (
	error api.error
);

COMMENT ON TYPE api.answer IS 'The answer of a call that returns nothing. As in every answer, error is null when the call succeeded';

CREATE TYPE api.caller_answer AS (
	error api.error,
	session_id uuid,
	user_type text,
	role text,
	user_id uuid,
	phone text,
	email text,
	created_at timestamp with time zone,
	access_token_expires_at timestamp with time zone,
	refresh_token_expires_at timestamp with time zone,
	deletion_due_at timestamp with time zone,
	phone_change_due_at timestamp with time zone
);

COMMENT ON TYPE api.caller_answer IS 'The caller''s session and account. deletion_due_at: when the account will be deleted; null: it will not, or there is none';

COMMENT ON COLUMN api.caller_answer.user_type IS 'one of guest, user';

COMMENT ON COLUMN api.caller_answer.role IS 'one of guest, user: the role of the session''s tokens';

COMMENT ON COLUMN api.caller_answer.user_id IS 'null: a guest';

COMMENT ON COLUMN api.caller_answer.phone IS 'null: a guest';

COMMENT ON COLUMN api.caller_answer.email IS 'null: a guest, or an account without one';

COMMENT ON COLUMN api.caller_answer.deletion_due_at IS 'when the account will be deleted; null: it will not, or there is none';

COMMENT ON COLUMN api.caller_answer.phone_change_due_at IS 'when a change of phone without the password takes effect; null: there is none';

CREATE TYPE api.deletion_answer AS (
	error api.error,
	deletion_due_at timestamp with time zone
);

COMMENT ON TYPE api.deletion_answer IS 'A deletion that its owner asked for; deletion_due_at: until then a login undoes it';

CREATE TYPE api.export_answer AS (
	error api.error,
	export jsonb
);

COMMENT ON TYPE api.export_answer IS 'What is stored about an account (private.export_account)';

CREATE TYPE private.listed_factor AS (
	factor_id uuid,
	kind text,
	label text,
	created_at timestamp with time zone,
	last_used_at timestamp with time zone,
	confirmed boolean
);

COMMENT ON TYPE private.listed_factor IS 'A second factor as its user sees it';

COMMENT ON COLUMN private.listed_factor.kind IS 'one of totp, passkey';

COMMENT ON COLUMN private.listed_factor.label IS 'the name that its user gave it; null: none';

COMMENT ON COLUMN private.listed_factor.last_used_at IS 'null: never';

CREATE TYPE api.factor_list_answer AS (
	error api.error,
	factors private.listed_factor[]
);

COMMENT ON TYPE api.factor_list_answer IS 'The second factors of a user, the newest first';

CREATE TYPE private.measured_sends AS (
	country text,
	provider text,
	sent integer,
	verified integer
);

COMMENT ON TYPE private.measured_sends IS 'SMS of a quarter of an hour that ended five minutes ago, by country and provider, and those of them whose code was used (api.measure)';

COMMENT ON COLUMN private.measured_sends.country IS 'As of platform.send_decision';

COMMENT ON COLUMN private.measured_sends.provider IS 'The last one that was tried; "none": no worker has passed the message on';

CREATE TYPE private.measured_verdicts AS (
	verdict text,
	rule text,
	sends integer
);

COMMENT ON TYPE private.measured_verdicts IS 'Decisions of the fraud rules in the last five minutes (api.measure)';

COMMENT ON COLUMN private.measured_verdicts.verdict IS 'one of allowed, recorded, refused';

COMMENT ON COLUMN private.measured_verdicts.rule IS 'The rule that objected; "none": allowed';

CREATE TYPE api.measurement_answer AS (
	error api.error,
	jobs_due integer,
	jobs_later integer,
	oldest_job_ms integer,
	workers integer,
	able_workers integer,
	sends private.measured_sends[],
	verdicts private.measured_verdicts[]
);

COMMENT ON TYPE api.measurement_answer IS 'State of the whole installation (api.measure)';

COMMENT ON COLUMN api.measurement_answer.jobs_due IS 'Jobs that a free worker would take now, 10000 at most';

COMMENT ON COLUMN api.measurement_answer.jobs_later IS 'Jobs that wait for their time, 10000 at most';

COMMENT ON COLUMN api.measurement_answer.oldest_job_ms IS 'For how long the oldest job that is due has waited, in milliseconds; 0 without one';

COMMENT ON COLUMN api.measurement_answer.workers IS 'Workers with a recent heartbeat';

COMMENT ON COLUMN api.measurement_answer.able_workers IS 'Those of them that can send';

CREATE TYPE api.new_totp_answer AS (
	error api.error,
	factor_id uuid,
	user_id uuid,
	account_name text,
	sealed_secret text
);

COMMENT ON TYPE api.new_totp_answer IS 'A factor that waits for its first code. account_name: what the app is to show. sealed_secret: as it was given, in hexadecimal';

CREATE TYPE api.otp_answer AS (
	error api.error,
	otp_id uuid,
	expires_at timestamp with time zone,
	wait_seconds numeric
);

COMMENT ON TYPE api.otp_answer IS 'A one-time password; wait_seconds: how long to wait for its delivery, null: not at all';

COMMENT ON COLUMN api.otp_answer.wait_seconds IS 'how long to wait for its delivery; null: not at all';

CREATE TYPE api.passkey_options_answer AS (
	error api.error,
	challenge_id uuid,
	options jsonb
);

COMMENT ON TYPE api.passkey_options_answer IS 'What a passkey is to sign. options: for navigator.credentials, as JSON (WebAuthn, section 5.1.8 and 5.1.9)';

CREATE TYPE api.phone_change_answer AS (
	error api.error,
	phone_change_due_at timestamp with time zone
);

COMMENT ON TYPE api.phone_change_answer IS 'A change of phone';

COMMENT ON COLUMN api.phone_change_answer.phone_change_due_at IS 'when it takes effect; null: it has';

CREATE TYPE api.readiness_answer AS (
	error api.error,
	failed text[],
	undelivered text[]
);

COMMENT ON TYPE api.readiness_answer IS 'The names of what keeps the server from serving (failed) and of what keeps messages from being sent (undelivered), each in alphabetical order; empty when nothing does';

CREATE TYPE api.receipt_answer AS (
	error api.error,
	otp_id uuid,
	trace text
);

COMMENT ON TYPE api.receipt_answer IS 'The message that a receipt is about, for the log and traces; the vendor is not told (api.record_receipt)';

COMMENT ON COLUMN api.receipt_answer.otp_id IS 'null: the receipt names no message of this provider, or says nothing final';

COMMENT ON COLUMN api.receipt_answer.trace IS 'As of platform.delivery_attempt; null: as otp_id, or no trace was recorded';

CREATE TYPE api.recovery_codes_answer AS (
	error api.error,
	recovery_codes text[]
);

COMMENT ON TYPE api.recovery_codes_answer IS 'Recovery codes in clear, which nobody can read again';

COMMENT ON COLUMN api.recovery_codes_answer.recovery_codes IS 'null: none were made';

CREATE TYPE api.reset_request_answer AS (
	error api.error,
	otp_id uuid
);

COMMENT ON TYPE api.reset_request_answer IS 'The one-time password of a reset, for the log alone: no client may see whether there is one; null where nothing is sent';

COMMENT ON COLUMN api.reset_request_answer.otp_id IS 'for the log alone; null: nothing is sent';

CREATE TYPE api.revocation_answer AS (
	error api.error,
	revoked integer
);

COMMENT ON TYPE api.revocation_answer IS 'How many sessions a call revoked';

CREATE TYPE api.session_answer AS (
	error api.error,
	session_id uuid,
	user_id uuid,
	user_type text,
	role text,
	access_token_id uuid,
	access_token_expires_at timestamp with time zone,
	refresh_token_id uuid,
	refresh_token_expires_at timestamp with time zone,
	amr text[],
	authenticated_at timestamp with time zone,
	promoted_session_id uuid,
	restored boolean,
	created boolean,
	claims jsonb,
	acr text
);

COMMENT ON TYPE api.session_answer IS 'A session, with the ids (jti) and expiry of the tokens that the server signs for it. promoted_session_id: the guest session that it replaces. restored: signing in has undone the account''s deletion. created: signing in has opened the account (api.log_in_by_otp)';

COMMENT ON COLUMN api.session_answer.user_id IS 'null: a guest';

COMMENT ON COLUMN api.session_answer.user_type IS 'one of guest, user';

COMMENT ON COLUMN api.session_answer.role IS 'one of guest, user: the role of the session''s tokens';

COMMENT ON COLUMN api.session_answer.amr IS 'how the user signed in; null: a guest, or a session that the admin opened';

COMMENT ON COLUMN api.session_answer.authenticated_at IS 'when the user signed in; null: as with amr';

COMMENT ON COLUMN api.session_answer.promoted_session_id IS 'the guest session that this one replaces; null: none';

COMMENT ON COLUMN api.session_answer.restored IS 'signing in has undone the deletion of the account';

COMMENT ON COLUMN api.session_answer.created IS 'signing in has opened the account';

COMMENT ON COLUMN api.session_answer.claims IS 'what hook.claims adds to the tokens; null: nothing';

COMMENT ON COLUMN api.session_answer.acr IS 'one of aal1, aal2: how strongly the user signed in; null: as with amr';

CREATE TYPE private.listed_session AS (
	session_id uuid,
	current boolean,
	created_at timestamp with time zone,
	last_used_at timestamp with time zone,
	client text,
	user_agent text,
	label text
);

COMMENT ON TYPE private.listed_session IS 'A session as its user sees it in a list. current: it is the one that asks. last_used_at: its last refresh, or when it was opened';

COMMENT ON COLUMN private.listed_session.client IS 'the address that last refreshed or opened it; null: not known';

COMMENT ON COLUMN private.listed_session.user_agent IS 'null: that client sent none';

COMMENT ON COLUMN private.listed_session.label IS 'the name that the client gave it; null: none';

CREATE TYPE api.session_list_answer AS (
	error api.error,
	sessions private.listed_session[]
);

COMMENT ON TYPE api.session_list_answer IS 'Live sessions of a user, the newest first';

CREATE TYPE api.sign_in_ways_answer AS (
	error api.error,
	ways text[]
);

COMMENT ON TYPE api.sign_in_ways_answer IS 'The ways to sign in, beside phone and password, that are on';

CREATE TYPE delivery.clean_up_progress AS (
	step integer,
	page bigint
);

COMMENT ON TYPE delivery.clean_up_progress IS 'How far a clean-up has come: the table, by its number in delivery.clean_up, and its first page that was not read yet. step is null before the first call, and when all tables are done';

CREATE TYPE delivery.event_backlog AS (
	subscription_id text,
	waiting_since timestamp with time zone,
	is_full boolean
);

COMMENT ON TYPE delivery.event_backlog IS 'A subscription whose events wait too long, or of which there are too many (delivery.watch_event_backlogs). waiting_since: when the oldest was queued';

CREATE TYPE delivery.event_message AS (
	event_id uuid,
	type text,
	url text,
	secret_name text,
	payload text
);

COMMENT ON TYPE delivery.event_message IS 'An event for a target (delivery.next_events). event_id: also its webhook-id. secret_name: of EVENT_SECRETS. payload: the body, JSON; null, like type: the event is no longer kept';

CREATE TYPE delivery.message AS (
	otp_id uuid,
	provider text,
	options jsonb,
	recipient text,
	body text,
	attempt_id uuid,
	channel text,
	timeout_ms integer,
	encoding text,
	code text,
	country text
);

COMMENT ON TYPE delivery.message IS 'A message to send now, as one attempt by one provider. The body and the code are here and at the vendor only. options: of the provider for this phone, with the ids of this text. timeout_ms: how long the vendor may take. encoding: of the body as an SMS, GSM-7 or UCS-2. code: null for a notice. country: as of platform.send_decision, for metrics; null where no decision was made';

CREATE TYPE delivery.provider AS (
	name text,
	options jsonb
);

COMMENT ON TYPE delivery.provider IS 'The SMS provider that OTP_PROVIDER names, and its options; all null where none is set';

CREATE TYPE fraud.decision AS (
	verdict text,
	rule text
);

COMMENT ON TYPE fraud.decision IS 'Verdict and rule of platform.send_decision';

CREATE TYPE fraud.replayed AS (
	rule text,
	decisions bigint,
	unknown bigint,
	refused_then bigint,
	refused_now bigint,
	saved numeric,
	saved_messages bigint,
	hurt bigint
);

COMMENT ON TYPE fraud.replayed IS 'What a rule would have done to recorded decisions; rule null: all rules together. unknown: decisions without the facts that it needs, because it was off then. refused_then: as recorded. refused_now: under the replayed settings. saved_messages: of these, SMS that went to the vendor then. saved: their price, where the vendor reported one. hurt: of these, SMS whose code was used';

CREATE TYPE fraud.send_facts AS (
	at timestamp with time zone,
	prefix text,
	country text,
	client text,
	purpose text,
	sends_this_hour bigint,
	sends_last_day bigint,
	country_unverified bigint,
	country_verified bigint,
	client_unverified bigint,
	client_verified bigint,
	since_last interval,
	known boolean,
	number_type text
);

COMMENT ON TYPE fraud.send_facts IS 'What the rules look at: the columns of these names of platform.send_decision. A fact that only rules in mode "off" need is null';

CREATE TYPE platform.delivery_event AS (
	at timestamp with time zone,
	what text,
	otp_id uuid,
	details text
);

COMMENT ON TYPE platform.delivery_event IS 'An event in the story of a phone or email address (platform.explain_delivery). what: a sentence; otp_id: the one-time password that it is about, or null; details: what the vendor or a limit says, or null. Holds neither code nor hash';

CREATE TYPE platform.event_fault AS (
	lane integer,
	"position" bigint,
	fault text,
	event_id uuid,
	at timestamp with time zone
);

COMMENT ON TYPE platform.event_fault IS 'The first row of a lane that is not as it was written (platform.verify_events). fault: removed, added or changed. event_id, at: of the row that is there; null where it was removed and none follows';

CREATE TYPE platform.event_replay AS (
	subscription_id text,
	queued integer
);

COMMENT ON TYPE platform.event_replay IS 'What platform.replay_events queued. queued: the number of events';

CREATE TYPE platform.limit_state AS (
	policy text,
	client text,
	counted integer,
	requests integer,
	period_seconds integer,
	blocked_until timestamp with time zone
);

COMMENT ON TYPE platform.limit_state IS 'What a limit has counted for a phone, an email address, a client or a user''s id (platform.limits_of). policy: the setting; client: the purpose of the codes, the address that is counted together with it, or both; null: it is counted alone. counted: of requests, within period_seconds. blocked_until: when there is room again; null: there is room now';

CREATE TYPE platform.live_count AS (
	hour timestamp with time zone,
	sent integer,
	verified integer,
	refused integer,
	waiting integer,
	signed_in integer,
	registered integer,
	workers integer
);

COMMENT ON TYPE platform.live_count IS 'What happened in this clock hour (platform.count_live). refused, waiting, signed_in and registered are counted among the latest 10000 rows of their tables, so they may be too low in a very busy hour';

CREATE TYPE platform.sent_in_hour AS (
	hour timestamp with time zone,
	country text,
	sent integer,
	verified integer
);

COMMENT ON TYPE platform.sent_in_hour IS 'Messages that began in an hour (UTC), and those of them whose code was used. country: ISO 3166-1 alpha-2; 001: a number of no single country; null: all other countries together';

CREATE TYPE platform.sign_ins_in_hour AS (
	hour timestamp with time zone,
	amr text[],
	sign_ins integer
);

COMMENT ON TYPE platform.sign_ins_in_hour IS 'Sign-ins of users in an hour (UTC), by how they were done (platform.sign_ins_by_hour). amr: as of "user".session';

CREATE TYPE platform.what_if_rule AS (
	rule text,
	decisions integer,
	unknown integer,
	refused_then integer,
	refused_now integer,
	saved_messages integer,
	saved numeric,
	hurt integer
);

COMMENT ON TYPE platform.what_if_rule IS 'What a fraud rule would have done to recorded decisions: see fraud.replayed';

CREATE TYPE private.code_attempt AS (
	identifier_type text,
	identifier text,
	purpose text,
	client text,
	code text,
	code_key bytea,
	account_id uuid
);

COMMENT ON TYPE private.code_attempt IS 'A code that somebody types. identifier_type: PHONE or EMAIL. identifier: E.164 or lower-cased email. purpose: of the code. client: address as limits count it. code: as typed. code_key: 32 bytes, of the server. account_id: that of the caller for a PHONE_CHANGE or EMAIL_CHANGE code, which is valid for no other account; null for other codes';

CREATE TYPE private.database_origin AS (
	system_identifier bigint,
	timeline bigint,
	table_id bigint
);

COMMENT ON TYPE private.database_origin IS 'Which copy of the data this is. system_identifier: of the cluster; timeline: of its WAL, which a recovery and a promotion raise; table_id: the oid of private.installation, which pg_restore changes. Null where PostgreSQL does not tell';

CREATE TYPE private.factor_attempt AS (
	code text,
	recovery_code text,
	code_key bytea,
	factor_ids uuid[],
	factor_secrets bytea[]
);

COMMENT ON TYPE private.factor_attempt IS 'What a person gives as a second factor. code: of an app, six digits; or recovery_code: as private.make_recovery_code makes them, without hyphens. code_key: 32 bytes. factor_ids, factor_secrets: the user''s apps and their secrets, which the server decrypts when a function asks for them (private.factor_secrets_error); null until then';

CREATE TYPE private.import_outcome AS (
	outcome text,
	id uuid
);

COMMENT ON TYPE private.import_outcome IS 'What became of a line of an import: imported; present: the same line was imported before; phone_taken, id_taken, external_id_taken: another account has it. id: the account''s; null where the line was refused';

CREATE TYPE private.imported_user AS (
	phone text,
	email text,
	foreign_prehash text,
	foreign_parameters text,
	created_at timestamp with time zone,
	fingerprint bytea,
	id uuid,
	external_id text
);

COMMENT ON TYPE private.imported_user IS 'A valid line of an import. foreign_prehash: keyed pre-hash of the imported hash, and null, like foreign_parameters, where the line has none';

CREATE TYPE private.otp_text AS (
	purpose text,
	locale text,
	template text
);

COMMENT ON TYPE private.otp_text IS 'A text of OTP_PROVIDER. purpose and locale: its keys in "templates"; both null: "template", the last resort';

CREATE TYPE private.otp_text_cost AS (
	purpose text,
	locale text,
	template text,
	encoding text,
	segments integer
);

COMMENT ON TYPE private.otp_text_cost IS 'A row of the view settings.otp_template';

CREATE TYPE private.passkey_attempt AS (
	credential_id bytea,
	authenticator_data bytea,
	user_handle bytea,
	is_signed boolean
);

COMMENT ON TYPE private.passkey_attempt IS 'The answer of a passkey. authenticator_data: what it signed beside the challenge. user_handle: the user whom the passkey names; null: it names none. is_signed: whether the signature is right, which the server finds out when a function asks for it (private.passkey_check_error); null until then';

CREATE TYPE private.password_attempt AS (
	phone text,
	client text,
	password_prehash text,
	foreign_prehash text
);

COMMENT ON TYPE private.password_attempt IS 'A password that somebody types. phone: E.164 of the account, which failures count against; where there is none, the phone or email that was typed. client: address as limits count it. password_prehash: the server''s keyed pre-hash. foreign_prehash: the keyed pre-hash of its hash under the parameters of an imported one, once the server was asked for it (private.foreign_prehash_error); else null';

CREATE TYPE private.password_check AS (
	error api.error,
	is_right boolean,
	counted_at timestamp with time zone
);

COMMENT ON TYPE private.password_check IS 'Whether a password is an account''s. error: why the request is refused. is_right: only known until private.settle_password. counted_at: the moment at which the limits counted a right one';

CREATE TYPE private.rate_limit_rule AS (
	policy text,
	key text,
	requests integer,
	period interval
);

COMMENT ON TYPE private.rate_limit_rule IS 'At most so many requests of this key in any such period';

CREATE TYPE private.rate_limit_verdict AS (
	policy text,
	requests integer,
	period interval,
	wait interval,
	taken_at timestamp with time zone,
	key text
);

COMMENT ON TYPE private.rate_limit_verdict IS 'Refused: policy and wait name the rule and how long it refuses. Allowed: wait is null, taken_at is the moment that was counted';

CREATE TYPE private.send_request AS (
	identifier text,
	identifier_type text,
	purpose text,
	awaited boolean,
	counted_at timestamp with time zone,
	languages text[],
	autofill text,
	account_id uuid,
	client text,
	country text,
	number_type text,
	code_key bytea
);

COMMENT ON TYPE private.send_request IS 'A message that somebody requests. identifier: E.164 or lower-cased email. identifier_type: PHONE or EMAIL. purpose, languages, autofill, account_id: as platform.otp_transaction. awaited: a request waits for the delivery. counted_at: the moment at which the limits counted it, and its creation. client: address as limits count it. country, number_type: of the phone, as platform.send_decision; null for EMAIL. code_key: 32 bytes, for a code that is stored at once; else null';

CREATE TYPE private.session_ends AS (
	access_token timestamp with time zone,
	refresh_token timestamp with time zone
);

COMMENT ON TYPE private.session_ends IS 'When tokens that are issued now expire';

CREATE TYPE private.sign_in AS (
	user_id uuid,
	amr text[],
	client text,
	user_agent text,
	label text,
	guest_session_id uuid
);

COMMENT ON TYPE private.sign_in IS 'What opens a session. user_id: null for a guest. amr: see "user".session. client, user_agent, label: of the request. guest_session_id: the guest who signs in, whose session ends (platform.guest_promotion); null: none';

CREATE TYPE private.signed_passkey AS (
	sign_count bigint,
	is_user_verified boolean,
	is_backup_eligible boolean,
	is_synced boolean
);

COMMENT ON TYPE private.signed_passkey IS 'What a passkey says of itself in what it signs';

CREATE TYPE settings.known_setting AS (
	key text,
	kind text,
	value jsonb,
	default_value jsonb,
	minimum bigint,
	maximum bigint,
	description text,
	updated_at timestamp with time zone
);

COMMENT ON TYPE settings.known_setting IS 'A setting that exists, with its value in force: a row of settings.setting';

CREATE TYPE settings.message_preview AS (
	message text,
	encoding text,
	characters integer,
	segments integer,
	fault text
);

COMMENT ON TYPE settings.message_preview IS 'A text as its longest message: encoding is GSM-7 or UCS-2, segments how many SMS it is billed as; fault: why OTP_PROVIDER would refuse it; null: it would not';

CREATE TYPE settings.second_factor_preview AS (
	accounts integer,
	affected integer,
	live_sessions integer,
	is_complete boolean
);

COMMENT ON TYPE settings.second_factor_preview IS 'Whom a value of SECOND_FACTOR concerns (settings.preview_second_factor). accounts: that were looked at; is_complete: they are all accounts. affected: those of them that it concerns; live_sessions: of these';

CREATE TABLE platform.rate_limit (
    key text NOT NULL COLLATE pg_catalog."C",
    hits timestamp with time zone[] DEFAULT '{}'::timestamp with time zone[] NOT NULL,
    totals bigint[] DEFAULT '{0}'::bigint[] NOT NULL,
    refused_at timestamp with time zone,
    CONSTRAINT rate_limit_totals_match_hits CHECK ((cardinality(totals) = (cardinality(hits) + 1)))
)
WITH (fillfactor='70');

COMMENT ON TABLE platform.rate_limit IS 'Sliding windows: the requests that were allowed lately.';

COMMENT ON COLUMN platform.rate_limit.key IS 'The setting''s name, a colon and the subject that is counted';

COMMENT ON COLUMN platform.rate_limit.hits IS 'When requests were allowed, oldest first. A limit of more than 60 requests has one entry per sixtieth of its period: the latest request in it';

COMMENT ON COLUMN platform.rate_limit.totals IS 'Running totals: hits[n] stands for totals[n + 1] - totals[n] requests';

COMMENT ON COLUMN platform.rate_limit.refused_at IS 'When a refusal by this window was last an event (limit.exceeded), once in its period; null: never';

CREATE TABLE platform.otp_transaction (
    id uuid NOT NULL,
    identifier text NOT NULL,
    identifier_type text NOT NULL,
    purpose text NOT NULL,
    code_hash bytea,
    attempts integer DEFAULT 0 NOT NULL,
    awaited boolean NOT NULL,
    counted_at timestamp with time zone,
    delivery text NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    current_since timestamp with time zone,
    verified_at timestamp with time zone,
    languages text[] DEFAULT '{}'::text[] NOT NULL,
    autofill text,
    account_id uuid,
    channel text,
    voided_at timestamp with time zone,
    answer_at timestamp with time zone,
    CONSTRAINT otp_transaction_channel_is_known CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text, 'voice'::text]))),
    CONSTRAINT otp_transaction_code_is_hashed CHECK ((length(code_hash) = ANY (ARRAY[32, 40]))),
    CONSTRAINT otp_transaction_delivery_is_known CHECK ((delivery = ANY (ARRAY['queued'::text, 'sending'::text, 'sent'::text, 'refused'::text, 'declined'::text, 'unreachable'::text, 'uncertain'::text, 'dropped'::text, 'cancelled'::text, 'stored'::text, 'test'::text, 'withheld'::text]))),
    CONSTRAINT otp_transaction_identifier_type_is_known CHECK ((identifier_type = ANY (ARRAY['EMAIL'::text, 'PHONE'::text]))),
    CONSTRAINT otp_transaction_of_a_change_has_an_account CHECK (((account_id IS NOT NULL) = (purpose = ANY (ARRAY['PHONE_CHANGE'::text, 'PHONE_RECOVERY'::text, 'PHONE_CHANGED'::text, 'PHONE_CHANGE_DUE'::text, 'EMAIL_CHANGE'::text, 'EMAIL_CHANGED'::text, 'FACTORS_CHANGED'::text])))),
    CONSTRAINT otp_transaction_purpose_is_known CHECK ((purpose = ANY (ARRAY['LOGIN'::text, 'SIGNUP'::text, 'PASSWORD_RESET'::text, 'PHONE_CHANGE'::text, 'PHONE_RECOVERY'::text, 'PHONE_CHANGED'::text, 'PHONE_CHANGE_DUE'::text, 'EMAIL_CHANGE'::text, 'EMAIL_CHANGED'::text, 'FACTORS_CHANGED'::text, 'INVITATION'::text, 'TEST'::text])))
)
WITH (fillfactor='70');

COMMENT ON TABLE platform.otp_transaction IS 'A one-time password. The current one of an identifier and purpose is the one with the latest current_since.';

COMMENT ON COLUMN platform.otp_transaction.id IS 'otpId in the response to the request that made it';

COMMENT ON COLUMN platform.otp_transaction.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN platform.otp_transaction.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN platform.otp_transaction.purpose IS 'LOGIN, SIGNUP or PASSWORD_RESET: a code verifies nothing else. Internal ones: PHONE_CHANGE, PHONE_RECOVERY (asked for without the password) and EMAIL_CHANGE, a code for the account in account_id; PHONE_CHANGED, PHONE_CHANGE_DUE, EMAIL_CHANGED, FACTORS_CHANGED and INVITATION, no code but a notice; TEST, a message of the admin, whose code verifies nothing';

COMMENT ON COLUMN platform.otp_transaction.code_hash IS 'HMAC-SHA-256 of id and code under the code key, then the 8 bytes of the pepper''s id; null: no code was made yet';

COMMENT ON COLUMN platform.otp_transaction.attempts IS 'Wrong guesses; at OTP_MAX_ATTEMPTS the code is blocked';

COMMENT ON COLUMN platform.otp_transaction.awaited IS 'A request waits for the delivery (POST /otp/send, POST /auth/phone, POST /auth/email); otherwise the worker alone decides about it (resets, notices, test messages)';

COMMENT ON COLUMN platform.otp_transaction.counted_at IS 'The moment at which OTP_SEND_PER_IDENTIFIER, or NOTICES_PER_IDENTIFIER for a notice, counts it; null once given back, and for a test number';

COMMENT ON COLUMN platform.otp_transaction.delivery IS 'queued → sending → sent | refused (by the vendor, for the recipient) | declined (for the vendor''s own reasons) | unreachable (no connection) | uncertain (no clear answer); back to queued before another attempt; dropped: must not be sent; cancelled: no request waits any more; stored: EMAIL that is never sent; test: for a number of OTP_TEST_NUMBERS, to which nothing is sent; withheld: REGISTRATION admits no account for the phone, which the answer does not tell';

COMMENT ON COLUMN platform.otp_transaction.created_at IS 'When it was requested';

COMMENT ON COLUMN platform.otp_transaction.expires_at IS 'From then on its code is refused';

COMMENT ON COLUMN platform.otp_transaction.current_since IS 'When it replaced the code before it; null: it never did';

COMMENT ON COLUMN platform.otp_transaction.verified_at IS 'When its code was used; null: it was not. Only ever moves forward';

COMMENT ON COLUMN platform.otp_transaction.languages IS 'Languages of the request (Accept-Language), the preferred one first: the message is written in the first that OTP_PROVIDER has a text for';

COMMENT ON COLUMN platform.otp_transaction.autofill IS 'What the last line of the message needs: "@" and a host of OTP_ORIGINS, or a hash of OTP_APP_HASHES; null: no such line';

COMMENT ON COLUMN platform.otp_transaction.account_id IS 'The account that requested a PHONE_CHANGE or EMAIL_CHANGE code, the only one that may use it, or that a notice is about; null: any other purpose';

COMMENT ON COLUMN platform.otp_transaction.channel IS 'The channel that the request named: it is sent by providers that have it; null: none, so as each provider is set up';

COMMENT ON COLUMN platform.otp_transaction.voided_at IS 'When a restore or failover ended its code, and its message if it was not sent yet; null: none did';

COMMENT ON COLUMN platform.otp_transaction.answer_at IS 'When the request of a withheld one is answered: as long after created_at as a send has lately taken; null: any other delivery';

CREATE TABLE platform.event (
    id uuid NOT NULL,
    type text NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id uuid,
    session_id uuid,
    actor text NOT NULL,
    client text,
    data jsonb NOT NULL,
    lane integer NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL
)
PARTITION BY RANGE (id);

COMMENT ON TABLE platform.event IS 'What happened: written in the transaction of what it tells, and never changed. Partitioned by month, by the time in its id; the clean-up drops the months that are older than EVENT_RETENTION_DAYS. platform.verify_events finds what was changed all the same';

COMMENT ON COLUMN platform.event.id IS 'Time-ordered; its month says which partition it is in';

COMMENT ON COLUMN platform.event.type IS 'One of private.event_types()';

COMMENT ON COLUMN platform.event.at IS 'When it happened';

COMMENT ON COLUMN platform.event.user_id IS 'The account that it concerns, which may be erased since; null: no account, or one that nobody has proved to be theirs';

COMMENT ON COLUMN platform.event.session_id IS 'The session that it concerns; null: none, or several';

COMMENT ON COLUMN platform.event.actor IS 'Who did it: user, guest (whoever is not signed in), admin, admin:<name>, system (the worker), or operator:<database role>';

COMMENT ON COLUMN platform.event.client IS 'Address as limits count it; null: not known, no account, erased, or SESSION_CLIENT_DETAILS is off';

COMMENT ON COLUMN platform.event.data IS 'More of the type, without a phone, an email or a secret';

COMMENT ON COLUMN platform.event.lane IS 'The chain that it belongs to';

COMMENT ON COLUMN platform.event."position" IS 'Its place in the lane: one more than that of the row before';

COMMENT ON COLUMN platform.event.hash IS 'SHA-256 of the hash of the row before in its lane, and of this row without client (private.event_hash)';

CREATE TABLE "user".session (
    id uuid NOT NULL,
    user_id uuid,
    user_type text NOT NULL,
    role text NOT NULL,
    access_token_id uuid NOT NULL,
    access_token_expires_at timestamp with time zone NOT NULL,
    refresh_token_id uuid NOT NULL,
    refresh_token_expires_at timestamp with time zone NOT NULL,
    previous_refresh_token_id uuid,
    rotated_at timestamp with time zone,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    revoked_at timestamp with time zone,
    amr text[],
    authenticated_at timestamp with time zone,
    client text,
    user_agent text,
    label text,
    session_epoch integer DEFAULT 0 NOT NULL,
    reuse_detected_at timestamp with time zone,
    CONSTRAINT session_of_a_guest_has_no_user CHECK (((user_type =
CASE
    WHEN (user_id IS NULL) THEN 'guest'::text
    ELSE 'user'::text
END) AND (role = user_type)))
)
WITH (fillfactor='70');

COMMENT ON TABLE "user".session IS 'A session; live while revoked_at is null, session_epoch is the account''s and refresh_token_expires_at is in the future. Holds token ids (jti), never tokens.';

COMMENT ON COLUMN "user".session.id IS 'Claim sid of its tokens';

COMMENT ON COLUMN "user".session.user_id IS 'Null for a guest';

COMMENT ON COLUMN "user".session.user_type IS 'guest or user';

COMMENT ON COLUMN "user".session.role IS 'The role that its tokens carry: the same as user_type';

COMMENT ON COLUMN "user".session.access_token_id IS 'Claim jti of the current access token';

COMMENT ON COLUMN "user".session.access_token_expires_at IS 'When the current access token expires';

COMMENT ON COLUMN "user".session.refresh_token_id IS 'Claim jti of the current refresh token';

COMMENT ON COLUMN "user".session.refresh_token_expires_at IS 'When the current refresh token expires, and the session with it unless it is refreshed';

COMMENT ON COLUMN "user".session.previous_refresh_token_id IS 'The refresh token that was replaced at rotated_at: it still refreshes within REFRESH_REUSE_GRACE_SECONDS; what its later use leads to, REFRESH_REUSE_POLICY says';

COMMENT ON COLUMN "user".session.rotated_at IS 'When its tokens were last replaced; null: never';

COMMENT ON COLUMN "user".session.created_at IS 'When it was opened';

COMMENT ON COLUMN "user".session.revoked_at IS 'When it was revoked; null: it was not. Only ever moves forward';

COMMENT ON COLUMN "user".session.amr IS 'How the user signed in: claim amr of its tokens (RFC 8176); null: a guest, or a session that nobody signed in for';

COMMENT ON COLUMN "user".session.authenticated_at IS 'When the user signed in: claim auth_time of its tokens, which a refresh keeps; null: as amr';

COMMENT ON COLUMN "user".session.client IS 'Client address, as limits count it, that its current tokens were issued to; null: SESSION_CLIENT_DETAILS was off';

COMMENT ON COLUMN "user".session.user_agent IS 'Header User-Agent of the client that its current tokens were issued to; null: as client, or none was sent';

COMMENT ON COLUMN "user".session.label IS 'Name that the client gave the session when it was opened; null: none';

COMMENT ON COLUMN "user".session.session_epoch IS 'The account''s session_epoch when it was opened, or when all others were ended; 0 for a guest';

COMMENT ON COLUMN "user".session.reuse_detected_at IS 'When the reuse of a replaced refresh token was last an event (session.reuse_detected), once in an hour; null: never';

CREATE TABLE "user".account (
    id uuid NOT NULL,
    phone text,
    email text,
    password_hash text,
    phone_verified_at timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL,
    last_used_on date DEFAULT ((now() AT TIME ZONE 'UTC'::text))::date NOT NULL,
    disabled_at timestamp with time zone,
    disabled_reason text,
    deletion_due_at timestamp with time zone,
    foreign_parameters text,
    import_fingerprint bytea,
    verified_by_test_code boolean DEFAULT false NOT NULL,
    session_epoch integer DEFAULT 0 NOT NULL,
    sessions_ended_at timestamp with time zone,
    was_disabled_at timestamp with time zone,
    was_disabled_reason text,
    enabled_at timestamp with time zone,
    external_id text,
    factor_failures integer DEFAULT 0 NOT NULL,
    email_verified_at timestamp with time zone,
    CONSTRAINT account_disabled_has_a_reason CHECK (((disabled_at IS NULL) = (disabled_reason IS NULL))),
    CONSTRAINT account_disabled_reason_is_short CHECK ((length(disabled_reason) <= 1000)),
    CONSTRAINT account_email_is_normalized CHECK (((email = lower(email)) AND (email ~ '^[^@[:space:]]+@[^@[:space:]]+$'::text) AND (length(email) <= 254))),
    CONSTRAINT account_external_id_has_content CHECK ((external_id ~ '^[!-~]{1,255}$'::text)),
    CONSTRAINT account_foreign_parameters_are_short CHECK ((length(foreign_parameters) <= 1000)),
    CONSTRAINT account_foreign_parameters_have_a_hash CHECK (((foreign_parameters IS NULL) OR (password_hash IS NOT NULL))),
    CONSTRAINT account_password_is_bcrypt CHECK ((password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}(:[0-9a-f]{16})?$'::text)),
    CONSTRAINT account_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT account_verified_email_exists CHECK (((email_verified_at IS NULL) OR (email IS NOT NULL))),
    CONSTRAINT account_was_disabled_before_enabled CHECK ((num_nulls(was_disabled_at, was_disabled_reason, enabled_at) = ANY (ARRAY[0, 3])))
)
WITH (fillfactor='90');

COMMENT ON TABLE "user".account IS 'A person with a verified phone. Registrations that wait for verification are in private.pending_registration.';

COMMENT ON COLUMN "user".account.id IS 'The user''s id: claim sub of its tokens';

COMMENT ON COLUMN "user".account.phone IS 'E.164; null: somebody else registered the number after nobody had used the account for PHONE_RECYCLED_AFTER_DAYS, and nobody can sign in';

COMMENT ON COLUMN "user".account.email IS 'Lower-cased; unique only where it is verified (email_verified_at); null: none was given';

COMMENT ON COLUMN "user".account.password_hash IS 'bcrypt of the keyed pre-hash that the server sends: of the password, or of an imported hash where foreign_parameters is not null; then a colon and the id of the pepper. Null: a contested registration was verified, the account was opened by a code, or the admin or an import made it; a reset sets one, or POST /auth/password soon after a sign-in';

COMMENT ON COLUMN "user".account.phone_verified_at IS 'When a code confirmed the phone that it has, or had last';

COMMENT ON COLUMN "user".account.created_at IS 'When the account was made';

COMMENT ON COLUMN "user".account.updated_at IS 'When phone, email or password last changed';

COMMENT ON COLUMN "user".account.last_used_on IS 'Day (UTC) on which a session of it was last opened or refreshed';

COMMENT ON COLUMN "user".account.disabled_at IS 'When an admin disabled it: nobody can sign in to it; null: it is not disabled';

COMMENT ON COLUMN "user".account.disabled_reason IS 'Why, for other admins; null: it is not disabled';

COMMENT ON COLUMN "user".account.deletion_due_at IS 'When it is deleted, because its owner asked for that: until then a login restores it, from then on nobody can sign in to it and the clean-up erases it; null: it is not to be deleted';

COMMENT ON COLUMN "user".account.foreign_parameters IS 'The scheme, costs and salt of an imported hash, without the hash, until the first login: the server computes the hash of a typed password by them. Null: the password is stored in the native way';

COMMENT ON COLUMN "user".account.import_fingerprint IS 'Keyed fingerprint of the line that the account was imported from, which is skipped when the import runs again; null: it was not imported';

COMMENT ON COLUMN "user".account.verified_by_test_code IS 'Whether only a fixed code of OTP_TEST_NUMBERS has confirmed its phone. False: a code that was sent, an import or the admin has, and no fixed code opens it';

COMMENT ON COLUMN "user".account.session_epoch IS 'How often all of its sessions were ended at once: a session that has another number is over, whatever its revoked_at says';

COMMENT ON COLUMN "user".account.sessions_ended_at IS 'When that last happened, while rows of such sessions wait for the clean-up to write their revoked_at; null: none waits';

COMMENT ON COLUMN "user".account.was_disabled_at IS 'When an admin disabled it before it was enabled again the last time; null: it never was';

COMMENT ON COLUMN "user".account.was_disabled_reason IS 'Why, for other admins';

COMMENT ON COLUMN "user".account.enabled_at IS 'When an admin enabled it again the last time';

COMMENT ON COLUMN "user".account.external_id IS 'The user''s id in the system that the account was imported from (1 to 255 printable ASCII characters); null where it was not given';

COMMENT ON COLUMN "user".account.factor_failures IS 'Wrong answers of a second factor in a row: private.most_factor_failures() lock the factors until unlock_factors, or a passkey';

COMMENT ON COLUMN "user".account.email_verified_at IS 'When a code confirmed the email; null: nobody has, or an admin has changed it since. Of one address only one account has it';

CREATE TABLE private.factor_challenge (
    id uuid NOT NULL,
    purpose text NOT NULL,
    user_id uuid,
    session_id uuid,
    session_epoch integer,
    sign_in private.sign_in,
    webauthn_challenge bytea,
    attempts integer DEFAULT 0 NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    used_at timestamp with time zone,
    CONSTRAINT factor_challenge_has_a_session CHECK (((session_id IS NOT NULL) = (purpose = ANY (ARRAY['enrol'::text, 'step_up'::text])))),
    CONSTRAINT factor_challenge_has_a_user CHECK (((user_id IS NULL) = (purpose = 'login_passkey'::text))),
    CONSTRAINT factor_challenge_of_a_login_continues_it CHECK (((sign_in IS DISTINCT FROM NULL) = (purpose = 'login'::text))),
    CONSTRAINT factor_challenge_purpose_is_known CHECK ((purpose = ANY (ARRAY['login'::text, 'login_passkey'::text, 'enrol'::text, 'step_up'::text])))
);

COMMENT ON TABLE private.factor_challenge IS 'What a second factor is to answer: a sign-in whose first step was right, or what a passkey is to sign. Its rows are written under the lock of the account''s row, if they have one, and deleted by the clean-up.';

COMMENT ON COLUMN private.factor_challenge.id IS 'challenge_id of the answer; random, because whoever has it has done the first step';

COMMENT ON COLUMN private.factor_challenge.purpose IS 'login: the second step of a sign-in; login_passkey: a sign-in by a passkey alone; enrol: adding a passkey; step_up: of a session';

COMMENT ON COLUMN private.factor_challenge.user_id IS 'The account; null: a passkey that signs in names it';

COMMENT ON COLUMN private.factor_challenge.session_id IS 'The session that enrols or steps up; null: a sign-in, which has none yet';

COMMENT ON COLUMN private.factor_challenge.session_epoch IS 'The account''s session_epoch at the first step: a sign-in that began before all sessions were revoked opens none. Null: no sign-in of an account';

COMMENT ON COLUMN private.factor_challenge.sign_in IS 'The session that it is to open, with what the first step proved; null: it opens none';

COMMENT ON COLUMN private.factor_challenge.webauthn_challenge IS 'What a passkey signs; null: no passkey was asked for';

COMMENT ON COLUMN private.factor_challenge.attempts IS 'Wrong answers; five end it';

COMMENT ON COLUMN private.factor_challenge.created_at IS 'When it was made';

COMMENT ON COLUMN private.factor_challenge.expires_at IS 'Until when it may be answered';

COMMENT ON COLUMN private.factor_challenge.used_at IS 'When it was answered rightly; null: it was not';

CREATE TABLE private.guess_count (
    identifier_type text NOT NULL,
    identifier text NOT NULL,
    purpose text NOT NULL,
    guesses integer NOT NULL,
    first_guess_at timestamp with time zone NOT NULL,
    account_id uuid,
    CONSTRAINT guess_count_holds_a_guess CHECK ((guesses > 0)),
    CONSTRAINT guess_count_identifier_type_is_known CHECK ((identifier_type = ANY (ARRAY['EMAIL'::text, 'PHONE'::text]))),
    CONSTRAINT guess_count_of_a_change_has_an_account CHECK (((account_id IS NOT NULL) = (purpose = ANY (ARRAY['PHONE_CHANGE'::text, 'PHONE_RECOVERY'::text, 'EMAIL_CHANGE'::text])))),
    CONSTRAINT guess_count_purpose_is_known CHECK ((purpose = ANY (ARRAY['LOGIN'::text, 'SIGNUP'::text, 'PASSWORD_RESET'::text, 'PHONE_CHANGE'::text, 'PHONE_RECOVERY'::text, 'EMAIL_CHANGE'::text])))
)
WITH (fillfactor='70');

COMMENT ON TABLE private.guess_count IS 'Wrong codes for an identifier and purpose, whether or not there is a code: counted for OTP_TTL_SECONDS from the first one, or until a newer code is delivered.';

COMMENT ON COLUMN private.guess_count.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN private.guess_count.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN private.guess_count.purpose IS 'Purpose of the codes that were tried';

COMMENT ON COLUMN private.guess_count.guesses IS 'Wrong codes since first_guess_at';

COMMENT ON COLUMN private.guess_count.first_guess_at IS 'When the first of them was tried';

COMMENT ON COLUMN private.guess_count.account_id IS 'The account whose PHONE_CHANGE or EMAIL_CHANGE codes were tried; null: another purpose';

CREATE TABLE private.verification_state (
    identifier_type text NOT NULL,
    identifier text NOT NULL,
    failures integer DEFAULT 0 NOT NULL,
    failed_at timestamp with time zone,
    known_client_failures integer DEFAULT 0 NOT NULL,
    known_client_failed_at timestamp with time zone
)
WITH (fillfactor='70');

COMMENT ON TABLE private.verification_state IS 'Wrong codes in a row for an identifier, over all codes, purposes and clients (OTP_FAILURES_IN_A_ROW; NIST SP 800-63B-4 section 3.2.2). Verifications and registrations of an identifier lock its row first, so they run one after another.';

COMMENT ON COLUMN private.verification_state.identifier_type IS 'PHONE or EMAIL';

COMMENT ON COLUMN private.verification_state.identifier IS 'E.164, or a lower-cased email address';

COMMENT ON COLUMN private.verification_state.failures IS 'Wrong codes by any client since the last right one';

COMMENT ON COLUMN private.verification_state.failed_at IS 'When the latest of failures was counted';

COMMENT ON COLUMN private.verification_state.known_client_failures IS 'Those by clients from which the account logged in lately: only these block such clients, so a stranger cannot';

COMMENT ON COLUMN private.verification_state.known_client_failed_at IS 'When the latest of known_client_failures was counted';

CREATE TABLE private.pending_registration (
    user_id uuid NOT NULL,
    phone text NOT NULL,
    email text,
    password_hash text NOT NULL,
    is_contested boolean NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    CONSTRAINT pending_registration_password_is_bcrypt CHECK ((password_hash ~ '^\$2a\$[0-3][0-9]\$.{53}(:[0-9a-f]{16})?$'::text)),
    CONSTRAINT pending_registration_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

COMMENT ON TABLE private.pending_registration IS 'Registrations of phones that are not verified: the latest five of a phone. For 24 hours verifying the phone turns one of them into the account; for 30 days they still show that another registration has another password.';

COMMENT ON COLUMN private.pending_registration.user_id IS 'The id of the account if this registration is confirmed; returned to the client that registered';

COMMENT ON COLUMN private.pending_registration.phone IS 'E.164';

COMMENT ON COLUMN private.pending_registration.email IS 'Lower-cased; null: none was given';

COMMENT ON COLUMN private.pending_registration.password_hash IS 'As of "user".account, under a salt made from the phone: equal hashes are equal passwords';

COMMENT ON COLUMN private.pending_registration.is_contested IS 'Another registration of the phone had another password when this one was stored; stays true after that one is gone';

COMMENT ON COLUMN private.pending_registration.registered_at IS 'When it was made; it can be confirmed for 24 hours';

CREATE TABLE "user".factor (
    id uuid NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    label text,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    confirmed_at timestamp with time zone,
    last_used_at timestamp with time zone,
    sealed_secret bytea,
    pepper_id text,
    last_step bigint,
    credential_id bytea,
    public_key bytea,
    sign_count bigint,
    transports text[],
    is_backup_eligible boolean,
    is_synced boolean,
    counter_went_back_at timestamp with time zone,
    CONSTRAINT factor_credential_id_is_short CHECK ((length(credential_id) <= 1023)),
    CONSTRAINT factor_is_whole CHECK (
CASE kind
    WHEN 'totp'::text THEN ((sealed_secret IS NOT NULL) AND (pepper_id IS NOT NULL) AND (credential_id IS NULL) AND (public_key IS NULL) AND (sign_count IS NULL))
    ELSE ((credential_id IS NOT NULL) AND (public_key IS NOT NULL) AND (sign_count IS NOT NULL) AND (confirmed_at IS NOT NULL) AND (sealed_secret IS NULL) AND (pepper_id IS NULL) AND (last_step IS NULL))
END),
    CONSTRAINT factor_kind_is_known CHECK ((kind = ANY (ARRAY['totp'::text, 'passkey'::text]))),
    CONSTRAINT factor_label_is_short CHECK ((length(label) <= 64))
);

COMMENT ON TABLE "user".factor IS 'Second factors of users. A sign-in asks for one as soon as the account has a confirmed one (SECOND_FACTOR). Its rows are written under the lock of the account''s row.';

COMMENT ON COLUMN "user".factor.id IS 'Time-ordered';

COMMENT ON COLUMN "user".factor.user_id IS 'Whose it is';

COMMENT ON COLUMN "user".factor.kind IS 'totp: an authenticator app (RFC 6238). passkey: WebAuthn';

COMMENT ON COLUMN "user".factor.label IS 'Name that its user gave it; null: none';

COMMENT ON COLUMN "user".factor.created_at IS 'When it was added';

COMMENT ON COLUMN "user".factor.confirmed_at IS 'When its first code was right; null: it waits for that, for private.enrolment_lifetime(), and nobody is asked for it';

COMMENT ON COLUMN "user".factor.last_used_at IS 'When it was last used; null: never since it was confirmed';

COMMENT ON COLUMN "user".factor.sealed_secret IS 'The secret of an app, encrypted by the server (AES-256-GCM under a key derived from HASH_PEPPER): without the pepper nobody can read it. Null: a passkey';

COMMENT ON COLUMN "user".factor.pepper_id IS 'Which HASH_PEPPER it is encrypted under; null: a passkey';

COMMENT ON COLUMN "user".factor.last_step IS 'The latest step of 30 seconds whose code was used: it and earlier ones are refused; null: a passkey, or none yet';

COMMENT ON COLUMN "user".factor.credential_id IS 'WebAuthn''s id of a passkey; null: an app';

COMMENT ON COLUMN "user".factor.public_key IS 'A passkey''s public key (COSE); null: an app';

COMMENT ON COLUMN "user".factor.sign_count IS 'A passkey''s counter at its last use, 0 where it has none; null: an app';

COMMENT ON COLUMN "user".factor.transports IS 'How browsers reach the passkey''s device; null: an app, or not known';

COMMENT ON COLUMN "user".factor.is_backup_eligible IS 'Whether the passkey may be copied to other devices; null: an app';

COMMENT ON COLUMN "user".factor.is_synced IS 'Whether the passkey was copied to other devices when it was last used; null: an app';

COMMENT ON COLUMN "user".factor.counter_went_back_at IS 'When its counter last went back, which refused it: somebody may have a copy of the passkey. Null: never, or an app';

CREATE TABLE platform.send_decision (
    id uuid NOT NULL,
    at timestamp with time zone NOT NULL,
    prefix text NOT NULL,
    country text NOT NULL,
    client text NOT NULL,
    purpose text NOT NULL,
    verdict text NOT NULL,
    rule text,
    otp_id uuid,
    verified_at timestamp with time zone,
    sends_this_hour bigint,
    sends_last_day bigint,
    country_unverified bigint,
    country_verified bigint,
    client_unverified bigint,
    client_verified bigint,
    since_last interval,
    known boolean,
    number_type text,
    request_id text,
    CONSTRAINT send_decision_country_is_a_code CHECK ((country ~ '^([A-Z]{2}|001)$'::text)),
    CONSTRAINT send_decision_names_its_rule CHECK (((rule IS NULL) = (verdict = 'allowed'::text))),
    CONSTRAINT send_decision_number_type_is_a_name CHECK ((number_type ~ '^[A-Z_]{1,30}$'::text)),
    CONSTRAINT send_decision_prefix_is_a_prefix CHECK ((prefix ~ '^\+[1-9][0-9]{2,8}$'::text)),
    CONSTRAINT send_decision_refused_has_no_otp CHECK (((otp_id IS NULL) = (verdict = 'refused'::text))),
    CONSTRAINT send_decision_request_id_is_short CHECK ((length(request_id) <= 128)),
    CONSTRAINT send_decision_verdict_is_known CHECK ((verdict = ANY (ARRAY['allowed'::text, 'recorded'::text, 'refused'::text])))
)
WITH (fillfactor='90');

COMMENT ON TABLE platform.send_decision IS 'Every decision to send an SMS, with the facts that it was made from, so that fraud.what_if can repeat it under other settings. Holds no phone. Kept for SEND_DECISION_RETENTION_DAYS.';

COMMENT ON COLUMN platform.send_decision.id IS 'Time-ordered';

COMMENT ON COLUMN platform.send_decision.at IS 'When it was decided';

COMMENT ON COLUMN platform.send_decision.prefix IS 'The phone in E.164 without its last six digits, but with three digits or more: calling codes are whole';

COMMENT ON COLUMN platform.send_decision.country IS 'ISO 3166-1 alpha-2 code of the phone''s country; 001: a number of no single country, or a notice or test message to a phone that no code was sent to lately';

COMMENT ON COLUMN platform.send_decision.client IS 'Client address, as limits count it; admin: a test message; empty: erased with the account, or after private.send_client_lifetime()';

COMMENT ON COLUMN platform.send_decision.purpose IS 'LOGIN, SIGNUP, PASSWORD_RESET or PHONE_CHANGE; PHONE_CHANGED: a notice; TEST: a test message';

COMMENT ON COLUMN platform.send_decision.verdict IS 'allowed: no rule objected; recorded: a rule in mode "record" would have refused; refused: a rule in mode "enforce" refused, nothing was sent';

COMMENT ON COLUMN platform.send_decision.rule IS 'The first setting that refused or would have; NOTICES_PER_IDENTIFIER: the phone''s limit refused a notice; null: none';

COMMENT ON COLUMN platform.send_decision.otp_id IS 'The one-time password, which may be deleted by now; null: refused';

COMMENT ON COLUMN platform.send_decision.verified_at IS 'When its code was used; null: it was not';

COMMENT ON COLUMN platform.send_decision.sends_this_hour IS 'Sends of the service in the clock hour, before this one';

COMMENT ON COLUMN platform.send_decision.sends_last_day IS 'Sends of the service in the last 24 clock hours, before this one';

COMMENT ON COLUMN platform.send_decision.country_unverified IS 'Sends to the country in the last 24 clock hours, before this one, whose code was not used';

COMMENT ON COLUMN platform.send_decision.country_verified IS 'Sends to the country in the 14 days (UTC) before this one''s whose code was used';

COMMENT ON COLUMN platform.send_decision.client_unverified IS 'Sends of the client in the last 24 clock hours, before this one, whose code was not used';

COMMENT ON COLUMN platform.send_decision.client_verified IS 'Sends of the client in the 14 days (UTC) before this one''s whose code was used';

COMMENT ON COLUMN platform.send_decision.since_last IS 'Time since the send to the phone before this one; a day where it is longer, or there was none';

COMMENT ON COLUMN platform.send_decision.known IS 'FRAUD_COUNTRY leaves it alone: the account signed in from this client lately, or it is a reset, which is only sent to accounts';

COMMENT ON COLUMN platform.send_decision.number_type IS 'Type of the phone by its numbering plan, as libphonenumber names it; INVALID: no plan has the number; null: a notice or test message, or decided by an earlier version';

COMMENT ON COLUMN platform.send_decision.request_id IS 'X-Request-Id of the request that was refused, which its client may have chosen; null: it was not refused, or came without one';

CREATE TABLE private.event_base (
    lane integer NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL
);

COMMENT ON TABLE private.event_base IS 'Where each lane begins, once months were dropped: the last event that went with them. Verification goes on from it';

COMMENT ON COLUMN private.event_base.lane IS 'As platform.event has it';

COMMENT ON COLUMN private.event_base."position" IS 'That of the last event that was dropped';

COMMENT ON COLUMN private.event_base.hash IS 'That of the last event that was dropped';

CREATE TABLE settings.event_subscription (
    id text NOT NULL,
    url text NOT NULL,
    types text[] NOT NULL,
    secret_name text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE settings.event_subscription IS 'Targets to which events are sent as webhooks; at most 16';

COMMENT ON COLUMN settings.event_subscription.id IS 'Name that the operator gives it: lower-case letters, digits, _ and -, 40 at most';

COMMENT ON COLUMN settings.event_subscription.url IS 'Where its events are posted; in production https, on a host that EVENT_HTTP_HOSTS lists in the environment of the worker';

COMMENT ON COLUMN settings.event_subscription.types IS 'Types of the events that it gets: some of those of platform.event';

COMMENT ON COLUMN settings.event_subscription.secret_name IS 'Name of the secret in EVENT_SECRETS, in the environment of the worker, that signs them';

COMMENT ON COLUMN settings.event_subscription.enabled IS 'Whether it gets events; off drops those that wait for it';

COMMENT ON COLUMN settings.event_subscription.created_at IS 'When it was added';

CREATE TABLE private.earlier_phone (
    account_id uuid NOT NULL,
    phone text NOT NULL,
    held_until timestamp with time zone,
    asked_at timestamp with time zone,
    CONSTRAINT earlier_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text)),
    CONSTRAINT earlier_phone_was_held_or_asked_for CHECK (((held_until IS NOT NULL) OR (asked_at IS NOT NULL)))
);

COMMENT ON TABLE private.earlier_phone IS 'Phones that an account had before, or asked to have: by these an erasure finds their rows. At most a hundred rows of an account, kept for private.earlier_phone_lifetime().';

COMMENT ON COLUMN private.earlier_phone.account_id IS 'The account that had the phone, or asked for it';

COMMENT ON COLUMN private.earlier_phone.phone IS 'E.164; it may be another account''s by now, or was all the time';

COMMENT ON COLUMN private.earlier_phone.held_until IS 'Rows of the phone up to then are about the account''s user (private.held_since); null: the account asked for it, and did not get it since';

COMMENT ON COLUMN private.earlier_phone.asked_at IS 'When the account last asked to have it (POST /auth/phone); null: never';

CREATE TABLE "user".invitation (
    phone text NOT NULL,
    email text,
    valid_until timestamp with time zone NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT invitation_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

COMMENT ON TABLE "user".invitation IS 'Phones that may open an account while REGISTRATION is not open. Deleted once the phone is an account''s, and by the clean-up once it has expired.';

COMMENT ON COLUMN "user".invitation.phone IS 'E.164; of no account';

COMMENT ON COLUMN "user".invitation.email IS 'Lower-cased; the email of the account that it opens, unless the person gives another; null: none';

COMMENT ON COLUMN "user".invitation.valid_until IS 'From then on it opens nothing';

COMMENT ON COLUMN "user".invitation.created_at IS 'When the phone was invited, the last time';

CREATE TABLE platform.delivery_attempt (
    id uuid NOT NULL,
    otp_id uuid NOT NULL,
    provider text NOT NULL,
    channel text NOT NULL,
    outcome text,
    vendor_message_id text,
    vendor_error text,
    price numeric,
    currency text,
    started_at timestamp with time zone NOT NULL,
    duration_ms integer,
    receipt text,
    receipt_error text,
    receipt_at timestamp with time zone,
    route text,
    trace text,
    CONSTRAINT delivery_attempt_channel_is_known CHECK ((channel = ANY (ARRAY['sms'::text, 'whatsapp'::text, 'voice'::text, 'email'::text]))),
    CONSTRAINT delivery_attempt_outcome_is_known CHECK ((outcome = ANY (ARRAY['sent'::text, 'refused'::text, 'declined'::text, 'unreachable'::text, 'uncertain'::text]))),
    CONSTRAINT delivery_attempt_receipt_is_known CHECK ((receipt = ANY (ARRAY['delivered'::text, 'undelivered'::text]))),
    CONSTRAINT delivery_attempt_route_is_a_calling_code CHECK ((route ~ '^\+[1-9][0-9]{0,7}$'::text)),
    CONSTRAINT delivery_attempt_trace_is_a_traceparent CHECK ((trace ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'::text))
)
WITH (fillfactor='80');

COMMENT ON TABLE platform.delivery_attempt IS 'A row for each time that a message was passed to a vendor. Holds neither code nor text; deleted with its one-time password.';

COMMENT ON COLUMN platform.delivery_attempt.id IS 'The vendor gets it as reference where it takes one, and names it in the receipt';

COMMENT ON COLUMN platform.delivery_attempt.otp_id IS 'The one-time password whose message it was';

COMMENT ON COLUMN platform.delivery_attempt.provider IS 'Name of the provider, as in OTP_PROVIDER; smtp for email';

COMMENT ON COLUMN platform.delivery_attempt.channel IS 'sms, whatsapp, voice or email';

COMMENT ON COLUMN platform.delivery_attempt.outcome IS 'sent (accepted) | refused (for the recipient or text) | declined (for the vendor''s own reasons: credentials, balance, throttling) | unreachable (no connection) | uncertain (no clear answer: perhaps sent); null: in progress';

COMMENT ON COLUMN platform.delivery_attempt.vendor_message_id IS 'The vendor''s id of the message, for its support';

COMMENT ON COLUMN platform.delivery_attempt.vendor_error IS 'The vendor''s status and code, or the error of the connection; null when sent';

COMMENT ON COLUMN platform.delivery_attempt.price IS 'What the vendor says it costs; null: it did not say';

COMMENT ON COLUMN platform.delivery_attempt.currency IS 'Currency of price, ISO 4217';

COMMENT ON COLUMN platform.delivery_attempt.started_at IS 'When the worker got the message';

COMMENT ON COLUMN platform.delivery_attempt.duration_ms IS 'How long the vendor took, milliseconds';

COMMENT ON COLUMN platform.delivery_attempt.receipt IS 'What the vendor''s delivery receipt said: delivered or undelivered; null: none came';

COMMENT ON COLUMN platform.delivery_attempt.receipt_error IS 'The vendor''s code for an undelivered message';

COMMENT ON COLUMN platform.delivery_attempt.receipt_at IS 'When the receipt came';

COMMENT ON COLUMN platform.delivery_attempt.route IS 'The calling code in routes of OTP_PROVIDER by which the provider and its options were chosen; null: none';

COMMENT ON COLUMN platform.delivery_attempt.trace IS 'Header traceparent (W3C Trace Context) of the attempt, which its receipt continues; null: no trace was recorded';

CREATE TABLE migration.applied (
    id integer NOT NULL,
    name character varying(255) NOT NULL,
    run_on timestamp without time zone NOT NULL
);

COMMENT ON COLUMN migration.applied.id IS 'Order in which the migrations were applied';

COMMENT ON COLUMN migration.applied.name IS 'Name of the file in db/migrations';

COMMENT ON COLUMN migration.applied.run_on IS 'When it was applied';

CREATE SEQUENCE migration.applied_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

ALTER SEQUENCE migration.applied_id_seq OWNED BY migration.applied.id;

CREATE TABLE migration.fingerprint (
    name text NOT NULL,
    sha256 text NOT NULL
);

COMMENT ON COLUMN migration.fingerprint.name IS 'Name of the migration, or of what else db:migrate applied last';

COMMENT ON COLUMN migration.fingerprint.sha256 IS 'SHA-256 of its text';

CREATE VIEW platform.delivery_by_hour WITH (security_invoker='true') AS
 SELECT date_bin('01:00:00'::interval, a.started_at, '1970-01-01 00:00:00+00'::timestamp with time zone) AS hour,
    a.provider,
    a.channel,
    "substring"(o.identifier, '^\+([17]|2[07]|2[1-689]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[7-9]\d|8[1246]|8[035789]\d|9[0-58]|9[679]\d)'::text) AS calling_code,
    (count(*))::integer AS attempts,
    (count(*) FILTER (WHERE (a.outcome = 'sent'::text)))::integer AS sent,
    (count(*) FILTER (WHERE (a.outcome = 'refused'::text)))::integer AS refused,
    (count(*) FILTER (WHERE (a.outcome = 'declined'::text)))::integer AS declined,
    (count(*) FILTER (WHERE (a.outcome = 'unreachable'::text)))::integer AS unreachable,
    (count(*) FILTER (WHERE (a.outcome = 'uncertain'::text)))::integer AS uncertain,
    (count(*) FILTER (WHERE (a.receipt = 'delivered'::text)))::integer AS delivered,
    (count(*) FILTER (WHERE (a.receipt = 'undelivered'::text)))::integer AS undelivered,
    (count(*) FILTER (WHERE ((a.outcome = 'sent'::text) AND (o.verified_at IS NOT NULL))))::integer AS verified,
    percentile_disc((0.5)::double precision) WITHIN GROUP (ORDER BY a.duration_ms) AS median_ms,
    percentile_disc((0.95)::double precision) WITHIN GROUP (ORDER BY a.duration_ms) AS p95_ms,
    d.country
   FROM ((platform.delivery_attempt a
     CROSS JOIN LATERAL ( SELECT t.identifier,
            t.verified_at
           FROM platform.otp_transaction t
          WHERE (t.id = a.otp_id)
         LIMIT 1) o)
     LEFT JOIN LATERAL ( SELECT s.country
           FROM platform.send_decision s
          WHERE (s.otp_id = a.otp_id)
         LIMIT 1) d ON (true))
  GROUP BY (date_bin('01:00:00'::interval, a.started_at, '1970-01-01 00:00:00+00'::timestamp with time zone)), a.provider, a.channel, ("substring"(o.identifier, '^\+([17]|2[07]|2[1-689]\d|3[0-469]|3[578]\d|4[013-9]|42\d|5[1-8]|5[09]\d|6[0-6]|6[7-9]\d|8[1246]|8[035789]\d|9[0-58]|9[679]\d)'::text)), d.country;

COMMENT ON VIEW platform.delivery_by_hour IS 'Attempts to send by hour, provider, channel, calling code and country. Filter by hour: a day is read by an index, all of it is not.';

COMMENT ON COLUMN platform.delivery_by_hour.hour IS 'The hour (UTC) in which the attempts began';

COMMENT ON COLUMN platform.delivery_by_hour.provider IS 'Name of the provider, as in OTP_PROVIDER; smtp for email';

COMMENT ON COLUMN platform.delivery_by_hour.channel IS 'sms, whatsapp, voice or email';

COMMENT ON COLUMN platform.delivery_by_hour.calling_code IS 'Calling code of the phone, such as 49; several countries may share one (1, 7); null for email';

COMMENT ON COLUMN platform.delivery_by_hour.attempts IS 'All attempts; those that are neither of the next five are still in progress';

COMMENT ON COLUMN platform.delivery_by_hour.sent IS 'Accepted by the vendor';

COMMENT ON COLUMN platform.delivery_by_hour.refused IS 'Refused by the vendor, for the recipient or text';

COMMENT ON COLUMN platform.delivery_by_hour.declined IS 'Declined for the vendor''s own reasons: credentials, balance, throttling';

COMMENT ON COLUMN platform.delivery_by_hour.unreachable IS 'No connection to the vendor';

COMMENT ON COLUMN platform.delivery_by_hour.uncertain IS 'No clear answer: perhaps sent';

COMMENT ON COLUMN platform.delivery_by_hour.delivered IS 'The vendor''s receipt says that the message arrived';

COMMENT ON COLUMN platform.delivery_by_hour.undelivered IS 'The vendor''s receipt says that the message did not arrive';

COMMENT ON COLUMN platform.delivery_by_hour.verified IS 'Of those sent, messages whose one-time password was used';

COMMENT ON COLUMN platform.delivery_by_hour.median_ms IS 'Half of the vendor''s answers took no longer, milliseconds';

COMMENT ON COLUMN platform.delivery_by_hour.p95_ms IS '95 of 100 of the vendor''s answers took no longer, milliseconds';

COMMENT ON COLUMN platform.delivery_by_hour.country IS 'Country of the phone: ISO 3166-1 alpha-2, 001 as in send_decision; null: email';

CREATE TABLE platform.event_delivery (
    subscription_id text NOT NULL,
    event_id uuid NOT NULL,
    user_id uuid,
    event_at timestamp with time zone NOT NULL,
    queued_at timestamp with time zone NOT NULL,
    next_at timestamp with time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    last_error text,
    failed_at timestamp with time zone
);

COMMENT ON TABLE platform.event_delivery IS 'Events that wait to be sent to a subscription, and those that were given up (failed_at). One that its target has taken is deleted';

COMMENT ON COLUMN platform.event_delivery.subscription_id IS 'To which it is sent';

COMMENT ON COLUMN platform.event_delivery.event_id IS 'What is sent, and the webhook-id by which its target knows it again';

COMMENT ON COLUMN platform.event_delivery.user_id IS 'Of the event: those of an account are sent in their order. Null: it waits for no other';

COMMENT ON COLUMN platform.event_delivery.event_at IS 'When it happened: its place in the order';

COMMENT ON COLUMN platform.event_delivery.queued_at IS 'When it was queued; an attempt that fails a day later is the last one';

COMMENT ON COLUMN platform.event_delivery.next_at IS 'Not sent before';

COMMENT ON COLUMN platform.event_delivery.attempts IS 'How often it was tried';

COMMENT ON COLUMN platform.event_delivery.last_error IS 'Why the last attempt failed: see platform.event_subscription_state.last_error; null: none has';

COMMENT ON COLUMN platform.event_delivery.failed_at IS 'When it was given up; null: it waits. The clean-up deletes it after FAILED_JOB_RETENTION_DAYS; platform.replay_events queues it again';

CREATE TABLE platform.event_subscription_state (
    subscription_id text NOT NULL,
    last_success_at timestamp with time zone,
    last_failure_at timestamp with time zone,
    last_error text,
    full_from timestamp with time zone,
    full_to timestamp with time zone
);

COMMENT ON TABLE platform.event_subscription_state IS 'How it goes with each subscription to events; no row: nothing was sent to it yet';

COMMENT ON COLUMN platform.event_subscription_state.subscription_id IS 'Id of the subscription';

COMMENT ON COLUMN platform.event_subscription_state.last_success_at IS 'When its target last took an event, within a second; null: never';

COMMENT ON COLUMN platform.event_subscription_state.last_failure_at IS 'When its target last failed to take one, within a second; null: never';

COMMENT ON COLUMN platform.event_subscription_state.last_error IS 'Why: a status, the code of an error or what the worker lacks, and nothing that the target wrote; null: it never failed';

COMMENT ON COLUMN platform.event_subscription_state.full_from IS 'From when on events were not queued for it because too many waited; null: never. platform.replay_events queues them';

COMMENT ON COLUMN platform.event_subscription_state.full_to IS 'Until when; null: still, or never';

CREATE VIEW platform.event_backlog WITH (security_invoker='true') AS
 SELECT s.id AS subscription_id,
    w.waiting,
    o.waiting_since,
    f.failed,
    t.last_success_at,
    t.last_failure_at,
    t.last_error,
    t.full_from,
    t.full_to
   FROM ((((settings.event_subscription s
     LEFT JOIN platform.event_subscription_state t ON ((t.subscription_id = s.id)))
     CROSS JOIN LATERAL ( SELECT (count(*))::integer AS waiting
           FROM ( SELECT
                   FROM platform.event_delivery d
                  WHERE ((d.subscription_id = s.id) AND (d.failed_at IS NULL))
                 LIMIT 10001) some_waiting) w)
     LEFT JOIN LATERAL ( SELECT d.queued_at AS waiting_since
           FROM platform.event_delivery d
          WHERE ((d.subscription_id = s.id) AND (d.failed_at IS NULL))
          ORDER BY d.next_at
         LIMIT 1) o ON (true))
     CROSS JOIN LATERAL ( SELECT (count(*))::integer AS failed
           FROM ( SELECT
                   FROM platform.event_delivery d
                  WHERE ((d.subscription_id = s.id) AND (d.failed_at IS NOT NULL))
                 LIMIT 10001) some_failed) f);

COMMENT ON VIEW platform.event_backlog IS 'How it goes with each subscription to events: what waits, what was given up, how its target answers';

COMMENT ON COLUMN platform.event_backlog.subscription_id IS 'Id of the subscription';

COMMENT ON COLUMN platform.event_backlog.waiting IS 'Events that wait, those between attempts included; 10001: more than 10000';

COMMENT ON COLUMN platform.event_backlog.waiting_since IS 'When that of them was queued which is sent next; null: none waits';

COMMENT ON COLUMN platform.event_backlog.failed IS 'Events that were given up after a day; 10001: more than 10000';

COMMENT ON COLUMN platform.event_backlog.last_success_at IS 'See platform.event_subscription_state';

COMMENT ON COLUMN platform.event_backlog.last_failure_at IS 'See platform.event_subscription_state';

COMMENT ON COLUMN platform.event_backlog.last_error IS 'See platform.event_subscription_state';

COMMENT ON COLUMN platform.event_backlog.full_from IS 'See platform.event_subscription_state';

COMMENT ON COLUMN platform.event_backlog.full_to IS 'See platform.event_subscription_state';

CREATE TABLE platform.guest_promotion (
    guest_session_id uuid NOT NULL,
    user_id uuid NOT NULL,
    promoted_at timestamp with time zone NOT NULL
);

COMMENT ON TABLE platform.guest_promotion IS 'Guests who became users: what an application kept for the guest session belongs to the user now.';

COMMENT ON COLUMN platform.guest_promotion.guest_session_id IS 'The guest session, which was revoked; it may be deleted by now';

COMMENT ON COLUMN platform.guest_promotion.user_id IS 'The account that the guest signed in to';

COMMENT ON COLUMN platform.guest_promotion.promoted_at IS 'When the guest signed in';

CREATE TABLE private.catalog_line (
    line text NOT NULL COLLATE pg_catalog."C",
    is_right boolean NOT NULL,
    is_of_files boolean NOT NULL,
    statement text,
    fingerprint text NOT NULL,
    server_version integer NOT NULL
);

COMMENT ON TABLE private.catalog_line IS 'What private.catalog_in_force listed at the end of the last migration that made it: owners, rights, policies, tables'' columns, constraints, indexes, triggers, views and functions. db:migrate compares them with the catalog, repairs what is lost, and names the rest. Delete the line of what you took away or changed on purpose.';

COMMENT ON COLUMN private.catalog_line.line IS 'One object or right, in words';

COMMENT ON COLUMN private.catalog_line.is_right IS 'Owners, rights, row-level security and policies: without one a process does not start';

COMMENT ON COLUMN private.catalog_line.is_of_files IS 'Whether a file below db/functions or db/policies makes it: applying them repairs it';

COMMENT ON COLUMN private.catalog_line.statement IS 'Repairs it, as latchkey_owner; null: a file does, or nothing can';

COMMENT ON COLUMN private.catalog_line.fingerprint IS 'MD5 of its definition, which tells whether it was changed';

COMMENT ON COLUMN private.catalog_line.server_version IS 'PostgreSQL''s version then: another one may print the same definition differently, so the fingerprint is compared only with its own';

CREATE TABLE private.decoy_key (
    is_one boolean DEFAULT true NOT NULL,
    key bytea NOT NULL,
    CONSTRAINT decoy_key_is_one CHECK (is_one)
);

COMMENT ON TABLE private.decoy_key IS 'One row: the key by which private.decoy_password chooses accounts. It never leaves the database.';

COMMENT ON COLUMN private.decoy_key.is_one IS 'Limits the table to one row';

COMMENT ON COLUMN private.decoy_key.key IS 'Random: without it nobody can compute which phones have the same account''s decoy';

CREATE TABLE private.event_lane (
    lane integer NOT NULL,
    "position" bigint DEFAULT 0 NOT NULL,
    hash bytea DEFAULT decode(repeat('00'::text, 32), 'hex'::text) NOT NULL
);

COMMENT ON TABLE private.event_lane IS 'The chains of platform.event: a transaction with an event holds one of them until it ends (private.take_event_lane), so that two transactions wait for each other only if they must';

COMMENT ON COLUMN private.event_lane.lane IS 'As platform.event has it';

COMMENT ON COLUMN private.event_lane."position" IS 'That of the last event; 0: there is none';

COMMENT ON COLUMN private.event_lane.hash IS 'That of the last event; zeros: there is none';

ALTER TABLE private.event_lane ALTER COLUMN lane ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME private.event_lane_lane_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE private.event_other (
    id uuid NOT NULL,
    type text NOT NULL,
    at timestamp with time zone NOT NULL,
    user_id uuid,
    session_id uuid,
    actor text NOT NULL,
    client text,
    data jsonb NOT NULL,
    lane integer NOT NULL,
    "position" bigint NOT NULL,
    hash bytea NOT NULL
);

COMMENT ON TABLE private.event_other IS 'Events of months that have no partition of their own';

COMMENT ON COLUMN private.event_other.id IS 'Time-ordered; its month says which partition it is in';

COMMENT ON COLUMN private.event_other.type IS 'One of private.event_types()';

COMMENT ON COLUMN private.event_other.at IS 'When it happened';

COMMENT ON COLUMN private.event_other.user_id IS 'The account that it concerns, which may be erased since; null: no account, or one that nobody has proved to be theirs';

COMMENT ON COLUMN private.event_other.session_id IS 'The session that it concerns; null: none, or several';

COMMENT ON COLUMN private.event_other.actor IS 'Who did it: user, guest (whoever is not signed in), admin, admin:<name>, system (the worker), or operator:<database role>';

COMMENT ON COLUMN private.event_other.client IS 'Address as limits count it; null: not known, or SESSION_CLIENT_DETAILS is off';

COMMENT ON COLUMN private.event_other.data IS 'More of the type, without a phone, an email or a secret';

COMMENT ON COLUMN private.event_other.lane IS 'The chain that it belongs to';

COMMENT ON COLUMN private.event_other."position" IS 'Its place in the lane: one more than that of the row before';

COMMENT ON COLUMN private.event_other.hash IS 'SHA-256 of the hash of the row before in its lane, and of this row (private.event_hash)';

CREATE TABLE private.installation (
    is_one boolean DEFAULT true NOT NULL,
    pepper_fingerprint bytea,
    production boolean,
    identity_key bytea DEFAULT crypto.gen_random_bytes(32) NOT NULL,
    token_issuer text,
    origin private.database_origin,
    marked_at timestamp with time zone,
    restore_noticed_at timestamp with time zone,
    sessions_refresh_after timestamp with time zone,
    CONSTRAINT installation_is_one CHECK (is_one)
);

COMMENT ON TABLE private.installation IS 'One row: what the processes of this installation must share, so that a wrong secret stops a start instead of locking every user out.';

COMMENT ON COLUMN private.installation.is_one IS 'Limits the table to one row';

COMMENT ON COLUMN private.installation.pepper_fingerprint IS 'Of the pepper that hashes now: derived from HASH_PEPPER (HKDF); the pepper cannot be computed from it, and its first 8 bytes are the pepper''s id. A process starts if its HASH_PEPPER names this one. Set it to null to continue with another pepper: all passwords must then be reset';

COMMENT ON COLUMN private.installation.production IS 'Whether the last migration ran with NODE_ENV=production; null: it was of a version that did not record it';

COMMENT ON COLUMN private.installation.identity_key IS 'Signs the claims of a transaction (private.seal_identity), so that no other function can set them. A new key only ends the transactions that run';

COMMENT ON COLUMN private.installation.token_issuer IS 'JWT_ISSUER of the server that started last; null before the first start. Claims of another issuer name nobody';

COMMENT ON COLUMN private.installation.origin IS 'Of the copy of the data that was settled last: another one now means that a backup was restored, or a standby promoted; null: not recorded yet';

COMMENT ON COLUMN private.installation.marked_at IS 'When a process last showed that it used this database (startup.mark_database). A process that has seen a later one notices a restore';

COMMENT ON COLUMN private.installation.restore_noticed_at IS 'When a process had seen a later marked_at than the database holds; null once platform.after_restore has run';

COMMENT ON COLUMN private.installation.sessions_refresh_after IS 'When the latest restore was settled: a session whose tokens are older has to refresh them first; null: there was none';

CREATE TABLE private.known_client (
    account_id uuid NOT NULL,
    client text NOT NULL,
    logged_in_at timestamp with time zone NOT NULL
)
WITH (fillfactor='70');

COMMENT ON TABLE private.known_client IS 'Clients from which an account logged in: for private.known_client_lifetime() only LOGIN_FAILURES_PER_PHONE_AND_IP applies to them, so that strangers cannot lock the owner out.';

COMMENT ON COLUMN private.known_client.account_id IS 'The account that logged in';

COMMENT ON COLUMN private.known_client.client IS 'Client address, as limits count it';

COMMENT ON COLUMN private.known_client.logged_in_at IS 'When the account last logged in from it';

CREATE TABLE private.phone_recovery (
    account_id uuid NOT NULL,
    phone text NOT NULL,
    session_id uuid NOT NULL,
    asked_at timestamp with time zone NOT NULL,
    due_at timestamp with time zone NOT NULL,
    CONSTRAINT phone_recovery_phone_is_e164 CHECK ((phone ~ '^\+[1-9][0-9]{6,14}$'::text))
);

COMMENT ON TABLE private.phone_recovery IS 'A change of phone that a session asked for without the password, because a code by email had opened it (PHONE_RECOVERY_BY_EMAIL). One of an account.';

COMMENT ON COLUMN private.phone_recovery.account_id IS 'The account whose phone is to change';

COMMENT ON COLUMN private.phone_recovery.phone IS 'E.164: the new phone';

COMMENT ON COLUMN private.phone_recovery.session_id IS 'The session that asked for it, which stays when the phone changes';

COMMENT ON COLUMN private.phone_recovery.asked_at IS 'When the code of the new phone was typed';

COMMENT ON COLUMN private.phone_recovery.due_at IS 'From then on the first sign-in, or the clean-up, changes the phone';

CREATE TABLE private.recovery_code (
    user_id uuid NOT NULL,
    code_hash bytea NOT NULL,
    used_at timestamp with time zone
);

COMMENT ON TABLE private.recovery_code IS 'Codes that replace a second factor, once each. New ones replace all earlier ones.';

COMMENT ON COLUMN private.recovery_code.user_id IS 'Whose they are';

COMMENT ON COLUMN private.recovery_code.code_hash IS 'private.hash_code of the user''s id and the code';

COMMENT ON COLUMN private.recovery_code.used_at IS 'When it was used; null: it was not';

CREATE TABLE private.restore (
    settled_at timestamp with time zone NOT NULL,
    at timestamp with time zone NOT NULL,
    is_failover boolean NOT NULL
);

COMMENT ON TABLE private.restore IS 'Restores and failovers of this database, of which there are few. Kept for good: explain_delivery reads them.';

COMMENT ON COLUMN private.restore.settled_at IS 'When what it had turned back was settled';

COMMENT ON COLUMN private.restore.at IS 'The moment of the restored data, as far as known';

COMMENT ON COLUMN private.restore.is_failover IS 'True: a standby was promoted, and at most seconds were lost; false: a backup was restored';

CREATE TABLE private.send_count (
    subject text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    starts_at timestamp with time zone NOT NULL,
    shard smallint NOT NULL,
    sends integer NOT NULL,
    verified integer NOT NULL,
    CONSTRAINT send_count_period_is_known CHECK ((period = ANY (ARRAY['hour'::text, 'day'::text])))
)
WITH (fillfactor='70');

COMMENT ON TABLE private.send_count IS 'Counters of sends per clock hour and day (UTC). A counter is the sum of its shards: transactions add to different ones, so that they do not wait for each other. Written by private.count_send alone.';

COMMENT ON COLUMN private.send_count.subject IS '"all", "country:" and its code, or "client:" and its address';

COMMENT ON COLUMN private.send_count.period IS 'hour or day';

COMMENT ON COLUMN private.send_count.starts_at IS 'First moment of the hour or day';

COMMENT ON COLUMN private.send_count.shard IS 'A number from 0 to 7; of a client always 0, because its rate limit lets its sends pass one by one';

COMMENT ON COLUMN private.send_count.sends IS 'Sends that began in this period; negative where another shard counted what this one gave back';

COMMENT ON COLUMN private.send_count.verified IS 'Those of them whose code was used';

CREATE TABLE private.setting_definition (
    key text NOT NULL,
    kind text NOT NULL,
    default_value jsonb,
    minimum bigint,
    maximum bigint,
    description text NOT NULL,
    environment_value jsonb,
    CONSTRAINT setting_definition_kind_is_known CHECK (((kind = ANY (ARRAY['integer'::text, 'integer or off'::text, 'limit'::text, 'limit or off'::text, 'on or off'::text, 'provider'::text, 'origins'::text, 'app hashes'::text, 'channels'::text, 'test numbers'::text, 'fraud rule'::text])) OR (kind ~ '^one of [a-z-]+(, [a-z-]+)+$'::text)))
);

COMMENT ON TABLE private.setting_definition IS 'Every setting that exists: its kind, default, bounds and meaning. An "integer" is a whole number within its bounds; a "limit" is text "requests/seconds"; "integer or off" and "limit or off" may also be "off".';

COMMENT ON COLUMN private.setting_definition.key IS 'Name of the setting, as in the environment';

COMMENT ON COLUMN private.setting_definition.kind IS 'Decides which values are valid: see private.setting_fault';

COMMENT ON COLUMN private.setting_definition.default_value IS 'In force where settings.configuration has no row; null: the setting has no default';

COMMENT ON COLUMN private.setting_definition.minimum IS 'Smallest valid integer; null for other kinds';

COMMENT ON COLUMN private.setting_definition.maximum IS 'Largest valid integer; null for other kinds';

COMMENT ON COLUMN private.setting_definition.description IS 'What the setting means, with its unit';

COMMENT ON COLUMN private.setting_definition.environment_value IS 'What the environment of a deployment wrote last: it writes again only when its own value differs, so an operator''s change by SQL stays; null: it never wrote';

CREATE TABLE private.signing_key (
    kid text NOT NULL,
    algorithm text NOT NULL,
    state text NOT NULL,
    sealed_key bytea NOT NULL,
    encryption_key_id text NOT NULL,
    created_at timestamp with time zone NOT NULL,
    verifies_until timestamp with time zone,
    opened_at timestamp with time zone,
    CONSTRAINT signing_key_algorithm_is_known CHECK ((algorithm = ANY (ARRAY['ES256'::text, 'RS256'::text]))),
    CONSTRAINT signing_key_ends_once_retired CHECK (((state = 'retired'::text) = (verifies_until IS NOT NULL))),
    CONSTRAINT signing_key_state_is_known CHECK ((state = ANY (ARRAY['next'::text, 'current'::text, 'retired'::text])))
);

COMMENT ON TABLE private.signing_key IS 'Keys that sign tokens (npm run keys): the current one signs, all are published and verify. Row-level security keeps every role but the owner away; the server reads them through startup.signing_keys.';

COMMENT ON COLUMN private.signing_key.kid IS 'As in the header of a token and in /.well-known/jwks.json';

COMMENT ON COLUMN private.signing_key.algorithm IS 'ES256 or RS256';

COMMENT ON COLUMN private.signing_key.state IS 'next: published, and does not sign yet; current; retired: verifies what it has signed';

COMMENT ON COLUMN private.signing_key.sealed_key IS 'The private JWK, encrypted (AES-256-GCM) under a key derived from KEY_ENCRYPTION_KEY, for this kid alone';

COMMENT ON COLUMN private.signing_key.encryption_key_id IS 'Which KEY_ENCRYPTION_KEY it is encrypted under';

COMMENT ON COLUMN private.signing_key.created_at IS 'Since when it is published';

COMMENT ON COLUMN private.signing_key.verifies_until IS 'When the last token that it has signed ends; null: it is not retired';

COMMENT ON COLUMN private.signing_key.opened_at IS 'When a server first opened it with its KEY_ENCRYPTION_KEY (startup.confirm_signing_keys); null: none has, so that it should not sign';

CREATE TABLE private.used_proof (
    digest bytea NOT NULL,
    used_at timestamp with time zone NOT NULL,
    CONSTRAINT used_proof_digest_is_hashed CHECK ((length(digest) = 32))
);

COMMENT ON TABLE private.used_proof IS 'Captchas'' proofs that a send was accepted for: each counts once, over all servers. Deleted once no provider would verify them any more.';

COMMENT ON COLUMN private.used_proof.digest IS 'SHA-256 of the provider''s name and the proof';

COMMENT ON COLUMN private.used_proof.used_at IS 'When it was used';

CREATE TABLE private.worker_heartbeat (
    worker text NOT NULL,
    at timestamp with time zone NOT NULL,
    can_send boolean NOT NULL,
    providers text[]
);

COMMENT ON TABLE private.worker_heartbeat IS 'A row per worker, written every 10 seconds (delivery.heartbeat): shows that a worker runs, and whether it can send SMS. Read by api.check_readiness. Nothing else depends on it: rows may be deleted at any time.';

COMMENT ON COLUMN private.worker_heartbeat.worker IS 'A random id of the worker: a new one at each start';

COMMENT ON COLUMN private.worker_heartbeat.at IS 'When the worker wrote last';

COMMENT ON COLUMN private.worker_heartbeat.can_send IS 'Whether it could send SMS then, by a provider that OTP_PROVIDER named';

COMMENT ON COLUMN private.worker_heartbeat.providers IS 'The providers for which the worker has what they need in its environment, such as credentials; null if it has not said so';

CREATE TABLE settings.configuration (
    key text NOT NULL,
    value jsonb NOT NULL,
    updated_at timestamp with time zone DEFAULT now() NOT NULL
);

COMMENT ON TABLE settings.configuration IS 'The settings in force, read by private.setting. A change takes effect at the next request; a deleted row falls back to its default.';

COMMENT ON COLUMN settings.configuration.key IS 'Name of the setting: a key of private.setting_definition';

COMMENT ON COLUMN settings.configuration.value IS 'The value in force; checked when it is written';

COMMENT ON COLUMN settings.configuration.updated_at IS 'When the value was written';

ALTER TABLE ONLY platform.event ATTACH PARTITION private.event_other DEFAULT;

ALTER TABLE ONLY migration.applied ALTER COLUMN id SET DEFAULT nextval('migration.applied_id_seq'::regclass);

ALTER TABLE ONLY migration.applied
    ADD CONSTRAINT applied_pkey PRIMARY KEY (id);

ALTER TABLE ONLY migration.fingerprint
    ADD CONSTRAINT fingerprint_pkey PRIMARY KEY (name);

ALTER TABLE ONLY platform.delivery_attempt
    ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.event_delivery
    ADD CONSTRAINT event_delivery_pkey PRIMARY KEY (subscription_id, event_id);

ALTER TABLE ONLY platform.event
    ADD CONSTRAINT event_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.event_subscription_state
    ADD CONSTRAINT event_subscription_state_pkey PRIMARY KEY (subscription_id);

ALTER TABLE ONLY platform.guest_promotion
    ADD CONSTRAINT guest_promotion_pkey PRIMARY KEY (guest_session_id);

ALTER TABLE ONLY platform.otp_transaction
    ADD CONSTRAINT otp_transaction_pkey PRIMARY KEY (id);

ALTER TABLE ONLY platform.rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);

ALTER TABLE ONLY platform.send_decision
    ADD CONSTRAINT send_decision_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.catalog_line
    ADD CONSTRAINT catalog_line_pkey PRIMARY KEY (line);

ALTER TABLE ONLY private.decoy_key
    ADD CONSTRAINT decoy_key_pkey PRIMARY KEY (is_one);

ALTER TABLE ONLY private.earlier_phone
    ADD CONSTRAINT earlier_phone_key UNIQUE NULLS NOT DISTINCT (account_id, phone, held_until);

ALTER TABLE ONLY private.event_base
    ADD CONSTRAINT event_base_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY private.event_lane
    ADD CONSTRAINT event_lane_pkey PRIMARY KEY (lane);

ALTER TABLE ONLY private.event_other
    ADD CONSTRAINT event_other_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.factor_challenge
    ADD CONSTRAINT factor_challenge_pkey PRIMARY KEY (id);

ALTER TABLE ONLY private.guess_count
    ADD CONSTRAINT guess_count_key UNIQUE NULLS NOT DISTINCT (identifier_type, identifier, purpose, account_id);

ALTER TABLE ONLY private.installation
    ADD CONSTRAINT installation_pkey PRIMARY KEY (is_one);

ALTER TABLE ONLY private.known_client
    ADD CONSTRAINT known_client_pkey PRIMARY KEY (account_id, client);

ALTER TABLE ONLY private.pending_registration
    ADD CONSTRAINT pending_registration_pkey PRIMARY KEY (user_id);

ALTER TABLE ONLY private.phone_recovery
    ADD CONSTRAINT phone_recovery_pkey PRIMARY KEY (account_id);

ALTER TABLE ONLY private.recovery_code
    ADD CONSTRAINT recovery_code_pkey PRIMARY KEY (user_id, code_hash);

ALTER TABLE ONLY private.restore
    ADD CONSTRAINT restore_pkey PRIMARY KEY (settled_at);

ALTER TABLE ONLY private.send_count
    ADD CONSTRAINT send_count_pkey PRIMARY KEY (subject, period, starts_at, shard);

ALTER TABLE ONLY private.setting_definition
    ADD CONSTRAINT setting_definition_pkey PRIMARY KEY (key);

ALTER TABLE ONLY private.signing_key
    ADD CONSTRAINT signing_key_pkey PRIMARY KEY (kid);

ALTER TABLE ONLY private.used_proof
    ADD CONSTRAINT used_proof_pkey PRIMARY KEY (digest);

ALTER TABLE ONLY private.verification_state
    ADD CONSTRAINT verification_state_pkey PRIMARY KEY (identifier_type, identifier);

ALTER TABLE ONLY private.worker_heartbeat
    ADD CONSTRAINT worker_heartbeat_pkey PRIMARY KEY (worker);

ALTER TABLE ONLY settings.configuration
    ADD CONSTRAINT configuration_pkey PRIMARY KEY (key);

ALTER TABLE ONLY settings.event_subscription
    ADD CONSTRAINT event_subscription_pkey PRIMARY KEY (id);

ALTER TABLE ONLY "user".account
    ADD CONSTRAINT account_phone_is_unique UNIQUE (phone);

ALTER TABLE ONLY "user".account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE ONLY "user".factor
    ADD CONSTRAINT factor_credential_id_is_unique UNIQUE (credential_id);

ALTER TABLE ONLY "user".factor
    ADD CONSTRAINT factor_pkey PRIMARY KEY (id);

ALTER TABLE ONLY "user".invitation
    ADD CONSTRAINT invitation_pkey PRIMARY KEY (phone);

ALTER TABLE ONLY "user".session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

CREATE INDEX delivery_attempt_hour ON platform.delivery_attempt USING btree (date_bin('01:00:00'::interval, started_at, '1970-01-01 00:00:00+00'::timestamp with time zone));

CREATE INDEX delivery_attempt_otp_id ON platform.delivery_attempt USING btree (otp_id);

CREATE INDEX delivery_attempt_vendor_message_id ON platform.delivery_attempt USING btree (vendor_message_id) WHERE (vendor_message_id IS NOT NULL);

CREATE INDEX event_at ON ONLY platform.event USING brin (at) WITH (autosummarize='on');

CREATE INDEX event_delivery_account ON platform.event_delivery USING btree (subscription_id, user_id, event_at, event_id) WHERE (failed_at IS NULL);

CREATE INDEX event_delivery_due ON platform.event_delivery USING btree (subscription_id, next_at, event_at, event_id) WHERE (failed_at IS NULL);

CREATE INDEX event_delivery_failed ON platform.event_delivery USING btree (subscription_id, failed_at) WHERE (failed_at IS NOT NULL);

CREATE INDEX event_lane ON ONLY platform.event USING btree (lane, "position");

CREATE INDEX event_request_id ON ONLY platform.event USING btree (((data ->> 'request_id'::text)), id) WHERE (data ? 'request_id'::text);

CREATE INDEX event_user_id ON ONLY platform.event USING btree (user_id, id);

CREATE INDEX guest_promotion_user_id ON platform.guest_promotion USING btree (user_id);

CREATE INDEX otp_transaction_account_id ON platform.otp_transaction USING btree (account_id) WHERE (account_id IS NOT NULL);

CREATE INDEX otp_transaction_created_at ON platform.otp_transaction USING btree (created_at);

CREATE INDEX otp_transaction_current ON platform.otp_transaction USING btree (identifier, purpose, current_since DESC) WHERE (current_since IS NOT NULL);

CREATE INDEX otp_transaction_identifier ON platform.otp_transaction USING btree (identifier, created_at);

CREATE UNIQUE INDEX otp_transaction_test ON platform.otp_transaction USING btree (identifier, purpose, account_id) NULLS NOT DISTINCT WHERE (delivery = 'test'::text);

CREATE INDEX send_decision_at ON platform.send_decision USING btree (at);

CREATE INDEX send_decision_client ON platform.send_decision USING btree (client);

CREATE INDEX send_decision_otp_id ON platform.send_decision USING btree (otp_id) WHERE (otp_id IS NOT NULL);

CREATE INDEX send_decision_request_id ON platform.send_decision USING btree (request_id, id) WHERE (request_id IS NOT NULL);

CREATE INDEX earlier_phone_phone ON private.earlier_phone USING btree (phone);

CREATE INDEX event_other_at_idx ON private.event_other USING brin (at) WITH (autosummarize='on');

CREATE INDEX event_other_expr_id_idx ON private.event_other USING btree (((data ->> 'request_id'::text)), id) WHERE (data ? 'request_id'::text);

CREATE INDEX event_other_lane_position_idx ON private.event_other USING btree (lane, "position");

CREATE INDEX event_other_user_id_id_idx ON private.event_other USING btree (user_id, id);

CREATE INDEX factor_challenge_user_id ON private.factor_challenge USING btree (user_id) WHERE (user_id IS NOT NULL);

CREATE INDEX known_client_client ON private.known_client USING btree (client);

CREATE INDEX pending_registration_phone ON private.pending_registration USING btree (phone, registered_at DESC);

CREATE INDEX phone_recovery_due_at ON private.phone_recovery USING btree (due_at);

CREATE UNIQUE INDEX signing_key_is_next_or_current_once ON private.signing_key USING btree (state) WHERE (state <> 'retired'::text);

CREATE INDEX account_decoy ON "user".account USING btree ("left"(phone, 4), substr(sha256(uuid_send(id)), 1, 8)) WHERE (password_hash IS NOT NULL);

CREATE INDEX account_deletion_due_at ON "user".account USING btree (deletion_due_at) WHERE (deletion_due_at IS NOT NULL);

CREATE INDEX account_email ON "user".account USING btree (email) WHERE (email IS NOT NULL);

CREATE INDEX account_email_decoy ON "user".account USING btree (substr(sha256(uuid_send(id)), 1, 8)) WHERE ((password_hash IS NOT NULL) AND (email_verified_at IS NOT NULL));

CREATE UNIQUE INDEX account_external_id ON "user".account USING btree (external_id) WHERE (external_id IS NOT NULL);

CREATE UNIQUE INDEX account_import_fingerprint ON "user".account USING btree (import_fingerprint) WHERE (import_fingerprint IS NOT NULL);

CREATE INDEX account_password_cost ON "user".account USING btree (substr(password_hash, 5, 2)) WHERE (password_hash IS NOT NULL);

CREATE INDEX account_sessions_ended ON "user".account USING btree (id) WHERE (sessions_ended_at IS NOT NULL);

CREATE UNIQUE INDEX account_verified_email ON "user".account USING btree (email) WHERE (email_verified_at IS NOT NULL);

CREATE INDEX factor_user_id ON "user".factor USING btree (user_id);

CREATE INDEX invitation_email ON "user".invitation USING btree (email) WHERE (email IS NOT NULL);

CREATE INDEX session_not_revoked ON "user".session USING btree (user_id, session_epoch, created_at, id) WHERE ((user_id IS NOT NULL) AND (revoked_at IS NULL));

CREATE INDEX session_user_id ON "user".session USING btree (user_id) WHERE (user_id IS NOT NULL);

ALTER INDEX platform.event_at ATTACH PARTITION private.event_other_at_idx;

ALTER INDEX platform.event_request_id ATTACH PARTITION private.event_other_expr_id_idx;

ALTER INDEX platform.event_lane ATTACH PARTITION private.event_other_lane_position_idx;

ALTER INDEX platform.event_pkey ATTACH PARTITION private.event_other_pkey;

ALTER INDEX platform.event_user_id ATTACH PARTITION private.event_other_user_id_id_idx;

ALTER TABLE ONLY platform.delivery_attempt
    ADD CONSTRAINT delivery_attempt_otp_id_fkey FOREIGN KEY (otp_id) REFERENCES platform.otp_transaction(id) ON DELETE CASCADE;

ALTER TABLE ONLY platform.guest_promotion
    ADD CONSTRAINT guest_promotion_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY platform.otp_transaction
    ADD CONSTRAINT otp_transaction_account_id_fkey FOREIGN KEY (account_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.earlier_phone
    ADD CONSTRAINT earlier_phone_account_id_fkey FOREIGN KEY (account_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.factor_challenge
    ADD CONSTRAINT factor_challenge_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.known_client
    ADD CONSTRAINT known_client_account_id_fkey FOREIGN KEY (account_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.phone_recovery
    ADD CONSTRAINT phone_recovery_account_id_fkey FOREIGN KEY (account_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY private.recovery_code
    ADD CONSTRAINT recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY settings.configuration
    ADD CONSTRAINT configuration_key_is_known FOREIGN KEY (key) REFERENCES private.setting_definition(key);

ALTER TABLE ONLY "user".factor
    ADD CONSTRAINT factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE ONLY "user".session
    ADD CONSTRAINT session_user_id_fkey FOREIGN KEY (user_id) REFERENCES "user".account(id) ON DELETE CASCADE;

ALTER TABLE migration.applied ENABLE ROW LEVEL SECURITY;

ALTER TABLE migration.fingerprint ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.delivery_attempt ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.event ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.event_delivery ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.event_subscription_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.guest_promotion ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.otp_transaction ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.rate_limit ENABLE ROW LEVEL SECURITY;

ALTER TABLE platform.send_decision ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.catalog_line ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.decoy_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.earlier_phone ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.event_base ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.event_lane ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.event_other ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.factor_challenge ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.guess_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.installation ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.known_client ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.pending_registration ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.phone_recovery ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.recovery_code ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.restore ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.send_count ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.setting_definition ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.signing_key ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.used_proof ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.verification_state ENABLE ROW LEVEL SECURITY;

ALTER TABLE private.worker_heartbeat ENABLE ROW LEVEL SECURITY;

ALTER TABLE settings.configuration ENABLE ROW LEVEL SECURITY;

ALTER TABLE settings.event_subscription ENABLE ROW LEVEL SECURITY;

ALTER TABLE "user".account ENABLE ROW LEVEL SECURITY;

ALTER TABLE "user".factor ENABLE ROW LEVEL SECURITY;

ALTER TABLE "user".invitation ENABLE ROW LEVEL SECURITY;

ALTER TABLE "user".session ENABLE ROW LEVEL SECURITY;

GRANT USAGE ON SCHEMA api TO latchkey_server;
GRANT USAGE ON SCHEMA api TO latchkey_graphql;

GRANT USAGE ON SCHEMA delivery TO latchkey_worker;

GRANT USAGE ON SCHEMA fraud TO latchkey_admin;

GRANT USAGE ON SCHEMA latchkey TO latchkey_guest;
GRANT USAGE ON SCHEMA latchkey TO latchkey_user;
GRANT USAGE ON SCHEMA latchkey TO latchkey_admin;
GRANT USAGE ON SCHEMA latchkey TO latchkey_application;
GRANT USAGE ON SCHEMA latchkey TO latchkey_graphql;

GRANT USAGE ON SCHEMA platform TO latchkey_guest;
GRANT USAGE ON SCHEMA platform TO latchkey_user;
GRANT USAGE ON SCHEMA platform TO latchkey_admin;

GRANT USAGE ON SCHEMA settings TO latchkey_admin;

GRANT USAGE ON SCHEMA startup TO latchkey_server;
GRANT USAGE ON SCHEMA startup TO latchkey_worker;
GRANT USAGE ON SCHEMA startup TO latchkey_graphql;

GRANT USAGE ON SCHEMA "user" TO latchkey_guest;
GRANT USAGE ON SCHEMA "user" TO latchkey_user;
GRANT USAGE ON SCHEMA "user" TO latchkey_admin;
