-- From these comments npm run generate -- api makes the server's types: "null: …" says that an attribute may be null,
-- and "one of …" which texts it may be.
comment on column api.session_answer.user_id is 'null: a guest';
comment on column api.session_answer.user_type is 'one of guest, user';
comment on column api.session_answer.role is 'one of guest, user: the role of the session''s tokens';
comment on column api.session_answer.amr is 'how the user signed in; null: a guest, or a session that the admin opened';
comment on column api.session_answer.authenticated_at is 'when the user signed in; null: as with amr';
comment on column api.session_answer.promoted_session_id is 'the guest session that this one replaces; null: none';
comment on column api.session_answer.restored is 'signing in has undone the deletion of the account';
comment on column api.session_answer.created is 'signing in has opened the account';

comment on column api.caller_answer.user_type is 'one of guest, user';
comment on column api.caller_answer.role is 'one of guest, user: the role of the session''s tokens';
comment on column api.caller_answer.user_id is 'null: a guest';
comment on column api.caller_answer.phone is 'null: a guest';
comment on column api.caller_answer.email is 'null: a guest, or an account without one';
comment on column api.caller_answer.deletion_due_at is 'when the account will be deleted; null: it will not, or there is none';

comment on column private.listed_session.client is 'the address that last refreshed or opened it; null: not known';
comment on column private.listed_session.user_agent is 'null: that client sent none';
comment on column private.listed_session.label is 'the name that the client gave it; null: none';

comment on column api.otp_answer.wait_seconds is 'how long to wait for its delivery; null: not at all';
comment on column api.reset_request_answer.otp_id is 'for the log alone; null: nothing is sent';
