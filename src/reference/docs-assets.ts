import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Compressible, compressible } from '../http/page.js';

const packages = createRequire(import.meta.url);

const ours = (file: string): URL => new URL(file, import.meta.url);

/** Assets of the documentation pages, with their source files. */
const FILES = {
  'docs.css': [ours('../http/assets/base.css'), ours('./assets/docs.css')],
  'docs.js': [ours('./assets/docs.js')],
  'swagger-ui.css': [packages.resolve('swagger-ui-dist/swagger-ui.css')],
  'swagger-ui-bundle.js': [packages.resolve('swagger-ui-dist/swagger-ui-bundle.js')],
} as const;

export type AssetName = keyof typeof FILES;

export const isAssetName = (name: string): name is AssetName => Object.hasOwn(FILES, name);

export interface Asset extends Compressible {
  readonly type: string;
  /** Contains a content hash, so browsers may cache it forever. */
  readonly href: string;
}

const loaded = new Map<AssetName, Promise<Asset>>();

/** Read and compressed once, on first use. */
export function asset(name: AssetName): Promise<Asset> {
  const known = loaded.get(name) ?? load(name);
  loaded.set(name, known);
  return known;
}

async function load(name: AssetName): Promise<Asset> {
  const plain = Buffer.concat(await Promise.all(FILES[name].map((file) => readFile(file))));
  return {
    type: `text/${name.endsWith('.css') ? 'css' : 'javascript'}; charset=utf-8`,
    ...(await compressible(plain)),
    href: `/docs/assets/${name}?v=${hash('sha256', plain).slice(0, 8)}`,
  };
}
