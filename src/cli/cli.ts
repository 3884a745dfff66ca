import { parseArgs } from 'node:util';
import { LiveRefusedError } from '../merchants/api-keys.service.js';
import { explain } from '../operations/start-fault.js';
import { LastOperatorError } from '../people/accounts.service.js';
import { type Command, CommandError } from './command.js';
import { COMMANDS } from './commands.js';
import { Options, UsageError } from './inputs.js';

/** Exit codes: something went wrong, and the command was typed wrong. */
const FAILED = 1;
const MISUSED = 2;

const PROGRAM = 'npm run --silent cli --';
const usageOf = ({ name, usage }: Command): string => `${name} ${usage}`.trimEnd();

const HELP = `${PROGRAM} COMMAND [--json]

${COMMANDS.map((command) => `  ${usageOf(command)}\n      ${command.help}`).join('\n')}
  help
      Shows this.

With --json, standard output is one JSON object, or one a line while a command goes on. The settings are those of the service.`;

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'help' || args.includes('--help')) return console.log(HELP);
  const command = find(args);
  if (!command) throw new UsageError(unknownCommand(args));
  const { json, options } = parse(command, args);
  const output = await command.prepare(options, json)();
  if (output) console.log(json ? JSON.stringify(output.json) : output.text);
  if (output?.failed) process.exitCode = FAILED;
}

function parse({ name, options, flags = [] }: Command, args: readonly string[]) {
  const many = { type: 'string', multiple: true } as const;
  const alone = { type: 'boolean' } as const;
  try {
    const { values } = parseArgs({
      args: args.slice(name.split(' ').length),
      options: Object.fromEntries([
        ...options.map((option) => [option, many] as const),
        ...['json', ...flags].map((flag) => [flag, alone] as const),
      ]),
    });
    const { json = false, ...given } = values as Record<string, string[] | boolean>;
    return { json: json === true, options: new Options(given) };
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error });
  }
}

function unknownCommand(args: readonly string[]): string {
  const words = args.slice(0, 2).filter((word) => !word.startsWith('-'));
  return words.length === 0 ? 'A command is missing.' : `There is no command "${words.join(' ')}".`;
}

const find = (args: readonly string[]): Command | undefined =>
  COMMANDS.find(({ name }) => `${args.join(' ')} `.startsWith(`${name} `));

/** What says all that there is to say. */
const PLAIN = [CommandError, LiveRefusedError, LastOperatorError];

function report(error: unknown, args: readonly string[]): void {
  const isUsage = error instanceof UsageError;
  const isPlain = isUsage || PLAIN.some((known) => error instanceof known);
  console.error(isPlain ? (error as Error).message : explain(error));
  if (isUsage) {
    const command = find(args);
    console.error(command ? `\nUsage: ${PROGRAM} ${usageOf(command)}` : `\n${HELP}`);
  }
  process.exitCode = isUsage ? MISUSED : FAILED;
}

const args = process.argv.slice(2);
await run(args).catch((error: unknown) => report(error, args));
