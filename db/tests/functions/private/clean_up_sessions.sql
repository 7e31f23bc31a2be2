begin;
select plan(5);
select test.clean_slate();
create temp table session on commit drop as select kind, (private.open_session(null)).session_id as id
  from (values ('live'), ('ended lately'), ('ended'), ('revoked lately'), ('revoked')) s (kind);
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days' + interval '1 second'
  from session k where k.id = s.id and k.kind = 'ended lately';
update "user".session s set refresh_token_expires_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'ended';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days' + interval '1 second'
  from session k where k.id = s.id and k.kind = 'revoked lately';
update "user".session s set revoked_at = clock_timestamp() - interval '7 days 1 second'
  from session k where k.id = s.id and k.kind = 'revoked';
select private.clean_up_sessions(0, 1000000);
select is((select count(*)::integer from "user".session s join session k on k.id = s.id and k.kind = x.kind), x.stays, x.description)
from (values
  ('live', 1, 'a live session stays'),
  ('ended lately', 1, 'one that ended within 7 days too'),
  ('ended', 0, 'one that ended before goes'),
  ('revoked lately', 1, 'one revoked within 7 days stays'),
  ('revoked', 0, 'one revoked before goes')
) x (kind, stays, description);

select * from finish();
rollback;
