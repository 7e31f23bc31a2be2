-- A view has no policies: it runs with its reader's rights, under the policies of the tables that it reads.
grant select on platform.event_backlog to latchkey_admin;
