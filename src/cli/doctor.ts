import { brokenIn, type Examination } from '../database/doctor/doctor.js';
import type { PresentRules } from '../database/people/operating-rules.repository.js';
import type { Finding } from '../database/doctor/fact.js';
import type { Command, Output } from './command.js';
import { withServices } from './services.js';

export const doctorCommand: Command = {
  name: 'doctor',
  usage: '[--overdue]',
  help:
    'Proves on the rows themselves that the money is where it should be, and ends with 1 when it\n' +
    '      is not. It changes nothing. With --overdue it also looks for what is due and was not\n' +
    '      done, which is right while the service runs.',
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
  const verdict = `${holding} facts hold, ${broken.length} do not`;
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

/** No fault, but whoever reads the verdict should know it. */
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
  return `${fact.name} does not hold: ${fact.says}\n${lines.join('\n')}\n`;
}

const jsonOf = ({ fact: { name, says }, total, violations }: Finding) => ({
  fact: name,
  says,
  total,
  violations,
});
