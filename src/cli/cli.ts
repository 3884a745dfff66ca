import { parseArgs } from 'node:util';
import { StatementRefusedError } from '../bank-statements/refused.js';
import { writePrivateFiles } from '../common/private-folder.js';
import type { Command } from './command.js';
import { operandsOf, Options, UsageError } from './options.js';
import { STATEMENT_COMMANDS } from './statements.js';

/** Exit codes: failure, and invalid usage. */
const FAILED = 1;
const MISUSED = 2;

/** No option takes a secret, since arguments are visible to all users of the machine. */
const TYPED_KEY =
  '--api-key would show the key to every user of this machine: give it as API_KEY in the environment, and end a key that was typed.';

const PROGRAM = 'npm run --silent cli --';
const usageOf = ({ name, usage }: Command): string => `${name} ${usage}`.trimEnd();

/** Commands that need the service, which takes a second and 100 MB to load. */
const serviceCommands = async (): Promise<readonly Command[]> =>
  (await import('./commands.js')).COMMANDS;

async function help(): Promise<string> {
  const commands = [...(await serviceCommands()), ...STATEMENT_COMMANDS];
  return `${PROGRAM} COMMAND [--json]

${commands.map((command) => `  ${usageOf(command)}\n      ${command.help}`).join('\n')}
  help
      Shows this.

With --json, standard output is one JSON object, or one a line while a command goes on. The settings are those of the service.`;
}

async function run(args: readonly string[]): Promise<void> {
  if (args[0] === 'help' || args.includes('--help')) return console.log(await help());
  if (args.some((each) => /^--api-key(?:=|$)/.test(each))) throw new UsageError(TYPED_KEY);
  const command = await find(args);
  if (!command) throw new UsageError(unknownCommand(args));
  const { json, options } = parse(command, args);
  const output = await command.prepare(options, json)();
  if (output) console.log(json ? JSON.stringify(output.json) : output.text);
  if (output?.failed) process.exitCode = FAILED;
}

function parse({ name, options, operands = [], flags = [] }: Command, args: readonly string[]) {
  const many = { type: 'string', multiple: true } as const;
  const alone = { type: 'boolean' } as const;
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: operands.length > 0,
      args: args.slice(name.split(' ').length),
      options: Object.fromEntries([
        ...options.map((option) => [option, many] as const),
        ...['json', ...flags].map((flag) => [flag, alone] as const),
      ]),
    });
    const { json = false, ...given } = values as Record<string, string[] | boolean>;
    return { json: json === true, options: new Options(given, operandsOf(operands, positionals)) };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError((error as Error).message.split('. ')[0], { cause: error });
  }
}

function unknownCommand(args: readonly string[]): string {
  const words = args.slice(0, 2).filter((word) => !word.startsWith('-'));
  return words.length === 0 ? 'A command is missing.' : `There is no command "${words.join(' ')}".`;
}

async function find(args: readonly string[]): Promise<Command | undefined> {
  const isMeant = ({ name }: Command) => `${args.join(' ')} `.startsWith(`${name} `);
  return STATEMENT_COMMANDS.find(isMeant) ?? (await serviceCommands()).find(isMeant);
}

async function report(error: unknown, args: readonly string[]): Promise<void> {
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
  if (error instanceof StatementRefusedError) return console.error(error.message);
  if (!(error instanceof UsageError)) {
    return console.error((await import('./service-faults.js')).faultText(error));
  }
  const command = await find(args);
  const usage = command ? `Usage: ${PROGRAM} ${usageOf(command)}` : await help();
  console.error(`${error.message}\n\n${usage}`);
}

writePrivateFiles();
const args = process.argv.slice(2);
await run(args).catch((error: unknown) => report(error, args));
