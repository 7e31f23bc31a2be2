-- A fraud rule by the type of the number: a premium-rate number costs, and a pager receives no code.
insert into private.setting_definition (key, kind, default_value, minimum, maximum, description) values
  ('FRAUD_NUMBER_TYPES', 'fraud rule',
   '{"mode": "record", "types": ["PREMIUM_RATE", "SHARED_COST", "PAGER", "UAN", "VOICEMAIL"], "exempt": []}', null, null,
   'Types of numbers to which no SMS is sent, as libphonenumber names them');
insert into settings.configuration (key, value) values
  ('FRAUD_NUMBER_TYPES', '{"mode": "record", "types": ["PREMIUM_RATE", "SHARED_COST", "PAGER", "UAN", "VOICEMAIL"], "exempt": []}');

alter type fraud.send_facts add attribute number_type text;
alter table platform.send_decision add column number_type text
  constraint send_decision_number_type_is_a_name check (number_type ~ '^[A-Z_]{1,30}$');
comment on column platform.send_decision.number_type is
  'Type of the phone by its numbering plan, as libphonenumber names it; INVALID: no plan has the number; null: a notice or test message, or '
  'decided by an earlier version';
