import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Database, type Statement } from '../database.js';
import { OperatingRules } from './operating-rules.entity.js';

const COLUMNS = `single_operator AS "singleOperator", waiting_hours AS "waitingHours",
  changed_at AS "changedAt", lone_operator_since() IS NOT NULL AS "isAlone"`;
const READ: Statement = {
  name: 'operating_rules',
  text: `SELECT ${COLUMNS} FROM operating_rules`,
};

/** The settings, as stored at the start of the server. */
export type KeptRules = Omit<OperatingRules, 'id'>;

export interface PresentRules extends KeptRules {
  /** The settings allow a single operator, and no other operator can sign in: no second person is required. */
  readonly isAlone: boolean;
}

/** Stores the settings about the second person, for triggers. */
@Injectable()
export class OperatingRulesRepository {
  constructor(private readonly database: Database) {}

  async read(): Promise<PresentRules> {
    const [rules] = await this.database.query<PresentRules>(READ, []);
    return rules as PresentRules;
  }

  /** Locks the row for a change. */
  async lock(tx: EntityManager): Promise<PresentRules> {
    const [rules] = await tx.query<[PresentRules]>(`${READ.text} FOR UPDATE`);
    return rules;
  }

  async write(tx: EntityManager, rules: KeptRules): Promise<void> {
    await tx.update(OperatingRules, { id: 1 }, rules);
  }
}
