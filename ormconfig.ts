import { DataSource } from 'typeorm';
import { loadConfig } from './src/config/config.module.js';
import { connectionOf, dataSourceOptions } from './src/database/data-source.js';

/** The data source for the TypeORM command line; all of its settings are in src/database. */
const config = loadConfig();
export const dataSource = new DataSource(
  dataSourceOptions(await connectionOf(config), config.databasePool),
);
