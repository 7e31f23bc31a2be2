-- What the operator console reads of sign-ins, and of what SECOND_FACTOR would do.

create type platform.sign_ins_in_hour as (hour timestamptz, amr text[], sign_ins integer);
comment on type platform.sign_ins_in_hour is
  'Sign-ins of users in an hour (UTC), by how they were done (platform.sign_ins_by_hour). amr: as of "user".session';

create type settings.second_factor_preview as (accounts integer, affected integer, live_sessions integer, is_complete boolean);
comment on type settings.second_factor_preview is
  'Whom a value of SECOND_FACTOR concerns (settings.preview_second_factor). accounts: that were looked at; is_complete: they are all accounts. '
  'affected: those of them that it concerns; live_sessions: of these';
