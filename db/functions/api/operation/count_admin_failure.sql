create or replace function api.count_admin_failure(client text)
returns api.answer
language plpgsql volatile security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer api.answer;
begin
  v_answer.error := private.rate_limit_error(private.take_rate_limits(
    private.client_rules('ADMIN_FAILURES_PER_IP', count_admin_failure.client)
  ));
  return v_answer;
end
$$;

comment on function api.count_admin_failure(text) is
$$GraphQL, a wrong admin secret: counts it. The right secret is never counted, and never refused for the wrong ones.
client: address as limits count it, loopback addresses included. Errors: RATE_LIMIT_EXCEEDED (ADMIN_FAILURES_PER_IP).$$;
grant execute on function api.count_admin_failure(text) to latchkey_graphql;
