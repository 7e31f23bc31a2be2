begin;
select plan(2);
select is(private.base64url('\xfbff'), '-_8', 'bytes have the alphabet of URLs and no padding');
select is(length(private.base64url(decode(repeat('ab', 100), 'hex'))), 134, 'long ones have no line breaks');
select * from finish();
rollback;
