-- A limit of hundreds of requests would rewrite an array of hundreds of times at each of them.
alter table platform.rate_limit add column totals bigint[] not null default '{0}';
update platform.rate_limit l set totals = array(select n::bigint from generate_series(0, cardinality(l.hits)) n);

comment on table platform.rate_limit is
  'Sliding windows: what was allowed lately. The key is the setting''s name, a colon and what is counted.';
comment on column platform.rate_limit.hits is
  'When requests were allowed, oldest first. Limits of more than 60 requests keep one entry per sixtieth of their period: its latest request';
comment on column platform.rate_limit.totals is
  'Running totals: totals[n + 1] - totals[n] requests are counted by hits[n]';
alter table platform.rate_limit
  add constraint rate_limit_totals_match_hits check (cardinality(totals) = cardinality(hits) + 1);

insert into private.setting_definition (key, kind, default_value, description) values
  ('LOGINS_PER_PHONE', 'limit or off', '"30/300"', 'Successful logins of one account');
insert into private.setting_in_force (key, value) values ('LOGINS_PER_PHONE', '"30/300"');
insert into settings.configuration (key, value) values ('LOGINS_PER_PHONE', '"30/300"');

-- On by default, now that a guest's limit costs no array of 600 times. "off" was the default before, so it is no operator's choice
-- unless the deployment's environment says so.
update private.setting_definition d
set default_value = '"600/60"', description = 'Guest sessions created by one client; loopback addresses are not counted'
where d.key = 'GUEST_PER_IP';
update private.setting_in_force s set value = '"600/60"'
where s.key = 'GUEST_PER_IP' and not exists (select from settings.configuration c where c.key = s.key);
update settings.configuration c set value = '"600/60"'
where c.key = 'GUEST_PER_IP' and c.value = '"off"'
  and not exists (select from private.environment_setting e where e.key = c.key);
