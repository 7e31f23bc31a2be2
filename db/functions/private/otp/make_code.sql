create or replace function private.make_code(length integer)
returns text
language plpgsql volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  c_bytes constant integer := 16;
  v_code text := '';
  v_bytes bytea;
  v_byte integer;
begin
  while pg_catalog.length(v_code) < make_code.length loop
    v_bytes := crypto.gen_random_bytes(c_bytes);
    for v_position in 0 .. c_bytes - 1 loop
      exit when pg_catalog.length(v_code) = make_code.length;
      v_byte := get_byte(v_bytes, v_position);
      -- 250 to 255 are rejected: with them the digits 0 to 5 would be more likely than 6 to 9.
      if v_byte < 250 then
        v_code := v_code || (v_byte % 10);
      end if;
    end loop;
  end loop;
  return v_code;
end
$$;

comment on function private.make_code(integer) is
$$A one-time password of so many decimal digits, each value equally likely, from pgcrypto's cryptographic random source. 6 digits with
OTP_MAX_ATTEMPTS satisfy NIST SP 800-63B, which requires 20 bits of an out-of-band secret.$$;
