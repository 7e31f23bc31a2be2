-- The clean-up reads pages, not this index, which each registration wrote.
drop index private.pending_registration_registered_at;

-- It returns something now, and a function's file cannot change that.
drop function if exists private.erase_traces("user".account);
