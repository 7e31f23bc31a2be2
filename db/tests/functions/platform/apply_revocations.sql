begin;
select plan(5);
select test.clean_slate();
create temp table own on commit drop as
  select s.session_id, n from generate_series(1, 3) n, lateral (select (test.open_session(null)).session_id where n > 0) s;
select private.revoke_session(session_id) from own where n = 1;
select is(platform.apply_revocations(array(select session_id from own where n < 3) || gen_random_uuid() || null::uuid), 1::bigint,
  'only what is live is revoked, and what does not exist is passed over');
select is((select count(*)::integer from "user".session where revoked_at is null), 1, 'another session stays');
select is(platform.apply_revocations(array(select session_id from own where n < 3)), 0::bigint, 'a second call revokes none');
select is(platform.apply_revocations('{}'), 0::bigint, 'nor does an empty list');
select is(platform.apply_revocations(null), 0::bigint, 'nor none');

select * from finish();
rollback;
