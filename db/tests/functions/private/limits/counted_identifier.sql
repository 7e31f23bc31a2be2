begin;
select plan(13);
select is(private.counted_identifier(typed), counted, typed || ' is counted as ' || counted)
from (values
  ('ada@example.com', 'ada@example.com'),
  ('ada+shop@example.com', 'ada@example.com'),
  ('Ada+a+b@Example.com', 'ada@example.com'),
  ('a.da@example.com', 'a.da@example.com'),
  ('a.d.a+shop@gmail.com', 'ada@gmail.com'),
  ('A.da@googlemail.com', 'ada@gmail.com'),
  ('a.da@gmail.com.example.com', 'a.da@gmail.com.example.com'),
  ('+@example.com', '+@example.com'),
  ('.+x@gmail.com', '.+x@gmail.com'),
  ('"a@b+c"@example.com', '"a@b@example.com'),
  ('+12025550101', '+12025550101'),
  ('2001:db8::', '2001:db8::')
) a (typed, counted);
select is(private.counted_identifier(null), null, 'none is none');

select * from finish();
rollback;
