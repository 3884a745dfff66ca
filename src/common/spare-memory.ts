/** Bytes, or characters, that leave so much behind that it is worth the pause: no usual bank file has as many. */
export const LEFT_MAX = 32_000_000;

/**
 * Gives back what the process holds and does not use: V8 keeps pages that it has emptied for as long as no
 * collection asks it to part with them, and by itself none does. Everybody waits for it, a tenth of a second.
 * Needs `--expose-gc`, with which `scripts/start` starts the service; without it nothing is done.
 */
export function releaseSpareMemory(): void {
  void globalThis.gc?.({ type: 'major', flavor: 'last-resort', execution: 'sync' });
}
