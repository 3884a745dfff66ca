import { readFileSync } from 'node:fs';
import { NEWEST_API_VERSION } from '../http/api-version.js';

/** Of the software; that of the interface is another one. */
export const SOFTWARE_VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  }
).version;

/** Where everything is that the service has for people and their programs. */
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
 * The service in words that a program understands.
 * @param publicUrl the service's address, without a slash at its end
 */
export const aboutService = (publicUrl: string): object => ({
  name: 'Payment orders',
  version: SOFTWARE_VERSION,
  apiVersion: NEWEST_API_VERSION,
  links: Object.fromEntries(
    Object.entries(PLACES).map(([name, { path }]) => [name, publicUrl + path]),
  ),
});
