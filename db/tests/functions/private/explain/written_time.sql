begin;
select plan(2);
set local timezone = 'Asia/Kolkata';
select is(private.written_time('2026-01-31 23:05:09.9+01'), '2026-01-31 22:05:09 UTC',
  'a moment is written in UTC, whatever the session''s time zone');
select is(private.written_time(null), null, 'no moment is written as null');

select * from finish();
rollback;
