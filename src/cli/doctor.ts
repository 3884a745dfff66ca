import { brokenIn, type Examination } from '../database/doctor/doctor.js';
import type { PresentRules } from '../database/people/operating-rules.repository.js';
import type { Finding } from '../database/doctor/fact.js';
import type { Command, Output } from './command.js';
import { withServices } from './services.js';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--overdue]',
  help:
    'Runs the consistency checks on the database, and ends with 1 when one fails. It changes\n' +
    '      nothing. With --overdue it also checks for overdue work, which should only be done\n' +
    '      while the service runs.',
  options: [],
  flags: ['overdue'],
  prepare: (options) => {
    const overdue = options.flag('overdue');
    return () =>
      withServices(async ({ doctor, operatingRules }) =>
        outputOf(await doctor.examine({ overdue }), await operatingRules.read()),
      );
  },
};

function outputOf(examination: Examination, rules: PresentRules): Output {
  const { findings, seconds } = examination;
  const broken = brokenIn(examination);
  const holding = findings.length - broken.length;
  const verdict = `${holding} checks passed, ${broken.length} failed`;
  return {
    text: [...broken.map(textOf), ...notesOf(rules), verdict].join('\n'),
    json: {
      facts: findings.length,
      broken: broken.length,
      seconds: Math.round(seconds * 100) / 100,
      singleOperator: rules.isAlone,
      findings: broken.map(jsonOf),
    },
    failed: broken.length > 0,
  };
}

/** Notes about the operating rules, which are not errors. */
function notesOf({ singleOperator, isAlone, waitingHours }: PresentRules): string[] {
  if (isAlone)
    return [`Single operator: an approval waits ${waitingHours} hours instead of a second person.`];
  return singleOperator
    ? ['SINGLE_OPERATOR changes nothing: another operator can sign in, and approves instead.']
    : [];
}

function textOf({ fact, total, violations }: Finding): string {
  const lines = violations.map(
    ({ merchantId, subject, detail }) =>
      `  ${subject}: ${detail}${merchantId ? ` (merchant ${merchantId})` : ''}`,
  );
  const more = total - violations.length;
  if (more > 0) lines.push(`  and ${more} more`);
  return `${fact.name} failed: ${fact.description}\n${lines.join('\n')}\n`;
}

const jsonOf = ({ fact: { name, description }, total, violations }: Finding) => ({
  fact: name,
  description,
  total,
  violations,
});
