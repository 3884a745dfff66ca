import path from 'node:path';
import { urlOf } from './variable.js';

/** Location of the data: a PostgreSQL server, or the embedded database in a folder or in memory. */
export type DatabaseLocation =
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** A connection pooler may run each transaction in another session. */
      readonly isPooled: boolean;
    }
  | {
      readonly kind: 'folder';
      readonly path: string;
      /** The process that has the folder, if there is one, is asked, instead of turned against. */
      readonly viaSocket?: boolean;
    }
  | { readonly kind: 'memory' };

export function parseDatabaseUrl(text: string): DatabaseLocation | undefined {
  if (text === 'memory:') return { kind: 'memory' };
  if (text.startsWith('file:') && text.length > 5) {
    return { kind: 'folder', path: path.resolve(text.slice(5)) };
  }
  return urlOf(text, ['postgres:', 'postgresql:']) === undefined ? undefined : serverAt(text);
}

/** The driver would pass an unknown parameter on to the server. */
function serverAt(text: string): DatabaseLocation | undefined {
  const url = new URL(text);
  const poolers = url.searchParams.getAll('pooler');
  if (poolers.length === 0) return { kind: 'postgres', url: text, isPooled: false };
  if (poolers.some((pooler) => pooler !== 'transaction')) return undefined;
  url.searchParams.delete('pooler');
  return { kind: 'postgres', url: url.href, isPooled: true };
}
