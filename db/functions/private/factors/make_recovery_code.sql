create or replace function private.make_recovery_code()
returns text
language sql volatile
set search_path = pg_catalog, pg_temp
as $$
  -- 32 divides 256, so each character is equally likely.
  select string_agg(substr(private.recovery_alphabet(), (get_byte(b.bytes, n) % 32) + 1, 1), '' order by n)
  from (select crypto.gen_random_bytes(private.recovery_code_length()) offset 0) b (bytes), generate_series(0, private.recovery_code_length() - 1) n
$$;

comment on function private.make_recovery_code() is
$$A recovery code of 50 bits from pgcrypto's cryptographic random source, in letters and digits that nobody confuses (Crockford's base 32).$$;
