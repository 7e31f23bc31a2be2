begin;
select plan(44);
-- OTP_APP_HASHES
select is(private.setting_fault('OTP_APP_HASHES', value::jsonb), null, value || ' is valid') from (values ('[]'), ('["FA+9qCX9VSu", "abc/efghij1"]')) v (value);
select ok(private.setting_fault('OTP_APP_HASHES', jsonb_build_array(hash)) like 'must hold hashes of apps, 11 characters%', hash::text || ' is not a hash')
from unnest(array['"FA+9qCX9VS"', '"FA+9qCX9VSuu"', '"FA-9qCX9VSu"', '""', '7', 'null', '"FA+9qCX9VSu\n"']::jsonb[]) hash;
select is(private.setting_fault('OTP_APP_HASHES', value), 'must be an array of 100 hashes at most', value::text || ' is refused')
from unnest(array['"FA+9qCX9VSu"', '{}']::jsonb[]) value;
select is(private.setting_fault('OTP_APP_HASHES', (select jsonb_agg(lpad(i::text, 11, 'a')) from generate_series(1, n) i)), fault, n || ' hashes')
from (values (100, null), (101, 'must be an array of 100 hashes at most')) t (n, fault);
select is(private.setting_fault('OTP_APP_HASHES', jsonb_build_array(repeat('x', 41))),
  'must hold hashes of apps, 11 characters of base64 each, not "' || repeat('x', 39), 'a long one is cut to 40 characters');

-- OTP_ORIGINS
select is(private.setting_fault('OTP_ORIGINS', jsonb_build_array(origin)), null, origin || ' is an origin')
from unnest(array['https://app.example.com', 'https://example', 'https://xn--bcher-kva.example:8443', 'http://localhost', 'http://localhost:3000', 'https://localhost']) origin;
select is(private.setting_fault('OTP_ORIGINS', '[]'), null, 'there may be none');
select ok(private.setting_fault('OTP_ORIGINS', jsonb_build_array(origin)) like 'must hold https origins %', origin::text || ' is not an origin')
from unnest(array['"http://app.example.com"', '"https://app.example.com/"', '"https://app.example.com/x"', '"https://APP.example.com"', '"app.example.com"',
  '"https://"', '"https://a b"', '"https://user@x"', '"https://x:0"', '"https://x:123456"', '"https://x."', '"https://-x"', '"https://[::1]"', '7', 'null', '"https://x\n"']::jsonb[]) origin;
select is(private.setting_fault('OTP_ORIGINS', jsonb_build_array(repeat('x', 41))),
  'must hold https origins such as https://app.example.com, or http://localhost, not "' || repeat('x', 39), 'a long one is cut to 40 characters');
select is(private.setting_fault('OTP_ORIGINS', value), 'must be an array of 100 origins at most', value::text || ' is refused')
from unnest(array['"https://app.example.com"', '{}']::jsonb[]) value;
select is(private.setting_fault('OTP_ORIGINS', (select jsonb_agg('https://x' || i) from generate_series(1, n) i)), fault, n || ' origins')
from (values (100, null), (101, 'must be an array of 100 origins at most')) t (n, fault);
select is(private.setting_fault('OTP_ORIGINS', jsonb_build_array('https://' || repeat('x', n - 8))) is null, n = 255, 'an origin of ' || n || ' characters')
from unnest(array[255, 256]) n;

select * from finish();
rollback;
