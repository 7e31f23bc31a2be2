-- A view with security_invoker: who reads it also needs EXECUTE on the function that makes its rows.
grant select on settings.setting to latchkey_admin;
