create or replace function platform.explain_refusal(request_id text)
returns setof platform.delivery_event
language plpgsql stable security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  c_most constant integer := 100;
begin
  return query
  with refused as materialized (
    select e from platform.event e
    where e.data ? 'request_id' and e.data ->> 'request_id' = explain_refusal.request_id
    order by e.id desc limit c_most
  ),
  send as (
    select d from platform.send_decision d where d.request_id = explain_refusal.request_id order by d.id desc limit c_most
  ),
  otp as (
    select distinct ((e).data ->> 'otp_id')::uuid as id from refused where (e).data ? 'otp_id'
  ),
  account as (
    select distinct (e).user_id as id from refused where (e).user_id is not null
  ),
  event as (
    select x.* from refused, private.explain_refused(refused.e) x
    union all
    select x.* from send, private.explain_refused_send(send.d) x
    union all
    select x.* from otp, private.explain_decision(otp.id) x
    union all
    select x.* from otp, private.explain_attempts(otp.id) x
    union all
    select x.* from account, private.explain_blocks(account.id) x
  )
  select latest.* from (select e.* from event e order by e.at desc, e.what limit c_most) latest
  order by latest.at, latest.what;
  if not found then
    return query select x.* from private.explain_unknown_request(explain_refusal.request_id) x;
  end if;
end
$$;

comment on function platform.explain_refusal(text) is
$$Query explain_refusal: what refused a request and why, in order of time, at most 100 rows. For the admin and its support staff:
npm run explain -- --request. Where nothing is stored of it, one row says why that can be. request_id: the X-Request-Id of the answer. A client
may choose it, so it may belong to several requests, which are all shown.$$;
grant execute on function platform.explain_refusal(text) to latchkey_admin;
