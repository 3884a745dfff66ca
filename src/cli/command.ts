import { Problem } from '../http/problem.js';
import type { Options } from './options.js';

/** What a command has to say: to a person, or to a program. */
export interface Output {
  readonly text: string;
  readonly json: object;
  /** Something is not as it should be: the program ends with 1. */
  readonly failed?: boolean;
}

export interface Command {
  readonly name: string;
  /** The options as the help shows them. */
  readonly usage: string;
  readonly help: string;
  /** What stands behind the name without an option, one each, in this order; `FILE…` takes one or more. */
  readonly operands?: readonly string[];
  /** Names of the options; each takes a value and may be repeated. */
  readonly options: readonly string[];
  /** Names of options that take no value. */
  readonly flags?: readonly string[];
  /**
   * Reads the options before anything is opened.
   * @param json whether a program reads the output, for commands that say things while they run
   * @returns what does the work; it answers undefined when it has said everything already
   * @throws UsageError
   */
  readonly prepare: (options: Options, json: boolean) => () => Promise<Output | undefined>;
}

/** The operator named something that does not exist, or that does not work. */
export class CommandError extends Error {}

/** What the service refuses, it says in words that the operator can use as they are. */
export function refuseInWords(error: unknown): never {
  throw error instanceof Problem ? new CommandError(error.detail, { cause: error }) : error;
}
