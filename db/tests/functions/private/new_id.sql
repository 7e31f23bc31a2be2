begin;
select plan(5);
create temp table id on commit drop as select n, private.new_id() as id from generate_series(1, 1000) n;
select ok((select bool_and(id::text ~ '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$') from id),
  'an id is a UUID of version 7 and of RFC 9562''s variant');
select is((select count(distinct id)::integer from id), 1000, 'a thousand ids are all different');
select ok((select abs(('x' || substr(replace(private.new_id()::text, '-', ''), 1, 12))::bit(48)::bigint - extract(epoch
    from clock_timestamp()) * 1000) < 1000),
  'an id starts with the current time in milliseconds');
select ok((select bool_and(moment >= before) from (
    select left(id::text, 13) as moment, coalesce(lag(left(id::text, 13)) over (order by n), '') as before from id) i),
  'later ids sort after earlier ones, to the millisecond');
select cmp_ok((select count(distinct right(id::text, 17))::integer from id), '=', 1000, 'the rest of an id is random');

select * from finish();
rollback;
