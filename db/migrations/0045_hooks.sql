-- Functions of the application that sign-in calls, where they exist.
create schema hook;
comment on schema hook is 'The application''s own functions that sign-in calls (docs/application-data.md#hooks). Latchkey puts nothing here.';
grant usage on schema hook to latchkey_hook;

alter type api.session_answer add attribute claims jsonb;
comment on column api.session_answer.claims is 'what hook.claims adds to the tokens; null: nothing';
