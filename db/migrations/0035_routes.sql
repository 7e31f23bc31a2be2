-- OTP_PROVIDER has routes: another vendor, sender or channel for the phones of a calling code.
alter table platform.delivery_attempt add column route text
  constraint delivery_attempt_route_is_a_calling_code check (route ~ '^\+[1-9][0-9]{0,7}$');
comment on column platform.delivery_attempt.route is
  'The calling code in routes of OTP_PROVIDER by which the provider and its options were chosen; null: none';
