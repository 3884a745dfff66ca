import { readConfig } from './config.js';

/**
 * Port of a demo that keeps running: `PORT`, the only environment variable that the demo uses.
 * @throws ConfigError
 */
export const portOfDemo = (): number => readConfig({ PORT: process.env['PORT'] }).port;
