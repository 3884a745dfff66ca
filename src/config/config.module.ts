import { existsSync } from 'node:fs';
import { Global, Module } from '@nestjs/common';
import { Clock, SystemClock } from '../common/time/clock.js';
import { Config, readConfig } from './config.js';

/** Reads the environment. A file `.env` provides variables that are not set there. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
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
