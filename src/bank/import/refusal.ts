import type { ImportResult } from './import.service.js';

const NO_LINES = { new: 0, known: 0, matched: 0, suggested: 0, unmatched: 0, notPayments: 0 };

/** Result for a file that was rejected as a whole. */
export const refusal = (file: string, sha256: Buffer | null, reason: string): ImportResult => ({
  file,
  sha256: sha256?.toString('hex') ?? null,
  format: null,
  result: 'refused',
  ...NO_LINES,
  warnings: [],
  reason,
});
