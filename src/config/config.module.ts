import { chmodSync, statSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { isKeptFromOthers } from '../common/own-files.js';
import { Clock, SystemClock } from '../common/time/clock.js';
import { Config, ConfigError, readConfig } from './config.js';

const FILE = '.env';

/**
 * Reads the environment. A file `.env` provides variables that are not set there.
 * @throws ConfigError
 */
export function loadConfig(): Config {
  if (isPrivateFile()) process.loadEnvFile(FILE);
  return readConfig(process.env);
}

/**
 * Makes the file, which has passwords, private, unless the file system is read-only.
 * @returns whether there is one
 */
function isPrivateFile(): boolean {
  const found = statSync(FILE, { throwIfNoEntry: false });
  if (!found) return false;
  const isOwn = found.uid === process.geteuid?.();
  if (!isOwn && !isKeptFromOthers(found))
    throw new ConfigError([
      `${FILE} belongs to another user of this host, or others can change it`,
    ]);
  try {
    if (isOwn) chmodSync(FILE, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EROFS') throw error;
  }
  return true;
}

/** Settings and clock, available to every module. */
@Global()
@Module({
  providers: [
    { provide: Config, useFactory: loadConfig },
    { provide: Clock, useClass: SystemClock },
  ],
  exports: [Config, Clock],
})
export class ConfigModule {}
