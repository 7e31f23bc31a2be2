-- A view with security_invoker: who reads it also needs EXECUTE on the function that makes its row.
grant select on platform.live_counters to latchkey_admin;
