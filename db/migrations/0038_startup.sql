-- What each process asks before it starts, once for all of them.
create schema startup;
comment on schema startup is 'What a process asks before it starts: whether version, rights and pepper are its own.';
grant usage on schema startup to latchkey_server, latchkey_worker, latchkey_graphql;
