begin;
select plan(4);
select test.clean_slate();
select private.open_session(null);
select lives_ok($$update "user".session set revoked_at = now() - interval '1 minute'$$, 'a session can be revoked');
select throws_ok($$update "user".session set revoked_at = null$$, '23514', 'a revocation only ever moves forward',
  'a revoked session cannot become live again');
select throws_ok($$update "user".session set revoked_at = now() - interval '1 hour'$$, '23514', null,
  'a revocation cannot be moved to an earlier time');
select lives_ok($$update "user".session set revoked_at = now()$$, 'a revocation can be moved to a later time');
select * from finish();
rollback;
