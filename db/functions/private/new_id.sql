create or replace function private.new_id()
returns uuid
language plpgsql volatile parallel safe
set search_path = pg_catalog, pg_temp
as $$
begin
  -- 48 bits of milliseconds replace the first random bits of a version 4 id; bits 52 and 53 change its version to 7.
  return encode(
    set_bit(set_bit(
      overlay(uuid_send(gen_random_uuid())
        placing substring(int8send(floor(extract(epoch from clock_timestamp()) * 1000)::bigint) from 3)
        from 1 for 6),
      52, 1), 53, 1),
    'hex')::uuid;
end
$$;

comment on function private.new_id() is
$$A new time-ordered id: UUID version 7 (RFC 9562), so that indexes of growing tables are appended to. Own code, because PostgreSQL has
uuidv7() only from version 18. Not a secret: it reveals when it was made.$$;
