begin;
select plan(5);
select test.clean_slate();
select test.make_decision('{"otp_id": "00000000-0000-7000-8000-000000000001", "at": "2026-03-04T10:20:30Z"}'), test.make_decision();
select private.verify_send('00000000-0000-7000-8000-000000000001');
select is((select count(*)::integer from platform.send_decision where verified_at is not null), 1, 'the decision of the code is verified, and no other');
select is((select array_agg(test.count(subject, period, '2026-03-04T10:20:30Z')) from (values ('all', 'hour'), ('country:US', 'hour'),
    ('country:US', 'day'), ('client:192.0.2.1', 'hour'), ('client:192.0.2.1', 'day')) c (subject, period)),
  '{0 1,0 1,0 1,0 1,0 1}', 'it is counted in the hour and day of the send');
update platform.send_decision set verified_at = '2026-03-04T10:30:00Z' where verified_at is not null;
select private.verify_send('00000000-0000-7000-8000-000000000001');
select is(test.count('all', 'hour', '2026-03-04T10:00:00Z'), '0 1', 'a second call counts nothing');
select is((select max(verified_at) from platform.send_decision), '2026-03-04T10:30:00Z', 'a second call keeps the time');
select lives_ok('select private.verify_send(gen_random_uuid())', 'an unknown one-time password is no error');

select * from finish();
rollback;
