import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Config } from '../config/config.js';
import { Durability } from './connection/durability.js';
import { ServerTime } from './connection/server-time.js';
import { DatabaseCopy } from './copy/copy.js';
import { type Connection, connectionOf, dataSourceOptions } from './data-source.js';
import { CONNECTION, Database } from './database.js';
import * as entities from './entities.js';
import { limitedRepository } from './limited-repository.js';
import { Doctor } from './doctor/doctor.js';
import { JobScheduler } from './jobs/job-scheduler.js';
import * as repositories from './repositories.js';
import { WorkerEligibility } from './schema/worker-eligibility.js';
import { TableStatistics } from './schema/table-statistics.js';
import { migrate, MIGRATION_WAIT_MS } from './schema/migrate.js';

const PROVIDERS = [
  Database,
  DatabaseCopy,
  Doctor,
  Durability,
  WorkerEligibility,
  JobScheduler,
  ServerTime,
  TableStatistics,
  ...Object.values(repositories),
];

/** Providers for `@InjectRepository`. */
const TABLES = Object.values(entities).map((entity) => ({
  provide: getRepositoryToken(entity),
  inject: [Database],
  useFactory: (database: Database) => limitedRepository<object>(database, entity),
}));

/** Closes the embedded database last, because other services still write during shutdown. */
@Injectable()
class ConnectionOwner implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly connection: Connection) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.connection.kind === 'embedded') await this.connection.close();
  }
}

/** Injecting it ensures that migrations are complete. */
const MIGRATED = Symbol('migrated');

@Global()
@Module({
  providers: [
    { provide: CONNECTION, inject: [Config], useFactory: connectionOf },
    {
      provide: MIGRATED,
      inject: [CONNECTION],
      useFactory: (connection: Connection) => migrate(connection, MIGRATION_WAIT_MS.start),
    },
    ConnectionOwner,
  ],
  exports: [CONNECTION, MIGRATED],
})
class ConnectionModule {}

/** The repository layer that all modules share. */
@Global()
@Module({
  imports: [
    ConnectionModule,
    TypeOrmModule.forRootAsync({
      inject: [CONNECTION, MIGRATED, Config],
      useFactory: (connection: Connection, _migrated: unknown, config: Config) => ({
        ...dataSourceOptions(connection, config.databasePool),
        toRetry: () => false,
      }),
    }),
  ],
  providers: [...PROVIDERS, ...TABLES],
  exports: PROVIDERS,
})
export class DatabaseModule {}
