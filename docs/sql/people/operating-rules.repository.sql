-- operating_rules
SELECT
  single_operator AS "singleOperator",
  waiting_hours AS "waitingHours",
  changed_at AS "changedAt",
  lone_operator_since () IS NOT NULL AS "isAlone"
FROM
  operating_rules;
