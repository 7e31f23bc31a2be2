begin;
select plan(8);
select ok(
  not exists (select from generate_series(1, 50) n where private.event_retry_wait(w.attempts + 0 * n) not between w.usual * 0.8 and w.usual * 1.2),
  format('after %s failures about %s', attempts, usual)
)
from (values (1, interval '5 s'), (2, interval '15 s'), (3, interval '45 s'), (6, interval '1215 s'), (7, interval '1 hour'), (100000, interval '1 hour')) w (attempts, usual);
select cmp_ok((select count(distinct private.event_retry_wait(7 + 0 * n)) from generate_series(1, 50) n), '>', 25::bigint, 'not all at the same time');
select ok((select sum(private.event_retry_wait(n)) > interval '1 day' from generate_series(1, 40) n), 'a day has at most forty attempts');
select * from finish();
rollback;
