begin;
select plan(4);
create function pg_temp.signed(flags integer, counter text) returns private.signed_passkey language sql
as $$ select private.signed_passkey(decode(repeat('ab', 32) || lpad(to_hex(flags), 2, '0') || counter || 'ffff', 'hex')) $$;
select is(pg_temp.signed(1, '00000000'), row(0, false, false, false)::private.signed_passkey, 'a person was there, and no more');
select is(pg_temp.signed(5, '00000102'), row(258, true, false, false)::private.signed_passkey, 'it was verified');
select is(pg_temp.signed(9, 'ffffffff'), row(4294967295, false, true, false)::private.signed_passkey, 'the passkey may be copied; the counter has no sign');
select is(pg_temp.signed(24, '80000000'), row(2147483648, false, true, true)::private.signed_passkey, 'and was');
select * from finish();
rollback;
