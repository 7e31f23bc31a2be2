begin;
select plan(30);
select is(private.origins_fault(jsonb_build_array(origin)), null, origin || ' is an origin')
from unnest(array['https://app.example.com', 'https://example', 'https://xn--bcher-kva.example:8443', 'http://localhost', 'http://localhost:3000', 'https://localhost']) origin;
select is(private.origins_fault('[]'), null, 'there may be none');
select ok(private.origins_fault(jsonb_build_array(origin)) like 'must hold https origins %', origin::text || ' is not an origin')
from unnest(array['"http://app.example.com"', '"https://app.example.com/"', '"https://app.example.com/x"', '"https://APP.example.com"', '"app.example.com"',
  '"https://"', '"https://a b"', '"https://user@x"', '"https://x:0"', '"https://x:123456"', '"https://x."', '"https://-x"', '"https://[::1]"', '7', 'null', '"https://x\n"']::jsonb[]) origin;
select is(private.origins_fault(jsonb_build_array(repeat('x', 41))),
  'must hold https origins such as https://app.example.com, or http://localhost, not "' || repeat('x', 39), 'a long one is cut to 40 characters');
select is(private.origins_fault(value), 'must be an array of 100 origins at most', value::text || ' is refused')
from unnest(array['"https://app.example.com"', '{}']::jsonb[]) value;
select is(private.origins_fault((select jsonb_agg('https://x' || i) from generate_series(1, n) i)), fault, n || ' origins')
from (values (100, null), (101, 'must be an array of 100 origins at most')) t (n, fault);

select is(private.origins_fault(jsonb_build_array('https://' || repeat('x', n - 8))) is null, n = 255, 'an origin of ' || n || ' characters')
from unnest(array[255, 256]) n;

select * from finish();
rollback;
