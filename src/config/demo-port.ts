import { readConfig } from './config.js';

/**
 * Where a demo that stays listens: `PORT`, the only setting of the machine that it heeds.
 * @throws ConfigError
 */
export const portOfDemo = (): number => readConfig({ PORT: process.env['PORT'] }).port;
