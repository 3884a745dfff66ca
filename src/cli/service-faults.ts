import { LiveRefusedError } from '../merchants/live-safety.js';
import { explain } from '../operations/start-fault.js';
import { LastOperatorError } from '../people/accounts.service.js';
import { CommandError } from './command.js';

/** Errors whose message is sufficient. */
const PLAIN = [CommandError, LiveRefusedError, LastOperatorError];

/** Message of an error of a command or of the service. */
export const faultText = (error: unknown): string =>
  PLAIN.some((known) => error instanceof known) ? (error as Error).message : explain(error);
