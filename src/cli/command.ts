import { Problem } from '../http/problems/problem.js';
import type { Options } from './options.js';
import { UnavailableError } from '../overload/errors.js';

/** Output of a command, as text and as JSON. */
export interface Output {
  readonly text: string;
  readonly json: object;
  /** A check failed: the exit code is 1. */
  readonly failed?: boolean;
}

export interface Command {
  readonly name: string;
  /** Options as shown in the help. */
  readonly usage: string;
  readonly help: string;
  /** Operands in order, one value each; `FILE…` takes one or more. */
  readonly operands?: readonly string[];
  /** Options with a value; they can be repeated. */
  readonly options: readonly string[];
  /** Options without a value. */
  readonly flags?: readonly string[];
  /**
   * Parses the options before anything is opened.
   * @param json whether output is JSON, for commands that print while they run
   * @returns the work; it returns undefined if it has printed everything itself
   * @throws UsageError
   */
  readonly prepare: (options: Options, json: boolean) => () => Promise<Output | undefined>;
}

/** The operator named something that does not exist or is not usable. */
export class CommandError extends Error {}

/** Converts problems of the service to messages for the operator. */
export function rethrowAsCommandError(error: unknown): never {
  if (error instanceof UnavailableError) throw new CommandError(error.message, { cause: error });
  throw error instanceof Problem ? new CommandError(error.detail, { cause: error }) : error;
}
