-- What a server reads of the whole installation for its metrics (api.measure), and what a worker counts its messages by.

create type private.measured_sends as (country text, provider text, sent integer, verified integer);
comment on type private.measured_sends is
  'SMS of a quarter of an hour that ended five minutes ago, by country and provider, and those of them whose code was used (api.measure)';
comment on column private.measured_sends.country is 'As of platform.send_decision';
comment on column private.measured_sends.provider is 'The last one that was tried; "none": no worker has passed the message on';

create type private.measured_verdicts as (verdict text, rule text, sends integer);
comment on type private.measured_verdicts is 'Decisions of the fraud rules in the last five minutes (api.measure)';
comment on column private.measured_verdicts.verdict is 'one of allowed, recorded, refused';
comment on column private.measured_verdicts.rule is 'The rule that objected; "none": allowed';

create type api.measurement_answer as (
  error api.error, jobs_due integer, jobs_later integer, oldest_job_ms integer, workers integer, able_workers integer,
  sends private.measured_sends[], verdicts private.measured_verdicts[]
);
comment on type api.measurement_answer is 'State of the whole installation (api.measure)';
comment on column api.measurement_answer.jobs_due is 'Jobs that a free worker would take now, 10000 at most';
comment on column api.measurement_answer.jobs_later is 'Jobs that wait for their time, 10000 at most';
comment on column api.measurement_answer.oldest_job_ms is 'For how long the oldest job that is due has waited, in milliseconds; 0 without one';
comment on column api.measurement_answer.workers is 'Workers with a recent heartbeat';
comment on column api.measurement_answer.able_workers is 'Those of them that can send';

alter type delivery.message add attribute country text;
comment on type delivery.message is
  'A message to send now, as one attempt by one provider. The body and the code are here and at the vendor only. options: of the provider '
  'for this phone, with the ids of this text. timeout_ms: how long the vendor may take. encoding: of the body as an SMS, GSM-7 or UCS-2. '
  'code: null for a notice. country: as of platform.send_decision, for metrics; null where no decision was made';
