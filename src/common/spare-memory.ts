/** Bytes or characters from which releasing memory justifies the pause; usual bank files have fewer. */
export const LEFT_MAX = 32_000_000;

/**
 * Releases unused memory of the process: V8 keeps emptied pages until a full collection, which it does not start by
 * itself. Blocks the process for a tenth of a second. Needs `--expose-gc`, as set by `scripts/start`; otherwise does
 * nothing.
 */
export function releaseSpareMemory(): void {
  void globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
