begin;
select plan(6);
select test.clean_slate();
create temp table session on commit drop as select kind, (test.open_session(null)).session_id as id
  from (values ('live'), ('ended lately'), ('ended'), ('revoked lately'), ('revoked')) s (kind);
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days' + interval '1 minute'
  from session k where k.id = s.id and k.kind = 'ended lately';
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'ended';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days' + interval '1 minute'
  from session k where k.id = s.id and k.kind = 'revoked lately';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'revoked';
select private.clean_up_sessions(0, 1000000);
select is((select count(*)::integer from "user".session s join session k on k.id = s.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('live', 1, 'a live session stays'),
  ('ended lately', 1, 'a session that expired less than 7 days ago stays'),
  ('ended', 0, 'a session that expired more than 7 days ago is deleted'),
  ('revoked lately', 1, 'a session that was revoked less than 7 days ago stays'),
  ('revoked', 0, 'a session that was revoked more than 7 days ago is deleted')
) x (kind, stays, description);

select test.set_setting('SESSION_RETENTION_DAYS', '1'), private.clean_up_sessions(0, 1000000);
select is((select array_agg(k.kind) from "user".session s join session k on k.id = s.id), array['live'],
  'SESSION_RETENTION_DAYS is the age from which ended sessions are deleted');

select * from finish();
rollback;
