begin;
select plan(7);
select ok(private.make_code(length) ~ ('^[0-9]{' || length || '}$'),
  'a code of ' || length || ' digits has ' || length || ' digits')
from (values (4), (6), (10)) l (length);
create temp table digit on commit drop as
  select substr(private.make_code(10), n, 1) as digit from generate_series(1, 200), generate_series(1, 10) n;
select is((select count(distinct digit)::integer from digit), 10, 'every digit occurs in codes');
select cmp_ok((select max(n) - min(n) from (select count(*) as n from digit group by digit) d), '<', 150::bigint,
  'every digit occurs about as often as any other');

-- Known bytes in place of the random source show how a byte becomes a digit.
create temp sequence byte_number;
create or replace function crypto.gen_random_bytes(integer) returns bytea volatile strict language sql
as $$
  select string_agg(
    set_byte('\x00', 0, (array[255, 250, 249, 0, 251, 13, 9, 254, 128])[mod(nextval('pg_temp.byte_number') - 1, 9) + 1]), '' order by n
  )
  from generate_series(1, $1) n
$$;
select is(private.make_code(5), '90398',
  'a digit is a byte modulo ten, and bytes from 250 on are skipped, so that all digits are equally likely');
alter sequence byte_number restart;
select is(private.make_code(20), '90398' || '90398' || '90398' || '90398', 'no random byte is used twice, and none is left out');

select * from finish();
rollback;
