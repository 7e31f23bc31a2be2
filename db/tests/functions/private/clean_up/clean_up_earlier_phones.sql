begin;
select plan(1);
select test.clean_slate(), test.make_account('+12025550101');
insert into private.earlier_phone
  select a.id, '+1202555010' || n, clock_timestamp() - held, clock_timestamp() - asked from "user".account a,
  (values (2, interval '91 days', interval '92 days'), (3, '91 days', '89 days'), (4, '89 days', null), (5, null, '91 days')) k (n, held, asked);
select private.clean_up_earlier_phones(0, 1000000);
select is((select array_agg(phone order by phone) from private.earlier_phone), array['+12025550103', '+12025550104'],
  'an earlier phone is deleted when no row is left that it leads to');

select * from finish();
rollback;
