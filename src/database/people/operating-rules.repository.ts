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

/** What the settings say, which the server writes at its start. */
export type KeptRules = Omit<OperatingRules, 'id'>;

export interface PresentRules extends KeptRules {
  /** The settings allow a single operator, and no other one can sign in: nobody else is asked. */
  readonly isAlone: boolean;
}

/** The settings about the second person, as triggers read them. */
@Injectable()
export class OperatingRulesRepository {
  constructor(private readonly database: Database) {}

  async read(): Promise<PresentRules> {
    const [rules] = await this.database.query<PresentRules>(READ, []);
    return rules as PresentRules;
  }

  /** Nobody else changes them meanwhile. */
  async lock(tx: EntityManager): Promise<PresentRules> {
    const [rules] = await tx.query<[PresentRules]>(`${READ.text} FOR UPDATE`);
    return rules;
  }

  async write(tx: EntityManager, rules: KeptRules): Promise<void> {
    await tx.update(OperatingRules, { id: 1 }, rules);
  }
}
