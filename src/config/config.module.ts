import { existsSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../common/clock.js';
import { Config, readConfig } from './config.js';

/** Settings come from the environment, and from a file `.env` for those that it does not name. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/** What every module may ask for: the settings and the time. */
@Global()
@Module({
  providers: [
    { provide: Config, useFactory: loadConfig },
    { provide: Clock, useClass: SystemClock },
  ],
  exports: [Config, Clock],
})
export class ConfigModule {}
