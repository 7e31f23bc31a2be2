begin;
select plan(7);
select test.clean_slate();
select test.open_session(null);
select lives_ok($$update "user".session set revoked_at = now() - interval '1 minute'$$, 'a session can be revoked');
select throws_ok($$update "user".session set revoked_at = null$$, '23514', 'a revocation only ever moves forward',
  'a revoked session cannot become live again');
select throws_ok($$update "user".session set revoked_at = now() - interval '1 hour'$$, '23514', null,
  'a revocation cannot be moved to an earlier time');
select lives_ok($$update "user".session set revoked_at = now()$$, 'a revocation can be moved to a later time');
select throws_ok(format('update "user".session set revoked_at = %L', moment), '23514', null, 'a session cannot be revoked at ' || moment)
from (values ('infinity'), ('-infinity'), ((now() + interval '2 minutes')::text)) m (moment);
select * from finish();
rollback;
