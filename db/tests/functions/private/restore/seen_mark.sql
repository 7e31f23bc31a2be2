begin;
select plan(8);
insert into private.installation (is_one) values (true) on conflict do nothing;
set local timezone = 'Asia/Tokyo';
select is(private.seen_mark(private.sign_mark('2026-11-28 20:00:00.123456+00')), '2026-11-28 20:00:00.123456+00', 'a mark is read as it was signed');
select is(private.seen_mark(null), null, 'none is none');
select is_empty(format('select %L::text where private.seen_mark(%L) is not null', t, t), left(t, 30) || ' is ignored')
from (values
  (''), ('x'), ('2026-11-28 20:00:00.123456Z'), ('2026-19-39 29:00:00.123456Z ' || repeat('0', 64)), ('2026-11-28 20:00:00.123456Z ' || repeat('0', 64)),
  (regexp_replace(private.sign_mark('2026-11-28 20:00:00.123456+00'), '^2026', '2027'))
) t (t);
select * from finish();
rollback;
