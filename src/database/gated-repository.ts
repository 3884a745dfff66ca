import type { ObjectLiteral, Repository } from 'typeorm';
import type { Work } from './connection/connection-gate.js';
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

/** TypeORM's repository of a table, as far as each call is one statement. */
export type GatedRepository<Entity extends ObjectLiteral> = Pick<Repository<Entity>, Method>;

/**
 * What `@InjectRepository` gives. TypeORM's own would take a connection past the gate; here each call
 * has its place in the line, its limit of time, its tries, and its Problem, as `Database.query` does.
 */
export function gatedRepository<Entity extends ObjectLiteral>(
  database: Database,
  entity: new () => Entity,
): GatedRepository<Entity> {
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
  return Object.fromEntries(methods) as GatedRepository<Entity>;
}
