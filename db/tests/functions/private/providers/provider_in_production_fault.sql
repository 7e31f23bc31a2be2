begin;
select plan(11);
select test.clean_slate();
create function pg_temp.fault(provider jsonb) returns text language plpgsql
as $$
begin
  -- Written where nothing is refused, as before the installation became one of production.
  update private.installation set production = false;
  perform test.set_setting('OTP_PROVIDER', '{"template": "{{code}}", "vonage": {"from": "Shop"}}' || provider);
  update private.installation set production = true;
  return private.provider_in_production_fault();
end
$$;

select is(pg_temp.fault('{"providerToUse": "vonage"}'), null, 'production accepts a vendor');
select is(pg_temp.fault('{"providerToUse": "console"}'), 'console is refused in production, because it writes codes to the worker''s standard output', 'and not console');
select matches(pg_temp.fault('{"providerToUse": "vonage", "fallback": ["console"]}'), '^console is refused', 'nor as a fallback');
select is(pg_temp.fault('{"providerToUse": "http", "http": {"url": "https://sms.example"}}'), null, 'production accepts https');
select is(pg_temp.fault('{"providerToUse": "http", "http": {"url": "http://sms.example"}}'), 'http.url must be https in production', 'and not http');
select is(pg_temp.fault('{"providerToUse": "vonage", "fallback": ["http"], "http": {"url": "http://sms.example"}}'), 'http.url must be https in production',
  'nor as a fallback');
select is(pg_temp.fault('{"providerToUse": "vonage", "http": {"url": "http://sms.example"}}'), null, 'the options of a provider that is not used do not matter');
update private.installation set production = false;
select is(private.provider_in_production_fault(), null, 'outside production console is for development');
update private.installation set production = true;
truncate settings.configuration;
select is(private.provider_in_production_fault(), null, 'no provider is no fault of a provider');

select is(pg_temp.fault('{"providerToUse": "vonage", "routes": {"+44": {"providerToUse": "console"}}}'), 'console is refused in production, because it writes codes to the worker''s standard output', 'nor is console by a route');
select is(pg_temp.fault('{"providerToUse": "vonage", "routes": {"+44": {"providerToUse": "http", "http": {"url": "http://sms.example"}}}}'), 'http.url must be https in production', 'nor http');
select * from finish();
rollback;
