import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const packages = createRequire(import.meta.url);

/** Files that the documents load, and nothing else of their folders. */
const FILES = {
  'docs.css': new URL('./assets/docs.css', import.meta.url),
  'docs.js': new URL('./assets/docs.js', import.meta.url),
  'swagger-ui.css': packages.resolve('swagger-ui-dist/swagger-ui.css'),
  'swagger-ui-bundle.js': packages.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
} as const;

export type AssetName = keyof typeof FILES;

export const isAssetName = (name: string): name is AssetName => Object.hasOwn(FILES, name);

export interface Asset {
  readonly type: string;
  readonly plain: Buffer;
  readonly gzipped: Buffer;
  /** Changes with the content, so browsers may keep it for ever. */
  readonly href: string;
}

const loaded = new Map<AssetName, Promise<Asset>>();

/** Read and compressed once, when first asked for. */
export function asset(name: AssetName): Promise<Asset> {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
}

async function load(name: AssetName): Promise<Asset> {
  const plain = await readFile(FILES[name]);
  return {
    type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
    plain,
    gzipped: await promisify(gzip)(plain),
    href: `/docs/assets/${name}?v=${hash('sha256', plain).slice(0, 8)}`,
  };
}
