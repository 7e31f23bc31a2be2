begin;
select plan(2);
-- runtime/database/notifications.test.ts has the same pair.
select is(private.notification_digest('00000000-0000-7000-8000-00000000002a'), 'f71617611ee0efa8425273aa86e0fd05', 'a digest is that of the id''s bytes');
select isnt(private.notification_digest('00000000-0000-7000-8000-00000000002b'), 'f71617611ee0efa8425273aa86e0fd05', 'another id has another digest');
select * from finish();
rollback;
