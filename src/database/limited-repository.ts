import type { ObjectLiteral, Repository } from 'typeorm';
import type { Work } from '../overload/connection-limiter.js';
import type { Database } from './database.js';

const READS = [
  'find',
  'findBy',
  'findOne',
  'findOneBy',
  'count',
  'countBy',
  'exists',
  'existsBy',
] as const;
const WRITES = ['insert', 'update', 'delete'] as const;

type Method = (typeof READS)[number] | (typeof WRITES)[number];

/** The methods of TypeORM's repository that run a single statement. */
export type LimitedRepository<Entity extends ObjectLiteral> = Pick<Repository<Entity>, Method>;

/**
 * The repository for `@InjectRepository`. TypeORM's own bypasses the limiter; here each call is queued, limited,
 * retried and fails with a UnavailableError as in `Database.query`.
 */
export function limitedRepository<Entity extends ObjectLiteral>(
  database: Database,
  entity: new () => Entity,
): LimitedRepository<Entity> {
  const through = (work: Work, methods: readonly Method[]) =>
    methods.map((method) => [
      method,
      (...args: never[]) =>
        database.entities(async (manager): Promise<unknown> => {
          const repository = manager.getRepository(entity);
          return Reflect.apply(repository[method], repository, args);
        }, work),
    ]);
  const methods = [...through('read', READS), ...through('write', WRITES)];
  return Object.fromEntries(methods) as LimitedRepository<Entity>;
}
