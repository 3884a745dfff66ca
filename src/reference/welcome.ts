import { readFileSync } from 'node:fs';
import { NEWEST_API_VERSION } from '../common/api-version.js';

/** Version of the software, not of the API. */
export const SOFTWARE_VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

/** Links for people and programs. */
export const PLACES = {
  reference: {
    path: '/docs',
    title: 'Reference',
    help: 'Every operation, with examples to try.',
  },
  openapi: {
    path: '/docs/openapi.json',
    title: 'OpenAPI document',
    help: 'The same for programs that write clients.',
  },
  errors: { path: '/errors', title: 'Errors', help: 'What each one means, and what to do.' },
  changelog: {
    path: '/changelog',
    title: 'Changelog',
    help: 'What each version of the interface brought.',
  },
  portal: {
    path: '/portal',
    title: 'Portal',
    help: 'Orders, downloads, payouts and settings: for merchants, and for those who run the service.',
  },
  health: {
    path: '/health/ready',
    title: 'Health',
    help: 'Whether the service wants requests.',
  },
} as const;

/**
 * Description of the service as JSON.
 * @param publicUrl URL of the service without a trailing slash
 */
export const aboutService = (publicUrl: string): object => ({
  name: 'Payment orders',
  version: SOFTWARE_VERSION,
  apiVersion: NEWEST_API_VERSION,
  links: Object.fromEntries(
    Object.entries(PLACES).map(([name, { path }]) => [name, publicUrl + path]),
  ),
});
